-- What came to its end, in which queue, when, after how many seconds, and whether in vain. `queue` is a constant of each branch, so a query that
-- asks for one reads only that. On the summaries *_lately, on the indexes of dead letters, and on workflow_sessions_completed_at_idx.
CREATE OR REPLACE VIEW holdfast.queue_finished WITH (security_invoker = true) AS
SELECT tenant, 'runs'::text AS queue, finished_at AS at, extract(epoch FROM finished_at - run_at)::double precision AS seconds,
       status = 'failed' AS error
FROM holdfast.workflow_run_done WHERE status <> 'cancelled'
UNION ALL
SELECT tenant, 'engine', completed_at, extract(epoch FROM completed_at - created_at)::double precision, false
FROM holdfast.workflow_events_outbox WHERE status = 'completed'
UNION ALL
-- The next attempt of a dead letter would have been at once: it is when the last one ended.
SELECT tenant, 'engine', next_retry_at, extract(epoch FROM next_retry_at - created_at)::double precision, true
FROM holdfast.workflow_events_outbox WHERE status = 'dead_letter'
UNION ALL
SELECT tenant, 'effects', completed_at, extract(epoch FROM completed_at - created_at)::double precision, false
FROM holdfast.workflow_side_effects_outbox WHERE status = 'completed'
UNION ALL
SELECT tenant, 'effects', next_retry_at, extract(epoch FROM next_retry_at - created_at)::double precision, true
FROM holdfast.workflow_side_effects_outbox WHERE status = 'dead_letter'
UNION ALL
SELECT tenant, 'outbox', published_at, extract(epoch FROM published_at - created_at)::double precision, false
FROM holdfast.outbox_event_done
UNION ALL
SELECT e.tenant, 'outbox', died.at, extract(epoch FROM died.at - e.created_at)::double precision, true
FROM holdfast.outbox_event_live e CROSS JOIN LATERAL (
  SELECT max(w.created_at) AS at FROM holdfast.workflow_event_plain w
  WHERE w.tenant = e.tenant AND w.object_id = e.id AND w.event_type = 'outbox.dead') died
WHERE e.status = 'dead'
UNION ALL
SELECT tenant, 'sessions', completed_at, extract(epoch FROM completed_at - coalesce(started_at, created_at))::double precision,
       status = 'failed'
FROM holdfast.workflow_sessions WHERE completed_at IS NOT NULL;
GRANT SELECT ON holdfast.queue_finished TO holdfast_app;
