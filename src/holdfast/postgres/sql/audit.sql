-- The audit trail. Every statement is scoped by tenant twice: here, for the index, and by row-level security.

-- name: append_event
INSERT INTO holdfast.workflow_event
  (tenant, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at)
VALUES
  (%(tenant)s, %(object_kind)s, %(object_id)s, %(event_type)s, %(actor)s, %(step_id)s, %(data)s, %(trace_id)s,
   coalesce(%(now)s::timestamptz, now()))
RETURNING id, seq, created_at

-- name: timeline
-- Newest first, on the primary key (tenant, created_at, id) of each partition, merged.
SELECT id, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at, seq
FROM holdfast.workflow_event
WHERE tenant = %(tenant)s
  AND (%(object_kind)s::text IS NULL OR object_kind = %(object_kind)s)
  AND (%(before_at)s::timestamptz IS NULL OR (created_at, id) < (%(before_at)s::timestamptz, %(before_id)s::bigint))
ORDER BY created_at DESC, id DESC
LIMIT %(limit)s

-- name: object_timeline
-- The same for one object, on workflow_event_object (tenant, object_id, created_at, id).
SELECT id, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at, seq
FROM holdfast.workflow_event
WHERE tenant = %(tenant)s AND object_id = %(object_id)s
  AND (%(object_kind)s::text IS NULL OR object_kind = %(object_kind)s)
  AND (%(before_at)s::timestamptz IS NULL OR (created_at, id) < (%(before_at)s::timestamptz, %(before_id)s::bigint))
ORDER BY created_at DESC, id DESC
LIMIT %(limit)s

-- name: chained_events
-- Every link of the tenant's chains in the order in which they are checked. data as text: the hash is over that text.
SELECT tenant, object_kind, object_id, seq, event_type, actor, step_id, trace_id, created_at, data::text AS data,
       prev_hash, hash
FROM holdfast.workflow_event
WHERE tenant = %(tenant)s AND seq IS NOT NULL
ORDER BY object_kind, object_id, seq

-- name: unchained_events
-- Events of a chained kind that lost their place in the chain.
SELECT object_kind, object_id FROM holdfast.workflow_event
WHERE tenant = %(tenant)s AND seq IS NULL AND object_kind IN ('access', 'document', 'instance')
LIMIT 1

-- name: chain_heads
SELECT object_kind, object_id, seq, hash FROM holdfast.audit_head WHERE tenant = %(tenant)s

-- name: dropped_kinds
SELECT DISTINCT substr(branch, length('workflow_event_') + 1) AS object_kind FROM holdfast.partition_drop
WHERE starts_with(branch, 'workflow_event_')
