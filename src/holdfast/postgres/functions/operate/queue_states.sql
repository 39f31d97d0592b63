-- How the queues of one tenant stand: what waits, what is being done, what is stuck (its worker has not been heard of, or something dead is in its
-- way), what was given up, how long the oldest has been due. Counted up to a cap, on the indexes of what is unfinished.
CREATE OR REPLACE FUNCTION holdfast.queue_states(own uuid, cap integer, at timestamptz)
RETURNS TABLE (queue text, pending bigint, working bigint, waiting bigint, stuck bigint, dead bigint, oldest double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT 'runs'::text,
      (SELECT count(*) FROM (
        SELECT FROM holdfast.workflow_lane l JOIN holdfast.workflow_run_live r
          ON r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
        WHERE l.tenant = own LIMIT cap) c),
      (SELECT count(*) FROM (
        SELECT FROM holdfast.workflow_run_live r WHERE r.tenant = own AND r.status = 'leased' LIMIT cap) c),
      (SELECT count(*) FROM (
        SELECT FROM holdfast.workflow_run_live r
        WHERE r.tenant = own AND r.status = 'pending' AND NOT r.ready AND NOT r.blocked AND r.deleted_at IS NULL
        LIMIT cap) c)
      + (SELECT count(*) FROM (
        SELECT FROM holdfast.workflow_run_live r WHERE r.tenant = own AND r.blocked AND r.deleted_at IS NULL LIMIT cap) c),
      (SELECT count(*) FROM (
        SELECT FROM holdfast.workflow_run_live r
        WHERE r.tenant = own AND r.status = 'leased' AND r.lease_until < at LIMIT cap) c),
      (SELECT count(*) FROM (
        SELECT FROM holdfast.workflow_run_done r
        WHERE r.tenant = own AND r.status = 'failed' AND r.deleted_at IS NULL AND r.retried_as IS NULL
          AND r.finished_at > at - interval '1 day' LIMIT cap) c),
      (SELECT greatest(0, extract(epoch FROM at - min(level.run_at)))::double precision
       FROM holdfast.workflow_lane l CROSS JOIN LATERAL holdfast.priority_levels(l.tenant, l.type) level WHERE l.tenant = own);
  RETURN QUERY
    SELECT 'engine'::text, count(*) FILTER (WHERE e.status IN ('pending', 'failed')),
      count(*) FILTER (WHERE e.status = 'processing'), 0::bigint,
      count(*) FILTER (WHERE e.status = 'processing' AND e.lease_until < at), count(*) FILTER (WHERE e.status = 'dead_letter'),
      greatest(0, extract(epoch FROM at - min(e.next_retry_at) FILTER (WHERE e.status IN ('pending', 'failed'))))::double precision
    FROM (
      (SELECT o.status, o.lease_until, o.next_retry_at FROM holdfast.workflow_events_outbox o
       WHERE o.tenant = own AND o.status IN ('pending', 'failed') AND o.needs IS NULL ORDER BY o.next_retry_at LIMIT cap)
      UNION ALL
      (SELECT o.status, o.lease_until, o.next_retry_at FROM holdfast.workflow_events_outbox o
       WHERE o.tenant = own AND o.status IN ('pending', 'failed') AND o.needs IS NOT NULL LIMIT cap)
      UNION ALL
      (SELECT o.status, o.lease_until, o.next_retry_at FROM holdfast.workflow_events_outbox o
       WHERE o.tenant = own AND o.status = 'processing' LIMIT cap)
      UNION ALL
      (SELECT o.status, o.lease_until, o.next_retry_at FROM holdfast.workflow_events_outbox o
       WHERE o.tenant = own AND o.status = 'dead_letter' LIMIT cap)) e;
  RETURN QUERY
    SELECT 'effects'::text, count(*) FILTER (WHERE e.status IN ('pending', 'failed')),
      count(*) FILTER (WHERE e.status = 'processing'), 0::bigint,
      count(*) FILTER (WHERE e.status = 'processing' AND e.lease_until < at), count(*) FILTER (WHERE e.status = 'dead_letter'),
      greatest(0, extract(epoch FROM at - min(e.next_retry_at) FILTER (WHERE e.status IN ('pending', 'failed'))))::double precision
    FROM (
      (SELECT o.status, o.lease_until, o.next_retry_at FROM holdfast.workflow_side_effects_outbox o
       WHERE o.tenant = own AND o.status IN ('pending', 'failed') LIMIT cap)
      UNION ALL
      (SELECT o.status, o.lease_until, o.next_retry_at FROM holdfast.workflow_side_effects_outbox o
       WHERE o.tenant = own AND o.status = 'processing' LIMIT cap)
      UNION ALL
      (SELECT o.status, o.lease_until, o.next_retry_at FROM holdfast.workflow_side_effects_outbox o
       WHERE o.tenant = own AND o.status = 'dead_letter' LIMIT cap)) e;
  RETURN QUERY
    SELECT 'outbox'::text,
      (SELECT count(*) FROM (
        SELECT FROM holdfast.outbox_event_live e WHERE e.tenant = own AND e.status = 'pending' LIMIT cap) c),
      (SELECT count(*) FROM (
        SELECT FROM holdfast.outbox_lane l WHERE l.tenant = own AND l.lease_until IS NOT NULL LIMIT cap) c),
      0::bigint,
      (SELECT count(*) FROM (SELECT FROM holdfast.outbox_lane l WHERE l.tenant = own AND l.blocked LIMIT cap) c),
      (SELECT count(*) FROM (
        SELECT FROM holdfast.outbox_event_live e WHERE e.tenant = own AND e.status = 'dead' LIMIT cap) c),
      (SELECT greatest(0, extract(epoch FROM at - min(l.due_at)))::double precision FROM holdfast.outbox_lane l
       WHERE l.tenant = own AND l.lease_until IS NULL AND NOT l.blocked);
  RETURN QUERY
    SELECT 'sessions'::text, count(*) FILTER (WHERE s.status = 'pending'), count(*) FILTER (WHERE s.status = 'running'),
      count(*) FILTER (WHERE s.status = 'waiting_for_input'),
      count(*) FILTER (WHERE s.status = 'running' AND NOT EXISTS (
        SELECT FROM holdfast.workflow_run_live r WHERE r.tenant = own AND r.id = s.run_id)),
      (SELECT count(*) FROM (
        SELECT FROM holdfast.workflow_sessions f
        WHERE f.tenant = own AND f.completed_at > at - interval '1 day' AND f.status = 'failed' LIMIT cap) c),
      greatest(0, extract(epoch FROM at - min(s.created_at) FILTER (WHERE s.status = 'pending')))::double precision
    FROM (
      SELECT a.status, a.run_id, a.created_at FROM holdfast.workflow_sessions a
      WHERE a.tenant = own AND a.status IN ('pending', 'running', 'waiting_for_input') LIMIT cap) s;
END
$$;
