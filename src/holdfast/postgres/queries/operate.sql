-- How the queues of a tenant are doing, who works on them, and what matches a filter.

-- name: states
SELECT queue, pending, working, waiting, stuck, dead, oldest
FROM holdfast.own_queue_states(%(cap)s::int, coalesce(%(now)s::timestamptz, now())) WHERE %(tenant)s::uuid IS NOT NULL

-- name: at
-- What time it is, and up to which minute finished work is counted.
SELECT coalesce(%(now)s::timestamptz, now()) AS at, (SELECT until FROM holdfast.queue_rollup) AS counted_until
WHERE %(tenant)s::uuid IS NOT NULL

-- name: minutes
-- On the primary key.
SELECT minute, finished, errors, buckets FROM holdfast.queue_minute
WHERE tenant = %(tenant)s AND queue = %(queue)s AND minute >= %(since)s AND minute < %(until)s ORDER BY minute

-- name: depths
SELECT minute, pending, stuck, dead, oldest FROM holdfast.queue_depth
WHERE tenant = %(tenant)s AND queue = %(queue)s AND minute >= %(since)s AND minute < %(until)s ORDER BY minute

-- name: lately
-- What is not counted yet, on the indexes that queue_finished names.
SELECT floor(extract(epoch FROM f.at - %(origin)s::timestamptz) / %(step)s)::int AS place,
       holdfast.latency_bucket(f.seconds) AS bucket, count(*) AS finished, count(*) FILTER (WHERE f.error) AS errors
FROM holdfast.queue_finished f
WHERE f.tenant = %(tenant)s AND f.queue = %(queue)s AND f.at >= %(since)s AND f.at < %(until)s
GROUP BY place, bucket

-- name: types
-- By lane, on workflow_run_ready; the others on the indexes of what is unfinished.
SELECT l.type, ready.runs AS ready, ready.oldest, coalesce(rest.delayed, 0) AS delayed, coalesce(rest.blocked, 0) AS blocked,
       coalesce(rest.leased, 0) AS leased
FROM holdfast.workflow_lane l CROSS JOIN LATERAL (
  SELECT count(*) AS runs, min(c.run_at) AS oldest FROM (
    SELECT r.run_at FROM holdfast.workflow_run_live r
    WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
    LIMIT %(cap)s) c) ready
LEFT JOIN (
  SELECT type, count(*) FILTER (WHERE NOT blocked AND status = 'pending') AS delayed, count(*) FILTER (WHERE blocked) AS blocked,
         count(*) FILTER (WHERE status = 'leased') AS leased
  FROM (
    (SELECT r.type, r.status, r.blocked FROM holdfast.workflow_run_live r
     WHERE r.tenant = %(tenant)s AND r.status = 'pending' AND NOT r.ready AND NOT r.blocked AND r.deleted_at IS NULL LIMIT %(cap)s)
    UNION ALL
    (SELECT r.type, r.status, r.blocked FROM holdfast.workflow_run_live r
     WHERE r.tenant = %(tenant)s AND r.blocked AND r.deleted_at IS NULL LIMIT %(cap)s)
    UNION ALL
    (SELECT r.type, r.status, r.blocked FROM holdfast.workflow_run_live r
     WHERE r.tenant = %(tenant)s AND r.status = 'leased' LIMIT %(cap)s)) unfinished
  GROUP BY type) rest ON rest.type = l.type
WHERE l.tenant = %(tenant)s
ORDER BY l.type
LIMIT %(limit)s

