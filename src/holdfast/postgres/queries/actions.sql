-- Receipts of calls with an idempotency key; see the migration for why one is written before the action.

-- name: open_receipts
-- Waits here for other calls with these keys, whose transactions are not decided yet; in the order of the keys, so that two never wait for each other.
-- Answers the keys that are new.
INSERT INTO holdfast.workflow_action_receipt (tenant, idempotency_key, action, fingerprint, call_id, actor, created_at)
SELECT %(tenant)s, n.key, n.action, n.fingerprint, n.call_id, n.actor, coalesce(%(now)s::timestamptz, now())
FROM jsonb_to_recordset(%(given)s::jsonb) n (key text, action text, fingerprint bytea, call_id uuid, actor text)
ORDER BY n.key ON CONFLICT DO NOTHING RETURNING idempotency_key AS key

-- name: read_receipt
SELECT action, fingerprint, call_id, actor, output::text AS output FROM holdfast.workflow_action_receipt
WHERE tenant = %(tenant)s AND idempotency_key = %(key)s

-- name: close_receipt
UPDATE holdfast.workflow_action_receipt SET output = %(output)s::jsonb
WHERE tenant = %(tenant)s AND idempotency_key = %(key)s

-- name: close_calls
-- The answers of actions with their lines in the trail.
SELECT holdfast.close_calls(%(given)s::jsonb, coalesce(%(now)s::timestamptz, now())) WHERE %(tenant)s::uuid IS NOT NULL

-- name: drop_receipts
SELECT holdfast.drop_receipts(coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int)) AS dropped

-- name: types
-- Types of runs that were ever enqueued, for suggestions: on the primary key of workflow_lane.
SELECT type FROM holdfast.workflow_lane WHERE tenant = %(tenant)s AND starts_with(type, %(prefix)s) ORDER BY type LIMIT 50
