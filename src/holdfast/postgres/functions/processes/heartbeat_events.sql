-- Extends what is being worked on; answers with what is no longer ours.
CREATE OR REPLACE FUNCTION holdfast.heartbeat_events(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, status text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH held AS (
      SELECT * FROM unnest(tenants, ids, epochs, leases) h (tenant, id, epoch, lease)
    ), extended AS (
      UPDATE holdfast.workflow_events_outbox o SET lease_until = at + h.lease FROM held h
      WHERE o.tenant = h.tenant AND o.id = h.id AND o.lease_epoch = h.epoch AND o.status = 'processing'
      RETURNING o.tenant, o.id
    )
    SELECT h.tenant, h.id, NULL::text FROM held h
    WHERE NOT EXISTS (SELECT FROM extended e WHERE e.tenant = h.tenant AND e.id = h.id);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.heartbeat_events TO holdfast_worker;
