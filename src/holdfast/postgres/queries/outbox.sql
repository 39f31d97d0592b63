-- The outbox. What dispatchers do is in functions that look across tenants (see the outbox's migration).

-- name: publish
SELECT holdfast.publish_events(
  %(ids)s::uuid[], %(types)s::text[], %(payloads)s::text[], %(aggregate_types)s::text[], %(aggregate_ids)s::text[],
  %(subjects)s::text[], %(trace_parents)s::text[], %(actor)s::text, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: turn
-- Records what was sent and leases what is next in one statement and one commit; the first rows say what was lost. Ids
-- travel as text: converting them would be much of what an event costs the client.
SELECT s.place AS lost, NULL::text AS tenant, NULL::text AS slug, NULL::text AS aggregate_type, NULL::text AS aggregate_id,
       NULL::bigint AS lease_epoch, NULL::int AS attempts, NULL::text AS id, NULL::bigint AS seq, NULL::text AS event_type,
       NULL::text AS subject, NULL::text AS payload, NULL::text AS trace_parent, NULL::text[] AS delivered,
       NULL::timestamptz AS created_at, NULL::timestamptz AS due
FROM holdfast.settle_outbox(
  %(dispatcher)s::text, %(tenants)s::uuid[], %(aggregate_types)s::text[], %(aggregate_ids)s::text[], %(epochs)s::bigint[],
  %(tries)s::int[], %(delays)s::interval[], %(failed_ids)s::uuid[], %(errors)s::text[], %(deads)s::boolean[],
  %(takers)s::text[], %(sent_lanes)s::int[], %(sent_ids)s::uuid[], %(sent_tries)s::int[], %(hold_dead)s::boolean,
  coalesce(%(now)s::timestamptz, now())) s (place)
UNION ALL
SELECT NULL, c.tenant::text, c.slug, c.aggregate_type, c.aggregate_id, c.lease_epoch, c.attempts, c.id::text, c.seq,
       c.event_type, c.subject, c.payload, c.trace_parent, c.delivered, c.created_at, c.due
FROM holdfast.claim_outbox(
  %(dispatcher)s::text, %(slots)s::int, %(per_lane)s::int, %(lease)s::interval, %(after)s::uuid,
  coalesce(%(now)s::timestamptz, now()), %(marks)s::jsonb) c

-- name: heartbeat
SELECT tenant::text, lane, NULL::text FROM holdfast.heartbeat_outbox(
  %(tenants)s::uuid[], %(ids)s::text[], %(epochs)s::bigint[], %(leases)s::interval[], coalesce(%(now)s::timestamptz, now()))

-- name: tend
SELECT extract(epoch FROM holdfast.tend_outbox(
  %(max_attempts)s::int, %(hold_dead)s::boolean, coalesce(%(now)s::timestamptz, now()))
  - coalesce(%(now)s::timestamptz, now()))::float8

-- name: get
-- On the primary keys (tenant, id) of the live branch and of each month.
SELECT e.id, e.seq, e.event_type AS type,
       CASE WHEN e.status = 'pending' AND l.lease_until IS NOT NULL THEN 'processing' ELSE e.status END AS status,
       e.aggregate_type, e.aggregate_id, e.subject, e.payload AS data, e.attempts, e.last_error,
       CASE WHEN e.status = 'pending' AND NOT l.blocked THEN l.due_at END AS next_attempt_at,
       CASE WHEN e.status = 'pending' THEN l.leased_by END AS leased_by,
       e.status <> 'published' AND coalesce(l.blocked, false) AS blocked, e.trace_parent, e.created_by, e.created_at, e.published_at
FROM holdfast.outbox_event e LEFT JOIN holdfast.outbox_lane l
  ON NOT e.done AND l.tenant = e.tenant AND l.aggregate_type = e.aggregate_type AND l.aggregate_id = e.aggregate_id
WHERE e.tenant = %(tenant)s AND e.id = %(id)s

-- name: list
-- Newest first, merged from the primary keys of the live branch and of each month: ids are made in the order of time.
SELECT e.id, e.seq, e.event_type AS type,
       CASE WHEN e.status = 'pending' AND l.lease_until IS NOT NULL THEN 'processing' ELSE e.status END AS status,
       e.aggregate_type, e.aggregate_id, e.subject, e.payload AS data, e.attempts, e.last_error,
       CASE WHEN e.status = 'pending' AND NOT l.blocked THEN l.due_at END AS next_attempt_at,
       CASE WHEN e.status = 'pending' THEN l.leased_by END AS leased_by,
       e.status <> 'published' AND coalesce(l.blocked, false) AS blocked, e.trace_parent, e.created_by, e.created_at, e.published_at
FROM holdfast.outbox_event e LEFT JOIN holdfast.outbox_lane l
  ON NOT e.done AND l.tenant = e.tenant AND l.aggregate_type = e.aggregate_type AND l.aggregate_id = e.aggregate_id
WHERE e.tenant = %(tenant)s
  AND (%(before)s::uuid IS NULL OR e.id < %(before)s)
  AND (%(status)s::text IS NULL
       OR CASE WHEN e.status = 'pending' AND l.lease_until IS NOT NULL THEN 'processing' ELSE e.status END = %(status)s)
  AND (%(prefix)s::text IS NULL OR starts_with(e.event_type, %(prefix)s))
  AND (%(aggregate_type)s::text IS NULL
       OR (e.aggregate_type = %(aggregate_type)s AND e.aggregate_id = %(aggregate_id)s))
ORDER BY e.id DESC
LIMIT %(limit)s

-- name: stats
SELECT e.event_type AS type,
       CASE WHEN e.status = 'pending' AND l.lease_until IS NOT NULL THEN 'processing' ELSE e.status END AS status,
       count(*) AS events, min(e.created_at) FILTER (WHERE e.status = 'pending') AS oldest
FROM holdfast.outbox_event e LEFT JOIN holdfast.outbox_lane l
  ON NOT e.done AND l.tenant = e.tenant AND l.aggregate_type = e.aggregate_type AND l.aggregate_id = e.aggregate_id
WHERE e.tenant = %(tenant)s
  AND (NOT e.done OR e.published_at > coalesce(%(now)s::timestamptz, now()) - interval '1 day')
GROUP BY 1, 2 ORDER BY 1, 2

-- name: held_lanes
SELECT count(*) AS lanes FROM holdfast.outbox_lane WHERE tenant = %(tenant)s AND blocked

-- name: replay
SELECT holdfast.replay_event(%(id)s::uuid, coalesce(%(now)s::timestamptz, now())) AS was WHERE %(tenant)s::uuid IS NOT NULL

-- name: replay_dead
SELECT id FROM holdfast.replay_dead_events(%(type)s::text, %(most)s::int, coalesce(%(now)s::timestamptz, now())) id
WHERE %(tenant)s::uuid IS NOT NULL

-- name: skip
SELECT holdfast.skip_event(%(id)s::uuid, coalesce(%(now)s::timestamptz, now())) AS done WHERE %(tenant)s::uuid IS NOT NULL

-- name: drop_published
SELECT holdfast.drop_partitions(
  'outbox_event_done', coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int),
  coalesce(%(now)s::timestamptz, now())) AS partition
