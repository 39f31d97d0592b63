-- Every event of every object: any timeline is one query, merged from the keys (tenant, created_at, id) of both tables' months.
CREATE OR REPLACE VIEW holdfast.workflow_event WITH (security_invoker = true) AS
SELECT tenant, object_kind, object_id, id, event_type, actor, step_id, data, trace_id, created_at, seq, prev_hash, hash
FROM holdfast.workflow_event_chained
UNION ALL
SELECT tenant, object_kind, object_id, id, event_type, actor, step_id, data, trace_id, created_at, NULL, NULL, NULL
FROM holdfast.workflow_event_plain;
GRANT SELECT ON holdfast.workflow_event TO holdfast_app;
