-- How much of each kind of work is unfinished, by tenant and state, counted up to a cap, for metrics: on the indexes of what is unfinished, never
-- through what is over. `late` is how long the oldest of them has been due, in seconds.
CREATE OR REPLACE FUNCTION holdfast.work_figures(cap integer, at timestamptz)
RETURNS TABLE (slug text, work text, state text, many bigint, late double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT t.slug, w.work, w.state, count(*), greatest(0, extract(epoch FROM at - min(w.due)))::double precision
    FROM (
      (SELECT o.tenant, 'engine'::text AS work, 'pending'::text AS state, o.next_retry_at AS due
       FROM holdfast.workflow_events_outbox o WHERE o.status IN ('pending', 'failed') AND o.needs IS NULL LIMIT cap)
      UNION ALL
      (SELECT o.tenant, 'engine', 'unknown_code', o.next_retry_at
       FROM holdfast.workflow_events_outbox o WHERE o.status IN ('pending', 'failed') AND o.needs IS NOT NULL LIMIT cap)
      UNION ALL
      (SELECT o.tenant, 'engine', 'processing', NULL FROM holdfast.workflow_events_outbox o WHERE o.status = 'processing' LIMIT cap)
      UNION ALL
      (SELECT o.tenant, 'engine', 'dead', NULL FROM holdfast.workflow_events_outbox o WHERE o.status = 'dead_letter' LIMIT cap)
      UNION ALL
      (SELECT e.tenant, 'effects', 'pending', e.next_retry_at
       FROM holdfast.workflow_side_effects_outbox e WHERE e.status IN ('pending', 'failed') LIMIT cap)
      UNION ALL
      (SELECT e.tenant, 'effects', 'processing', NULL
       FROM holdfast.workflow_side_effects_outbox e WHERE e.status = 'processing' LIMIT cap)
      UNION ALL
      (SELECT e.tenant, 'effects', 'dead', NULL
       FROM holdfast.workflow_side_effects_outbox e WHERE e.status = 'dead_letter' LIMIT cap)
      UNION ALL
      (SELECT a.tenant, 'approvals', CASE WHEN a.due_at < at THEN 'overdue' ELSE 'open' END, a.due_at
       FROM holdfast.approval_requests a WHERE a.status = 'open' LIMIT cap)
      UNION ALL
      (SELECT i.tenant, 'processes', i.status, NULL FROM holdfast.workflow_instances i
       WHERE i.status IN ('running', 'paused') LIMIT cap)
      UNION ALL
      (SELECT s.tenant, 'sessions', s.status, CASE WHEN s.status = 'pending' THEN s.created_at END
       FROM holdfast.workflow_sessions s WHERE s.status IN ('pending', 'running', 'waiting_for_input') LIMIT cap)) w
    JOIN holdfast.tenants t ON t.tenant = w.tenant
    GROUP BY t.slug, w.work, w.state;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.work_figures TO holdfast_worker;
