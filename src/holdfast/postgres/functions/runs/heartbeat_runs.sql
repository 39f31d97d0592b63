-- Extends leases that are still held; answers with those that are not, and what became of the run. A lease whose row somebody has locked is neither
-- extended nor lost: the next beat comes in a moment.
CREATE OR REPLACE FUNCTION holdfast.heartbeat_runs(
  tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, status text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH claimed AS (
      SELECT * FROM unnest(tenants, ids, epochs, leases) h (tenant, id, epoch, lease)
    ), mine AS MATERIALIZED (
      SELECT h.lease, held.address FROM claimed h CROSS JOIN LATERAL (
        SELECT r.ctid AS address FROM holdfast.workflow_run_live r
        WHERE r.tenant = h.tenant AND r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_until IS NOT NULL
        FOR NO KEY UPDATE SKIP LOCKED) held
    ), extended AS (
      UPDATE holdfast.workflow_run_live r SET lease_until = at + m.lease, updated_at = at
      FROM mine m WHERE r.ctid = m.address -- locked above, so it stays where it is
      RETURNING r.tenant, r.id, r.lease_epoch
    )
    SELECT h.tenant, h.id, (SELECT r.status FROM holdfast.workflow_run r WHERE r.tenant = h.tenant AND r.id = h.id)
    FROM claimed h
    WHERE NOT EXISTS (
        SELECT FROM extended e WHERE e.tenant = h.tenant AND e.id = h.id AND e.lease_epoch = h.epoch)
      AND NOT EXISTS (
        SELECT FROM holdfast.workflow_run_live r
        WHERE r.tenant = h.tenant AND r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_until IS NOT NULL);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.heartbeat_runs TO holdfast_worker;
