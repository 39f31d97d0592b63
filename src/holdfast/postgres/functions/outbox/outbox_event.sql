-- Every event, wherever it is. `done` is a constant of each half, so a query that asks for it reads only the one.
CREATE OR REPLACE VIEW holdfast.outbox_event WITH (security_invoker = true) AS
SELECT tenant, id, false AS done, seq, event_type, aggregate_type, aggregate_id, subject, payload, status, attempts, last_error,
       delivered, trace_parent, created_by, created_at, NULL::timestamptz AS published_at
FROM holdfast.outbox_event_live
UNION ALL
SELECT tenant, id, true, seq, event_type, aggregate_type, aggregate_id, subject, payload, 'published', attempts, last_error,
       delivered, trace_parent, created_by, created_at, published_at
FROM holdfast.outbox_event_done;
GRANT SELECT ON holdfast.outbox_event TO holdfast_app;
