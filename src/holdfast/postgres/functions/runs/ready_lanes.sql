-- Lanes with something to claim, for a worker's exact types or prefixes of types, with each tenant's weight; one that is no number counts as one.
CREATE OR REPLACE FUNCTION holdfast.ready_lanes(prefixes text[], types text[])
RETURNS TABLE (tenant uuid, type text, weight integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT l.tenant, l.type,
           CASE WHEN t.settings ->> 'weight' ~ '^[0-9]+([.][0-9]+)?$'
             THEN greatest(1, least(1000, (t.settings ->> 'weight')::numeric))::integer ELSE 1 END
    FROM holdfast.workflow_lane l JOIN holdfast.tenants t ON t.tenant = l.tenant
    -- One look into each lane. As EXISTS it would be a join, and read all that is ready to find out where something is.
    CROSS JOIN LATERAL (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
      LIMIT 1) something
    WHERE (l.type = ANY (types) OR EXISTS (SELECT FROM unnest(prefixes) p WHERE starts_with(l.type, p)))
      AND NOT EXISTS (SELECT FROM holdfast.workflow_pause p WHERE p.tenant = l.tenant AND starts_with(l.type, p.prefix));
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.ready_lanes TO holdfast_worker;
