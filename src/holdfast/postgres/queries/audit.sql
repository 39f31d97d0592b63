-- The audit trail. Every statement is scoped by tenant twice: here, for the index, and by row-level security.

-- name: append_chained_event
INSERT INTO holdfast.workflow_event_chained
  (tenant, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at)
VALUES
  (%(tenant)s, %(object_kind)s, %(object_id)s, %(event_type)s, %(actor)s, %(step_id)s, %(data)s, %(trace_id)s,
   coalesce(%(now)s::timestamptz, now()))
RETURNING id, seq, created_at

-- name: append_plain_event
INSERT INTO holdfast.workflow_event_plain
  (tenant, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at)
VALUES
  (%(tenant)s, %(object_kind)s, %(object_id)s, %(event_type)s, %(actor)s, %(step_id)s, %(data)s, %(trace_id)s,
   coalesce(%(now)s::timestamptz, now()))
RETURNING id, NULL::bigint AS seq, created_at

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
FROM holdfast.workflow_event_chained
WHERE tenant = %(tenant)s
ORDER BY object_kind, object_id, seq

-- name: chain_heads
SELECT object_kind, object_id, seq, hash FROM holdfast.audit_head WHERE tenant = %(tenant)s

-- name: tombstones
SELECT tenant, seq, branch, month, days, chains, events, dropped_at, dropped_by, prev_hash, hash, key_id, signature
FROM holdfast.audit_tombstone WHERE tenant = %(tenant)s ORDER BY seq

-- name: tombstone_ranges
SELECT seq, object_kind, object_id, first_seq, last_seq, prev_hash, last_hash
FROM holdfast.audit_tombstone_range WHERE tenant = %(tenant)s ORDER BY seq, object_kind, object_id, first_seq
