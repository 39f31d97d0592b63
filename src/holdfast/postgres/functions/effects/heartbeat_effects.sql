-- Extends leases that are still held; answers with those that are not, and what became of the effect.
CREATE OR REPLACE FUNCTION holdfast.heartbeat_effects(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, status text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH claimed AS (
      SELECT * FROM unnest(tenants, ids, epochs, leases) h (tenant, id, epoch, lease)
    ), extended AS (
      UPDATE holdfast.workflow_side_effects_outbox e SET lease_until = at + h.lease
      FROM claimed h
      WHERE e.tenant = h.tenant AND e.id = h.id AND e.lease_epoch = h.epoch AND e.status = 'processing'
      RETURNING e.tenant, e.id
    )
    SELECT h.tenant, h.id,
           (SELECT e.status FROM holdfast.workflow_side_effects_outbox e WHERE e.tenant = h.tenant AND e.id = h.id)
    FROM claimed h WHERE NOT EXISTS (SELECT FROM extended x WHERE x.tenant = h.tenant AND x.id = h.id);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.heartbeat_effects TO holdfast_worker;
