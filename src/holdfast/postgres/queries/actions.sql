-- Receipts of calls with an idempotency key; see the migration for why one is written before the action.

-- name: open_receipt
-- Waits here for another call with the same key, whose transaction is not decided yet.
INSERT INTO holdfast.workflow_action_receipt (tenant, idempotency_key, action, fingerprint, call_id, actor, created_at)
VALUES (%(tenant)s, %(key)s, %(action)s, %(fingerprint)s, %(call_id)s, %(actor)s, coalesce(%(now)s::timestamptz, now()))
ON CONFLICT DO NOTHING

-- name: read_receipt
SELECT action, fingerprint, call_id, actor, output::text AS output FROM holdfast.workflow_action_receipt
WHERE tenant = %(tenant)s AND idempotency_key = %(key)s

-- name: close_receipt
UPDATE holdfast.workflow_action_receipt SET output = %(output)s::jsonb
WHERE tenant = %(tenant)s AND idempotency_key = %(key)s

-- name: close_call
-- The answer of an action with its line in the trail.
WITH event AS (
  INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
  VALUES (%(tenant)s, 'action', %(object_id)s, 'action.called', %(actor)s, %(step_id)s, %(data)s::jsonb, coalesce(%(now)s::timestamptz, now()))
)
UPDATE holdfast.workflow_action_receipt SET output = %(output)s::jsonb
WHERE tenant = %(tenant)s AND idempotency_key = %(key)s

-- name: drop_receipts
SELECT holdfast.drop_receipts(coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int)) AS dropped

-- name: types
-- Types of runs that were ever enqueued, for suggestions: on the primary key of workflow_lane.
SELECT type FROM holdfast.workflow_lane WHERE tenant = %(tenant)s AND starts_with(type, %(prefix)s) ORDER BY type LIMIT 50