-- name: workers
SELECT worker_id, name, types, prefixes, seen_at, alive FROM holdfast.running_workers(coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: in_hand
-- What is being done in this tenant, and by whom: on the indexes of what is leased.
(SELECT 'runs' AS queue, r.id, r.type AS what, r.leased_by AS worker, r.updated_at AS since, r.lease_until
 FROM holdfast.workflow_run_live r WHERE r.tenant = %(tenant)s AND r.status = 'leased' LIMIT %(limit)s)
UNION ALL
(SELECT 'engine', o.id, o.event_type, o.leased_by, NULL, o.lease_until
 FROM holdfast.workflow_events_outbox o WHERE o.tenant = %(tenant)s AND o.status = 'processing' LIMIT %(limit)s)
UNION ALL
(SELECT 'effects', e.id, e.effect_type, e.leased_by, NULL, e.lease_until
 FROM holdfast.workflow_side_effects_outbox e WHERE e.tenant = %(tenant)s AND e.status = 'processing' LIMIT %(limit)s)
UNION ALL
(SELECT 'outbox', NULL, l.aggregate_type || '/' || l.aggregate_id, l.leased_by, NULL, l.lease_until
 FROM holdfast.outbox_lane l WHERE l.tenant = %(tenant)s AND l.lease_until IS NOT NULL LIMIT %(limit)s)

-- name: failed_runs
-- The latest that nobody took up again, on workflow_run_done_failed.
SELECT id, type AS what, last_error AS error, error ->> 'code' AS code, finished_at AS at, NULL::uuid AS instance_id
FROM holdfast.workflow_run_done
WHERE tenant = %(tenant)s AND status = 'failed' AND deleted_at IS NULL AND retried_as IS NULL
  AND finished_at > coalesce(%(now)s::timestamptz, now()) - make_interval(hours => %(hours)s)
ORDER BY id DESC LIMIT %(limit)s

-- name: dead_events
-- On workflow_events_outbox_dead.
SELECT id, event_type AS what, error, NULL::text AS code, next_retry_at AS at, instance_id FROM holdfast.workflow_events_outbox
WHERE tenant = %(tenant)s AND status = 'dead_letter'
  AND next_retry_at > coalesce(%(now)s::timestamptz, now()) - make_interval(hours => %(hours)s)
ORDER BY created_at DESC LIMIT %(limit)s

-- name: dead_effects
-- On workflow_side_effects_outbox_dead.
SELECT id, effect_type AS what, error, NULL::text AS code, next_retry_at AS at, instance_id FROM holdfast.workflow_side_effects_outbox
WHERE tenant = %(tenant)s AND status = 'dead_letter'
  AND next_retry_at > coalesce(%(now)s::timestamptz, now()) - make_interval(hours => %(hours)s)
ORDER BY created_at DESC LIMIT %(limit)s

-- name: dead_outbox
-- On outbox_event_dead.
SELECT id, event_type AS what, last_error AS error, NULL::text AS code, created_at AS at, NULL::uuid AS instance_id
FROM holdfast.outbox_event_live
WHERE tenant = %(tenant)s AND status = 'dead' ORDER BY id DESC LIMIT %(limit)s

-- name: failed_sessions
-- On workflow_sessions_completed_at_idx.
SELECT id, workflow_name AS what, error_message AS error, NULL::text AS code, completed_at AS at, NULL::uuid AS instance_id
FROM holdfast.workflow_sessions
WHERE tenant = %(tenant)s AND status = 'failed'
  AND completed_at > coalesce(%(now)s::timestamptz, now()) - make_interval(hours => %(hours)s)
ORDER BY completed_at DESC LIMIT %(limit)s

-- name: match_runs
-- By id, that is oldest first, on the primary keys; failed ones on workflow_run_done_failed.
SELECT id FROM holdfast.workflow_run
WHERE tenant = %(tenant)s AND (%(after)s::uuid IS NULL OR id > %(after)s)
  AND (%(ids)s::uuid[] IS NULL OR id = ANY (%(ids)s))
  AND (%(statuses)s::text[] IS NULL OR status = ANY (%(statuses)s))
  AND (%(type)s::text IS NULL OR type = %(type)s)
  AND (%(prefix)s::text IS NULL OR starts_with(type, %(prefix)s))
  AND (%(key)s::text IS NULL OR idempotency_key = %(key)s)
  AND (%(error)s::text IS NULL OR position(lower(%(error)s) IN lower(last_error)) > 0)
  AND (%(payload)s::jsonb IS NULL OR payload @> %(payload)s::jsonb)
  AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
  AND created_at < coalesce(%(until)s::timestamptz, 'infinity') AND created_at <= %(before)s
  AND (%(deleted)s::boolean OR deleted_at IS NULL) AND (NOT %(once)s::boolean OR retried_as IS NULL)
ORDER BY id
LIMIT %(limit)s

-- name: match_engine
-- On workflow_events_outbox_dead.
SELECT id FROM holdfast.workflow_events_outbox
WHERE tenant = %(tenant)s AND status = 'dead_letter' AND (%(after)s::uuid IS NULL OR id > %(after)s)
  AND (%(ids)s::uuid[] IS NULL OR id = ANY (%(ids)s))
  AND (%(type)s::text IS NULL OR event_type = %(type)s)
  AND (%(instance_id)s::uuid IS NULL OR instance_id = %(instance_id)s)
  AND (%(error)s::text IS NULL OR position(lower(%(error)s) IN lower(error)) > 0)
  AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
  AND created_at < coalesce(%(until)s::timestamptz, 'infinity') AND created_at <= %(before)s
ORDER BY id
LIMIT %(limit)s

-- name: match_effects
-- On workflow_side_effects_outbox_dead.
SELECT id FROM holdfast.workflow_side_effects_outbox
WHERE tenant = %(tenant)s AND status = 'dead_letter' AND (%(after)s::uuid IS NULL OR id > %(after)s)
  AND (%(ids)s::uuid[] IS NULL OR id = ANY (%(ids)s))
  AND (%(type)s::text IS NULL OR effect_type = %(type)s)
  AND (%(instance_id)s::uuid IS NULL OR instance_id = %(instance_id)s)
  AND (%(error)s::text IS NULL OR position(lower(%(error)s) IN lower(error)) > 0)
  AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
  AND created_at < coalesce(%(until)s::timestamptz, 'infinity') AND created_at <= %(before)s
ORDER BY id
LIMIT %(limit)s

-- name: match_outbox
-- On outbox_event_dead.
SELECT id FROM holdfast.outbox_event_live
WHERE tenant = %(tenant)s AND status = 'dead' AND (%(after)s::uuid IS NULL OR id > %(after)s)
  AND (%(ids)s::uuid[] IS NULL OR id = ANY (%(ids)s))
  AND (%(type)s::text IS NULL OR event_type = %(type)s)
  AND (%(error)s::text IS NULL OR position(lower(%(error)s) IN lower(last_error)) > 0)
  AND (%(since)s::timestamptz IS NULL OR created_at >= %(since)s)
  AND created_at < coalesce(%(until)s::timestamptz, 'infinity') AND created_at <= %(before)s
ORDER BY id
LIMIT %(limit)s

-- name: roll_up
SELECT holdfast.roll_up_queues(%(cap)s::int, coalesce(%(now)s::timestamptz, now())) AS minutes

-- name: drop_minutes
SELECT holdfast.drop_minutes(coalesce(%(now)s::timestamptz, now()) - interval '26 hours')
