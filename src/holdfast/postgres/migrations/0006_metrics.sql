-- What monitoring asks of the queue and the outbox, across tenants, at a cost that does not grow with them.
--
-- Model
--   queue_depths    how many runs of each lane are ready, delayed, blocked or leased, counted up to a cap; how long the oldest ready
--                   one has waited. Reads the indexes of the live branch, never the finished runs.
--   schedule_delay  by how many seconds the most overdue schedule is late
--   outbox_depths   how many events wait to be sent and how many are dead, counted up to a cap; how long the oldest has been due

-- Runs lie in the order in which they finished, so a summary of each stretch finds the latest, and costs writing nothing.
CREATE INDEX workflow_run_done_lately ON holdfast.workflow_run_done USING brin (tenant, finished_at)
  WITH (autosummarize = on);

CREATE FUNCTION holdfast.queue_depths(cap integer, at timestamptz)
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

CREATE FUNCTION holdfast.schedule_delay(at timestamptz) RETURNS double precision
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  RETURN (SELECT greatest(0, extract(epoch FROM at - min(s.next_fire_at)))::double precision
          FROM holdfast.tenants t CROSS JOIN LATERAL (
            SELECT x.next_fire_at FROM holdfast.workflow_schedule x
            WHERE x.tenant = t.tenant AND x.next_fire_at IS NOT NULL ORDER BY x.next_fire_at LIMIT 1) s);
END
$$;

CREATE FUNCTION holdfast.outbox_depths(cap integer, at timestamptz)
RETURNS TABLE (slug text, pending bigint, dead bigint, oldest double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT t.slug, waiting.events, lost.events, greatest(0, extract(epoch FROM at - due.since))::double precision
    FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT count(*) AS events FROM (
        SELECT FROM holdfast.outbox_event_live e WHERE e.tenant = t.tenant AND e.status = 'pending' LIMIT cap) counted) waiting
    CROSS JOIN LATERAL (
      SELECT count(*) AS events FROM (
        SELECT FROM holdfast.outbox_event_live e WHERE e.tenant = t.tenant AND e.status = 'dead' LIMIT cap) counted) lost
    CROSS JOIN LATERAL (
      SELECT min(l.due_at) AS since FROM holdfast.outbox_lane l
      WHERE l.tenant = t.tenant AND l.lease_until IS NULL AND NOT l.held) due
    WHERE waiting.events > 0 OR lost.events > 0;
END
$$;

GRANT EXECUTE ON FUNCTION holdfast.queue_depths(integer, timestamptz), holdfast.schedule_delay(timestamptz),
  holdfast.outbox_depths(integer, timestamptz) TO holdfast_worker;
