-- Every run, wherever it is. `done` is a constant of each half, so a query that asks for it reads only the one.
CREATE OR REPLACE VIEW holdfast.workflow_run WITH (security_invoker = true) AS
SELECT tenant, id, false AS done, type, status, priority, ready, blocked, waiting_for, idempotency_key, payload, NULL::jsonb AS result,
       error, last_error, attempt, max_attempts, run_at, lease_epoch, lease_until, leased_by, trace_parent, parent_id,
       concurrency_key, concurrency_limit, created_by, created_at, updated_at, NULL::timestamptz AS finished_at, deleted_at,
       delete_reason, party, NULL::uuid AS retried_as
FROM holdfast.workflow_run_live
UNION ALL
SELECT tenant, id, true, type, status, priority, false, false, NULL, idempotency_key, payload, result,
       error, last_error, attempt, max_attempts, run_at, lease_epoch, NULL, NULL, trace_parent, parent_id,
       concurrency_key, concurrency_limit, created_by, created_at, updated_at, finished_at, deleted_at, delete_reason,
       party, retried_as
FROM holdfast.workflow_run_done;
GRANT SELECT ON holdfast.workflow_run TO holdfast_app;
