-- How many runs of each lane are ready, delayed, blocked or leased, counted up to a cap; how long the oldest ready one has waited. Reads indexes of
-- the live table, never the finished runs, so that it costs the same however many there are.
CREATE OR REPLACE FUNCTION holdfast.queue_depths(cap integer, at timestamptz)
RETURNS TABLE (slug text, type text, state text, runs bigint, oldest double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT t.slug, l.type, 'ready'::text, depth.runs,
           (SELECT extract(epoch FROM at - min(level.run_at))::double precision
            FROM holdfast.priority_levels(l.tenant, l.type) level WHERE depth.runs > 0)
    FROM holdfast.workflow_lane l JOIN holdfast.tenants t ON t.tenant = l.tenant CROSS JOIN LATERAL (
      SELECT count(*) AS runs FROM (
        SELECT FROM holdfast.workflow_run_live r
        WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
        LIMIT cap) counted) depth;
  RETURN QUERY
    SELECT t.slug, d.type, 'delayed'::text, count(*), NULL::double precision
    FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) lanes
    JOIN holdfast.tenants t ON t.tenant = lanes.tenant CROSS JOIN LATERAL (
      SELECT r.type FROM holdfast.workflow_run_live r
      WHERE r.tenant = lanes.tenant AND r.status = 'pending' AND NOT r.ready AND NOT r.blocked AND r.deleted_at IS NULL
      LIMIT cap) d
    GROUP BY t.slug, d.type;
  RETURN QUERY
    SELECT t.slug, d.type, 'blocked'::text, count(*), NULL::double precision
    FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) lanes
    JOIN holdfast.tenants t ON t.tenant = lanes.tenant CROSS JOIN LATERAL (
      SELECT r.type FROM holdfast.workflow_run_live r
      WHERE r.tenant = lanes.tenant AND r.blocked AND r.deleted_at IS NULL LIMIT cap) d
    GROUP BY t.slug, d.type;
  RETURN QUERY
    SELECT t.slug, d.type, 'leased'::text, count(*), NULL::double precision
    FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) lanes
    JOIN holdfast.tenants t ON t.tenant = lanes.tenant CROSS JOIN LATERAL (
      SELECT r.type FROM holdfast.workflow_run_live r
      WHERE r.tenant = lanes.tenant AND r.status = 'leased' LIMIT cap) d
    GROUP BY t.slug, d.type;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.queue_depths TO holdfast_worker;
