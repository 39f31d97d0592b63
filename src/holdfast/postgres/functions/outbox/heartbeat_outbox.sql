-- Extends the leases of lanes that are still held; answers with those that are not. A lane goes by ‹type›/‹id› here.
CREATE OR REPLACE FUNCTION holdfast.heartbeat_outbox(
  tenants uuid[], lanes text[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, lane text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH claimed AS (
      SELECT h.tenant, h.lane, split_part(h.lane, '/', 1) AS kind, substr(h.lane, strpos(h.lane, '/') + 1) AS id, h.epoch,
             h.lease
      FROM unnest(tenants, lanes, epochs, leases) h (tenant, lane, epoch, lease)
    ), mine AS MATERIALIZED (
      SELECT h.lease, held.address FROM claimed h CROSS JOIN LATERAL (
        SELECT l.ctid AS address FROM holdfast.outbox_lane l
        WHERE l.tenant = h.tenant AND l.aggregate_type = h.kind AND l.aggregate_id = h.id AND l.lease_epoch = h.epoch
          AND l.lease_until IS NOT NULL
        FOR NO KEY UPDATE SKIP LOCKED) held
    ), extended AS (
      UPDATE holdfast.outbox_lane l SET lease_until = at + m.lease
      FROM mine m WHERE l.ctid = m.address -- locked above, so it stays where it is
      RETURNING l.tenant, l.aggregate_type, l.aggregate_id, l.lease_epoch
    )
    SELECT h.tenant, h.lane FROM claimed h
    WHERE NOT EXISTS (
        SELECT FROM extended e
        WHERE e.tenant = h.tenant AND e.aggregate_type = h.kind AND e.aggregate_id = h.id AND e.lease_epoch = h.epoch)
      AND NOT EXISTS (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = h.tenant AND l.aggregate_type = h.kind AND l.aggregate_id = h.id AND l.lease_epoch = h.epoch
          AND l.lease_until IS NOT NULL);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.heartbeat_outbox TO holdfast_worker;
