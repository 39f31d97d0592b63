-- The run queue. What workers do is in functions that look across tenants (functions/runs).

-- name: enqueue
SELECT place, run_id FROM holdfast.enqueue_runs(
  %(ids)s::uuid[], %(types)s::text[], %(payloads)s::text, %(priorities)s::int[], %(run_ats)s::timestamptz[],
  %(max_attempts)s::int[], %(keys)s::text[], %(fingerprints)s::bytea[], %(trace_parents)s::text[],
  %(concurrency_keys)s::text[], %(concurrency_limits)s::int[], %(actor)s::text, %(party)s::text,
  %(event_level)s::text, coalesce(%(now)s::timestamptz, now()))

-- name: enqueue_for
-- One statement, one round trip, one commit.
SELECT place, run_id FROM holdfast.enqueue_runs_for(
  %(tenant)s::uuid, %(ids)s::uuid[], %(types)s::text[], %(payloads)s::text, %(priorities)s::int[],
  %(run_ats)s::timestamptz[], %(max_attempts)s::int[], %(keys)s::text[], %(fingerprints)s::bytea[],
  %(trace_parents)s::text[], %(concurrency_keys)s::text[], %(concurrency_limits)s::int[], %(actor)s::text,
  %(event_level)s::text, coalesce(%(now)s::timestamptz, now()))

-- name: enqueue_one_for
SELECT holdfast.enqueue_run_for(
  %(tenant)s::uuid, %(id)s::uuid, %(type)s::text, %(payload)s::text, %(priority)s::int, %(run_at)s::timestamptz,
  %(max_attempts)s::int, %(trace_parent)s::text, %(actor)s::text, %(event_level)s::text,
  coalesce(%(now)s::timestamptz, now()))

-- name: claim_lane
-- Claims from one lane, by the index workflow_run_ready. The columns are those of a turn, which lane it was left out.
SELECT false AS lost, NULL::text AS tenant, c.id::text AS id, NULL::text AS type, c.lease_epoch, c.attempt, c.max_attempts,
       c.payload, c.trace_parent, c.concurrency_key, c.address::text AS address, c.next_mark
FROM holdfast.claim_lane(
  %(worker)s::text, %(lane_tenant)s::uuid, %(lane_type)s::text, %(quota)s::int, %(lease)s::interval, %(by_age)s::boolean,
  coalesce(%(now)s::timestamptz, now()), %(mark)s::holdfast.run_mark, %(thorough)s::boolean) c

-- name: turn_lane
-- Settles what is finished and claims from one lane in one statement and one commit.
-- Ids travel as text, and arrays as their literals: converting them would be most of what a run costs the client.
SELECT true AS lost, s.lost_tenant::text AS tenant, s.lost_id::text AS id, NULL::text AS type, NULL::bigint AS lease_epoch,
       NULL::int AS attempt, NULL::int AS max_attempts, NULL::text AS payload, NULL::text AS trace_parent,
       NULL::text AS concurrency_key, NULL::text AS address, NULL::text AS next_mark
FROM holdfast.settle_runs(
  %(worker)s::text, %(tenants)s::uuid[], %(ids)s::uuid[], %(epochs)s::bigint[], %(statuses)s::text[], %(results)s::text[],
  %(errors)s::text[], %(last_errors)s::text[], %(delays)s::interval[], %(attempts_back)s::int[], %(events)s::text[],
  %(waits)s::text[], %(keys)s::text[], %(event_level)s::text, %(publishes)s::text,
  coalesce(%(now)s::timestamptz, now()), %(addresses)s::tid[]) s
UNION ALL
SELECT false, NULL, c.id::text, NULL, c.lease_epoch, c.attempt, c.max_attempts, c.payload, c.trace_parent, c.concurrency_key,
       c.address::text, c.next_mark
FROM holdfast.claim_lane(
  %(worker)s::text, %(lane_tenant)s::uuid, %(lane_type)s::text, %(quota)s::int, %(lease)s::interval, %(by_age)s::boolean,
  coalesce(%(now)s::timestamptz, now()), %(mark)s::holdfast.run_mark, %(thorough)s::boolean) c

-- name: turn
-- The same with any number of lanes, or none; the first rows say what was lost.
SELECT true AS lost, s.lost_tenant::text AS tenant, s.lost_id::text AS id, NULL::text AS type, NULL::bigint AS lease_epoch,
       NULL::int AS attempt, NULL::int AS max_attempts, NULL::text AS payload, NULL::text AS trace_parent,
       NULL::text AS concurrency_key, NULL::text AS address, NULL::text AS next_mark
FROM holdfast.settle_runs(
  %(worker)s::text, %(tenants)s::uuid[], %(ids)s::uuid[], %(epochs)s::bigint[], %(statuses)s::text[], %(results)s::text[],
  %(errors)s::text[], %(last_errors)s::text[], %(delays)s::interval[], %(attempts_back)s::int[], %(events)s::text[],
  %(waits)s::text[], %(keys)s::text[], %(event_level)s::text, %(publishes)s::text,
  coalesce(%(now)s::timestamptz, now()), %(addresses)s::tid[]) s
UNION ALL
SELECT false, c.tenant::text, c.id::text, c.type, c.lease_epoch, c.attempt, c.max_attempts, c.payload, c.trace_parent,
       c.concurrency_key, c.address::text, c.next_mark
FROM holdfast.claim_runs(
  %(worker)s::text, %(lane_tenants)s::uuid[], %(lane_types)s::text[], %(quotas)s::int[], %(leases)s::interval[],
  %(by_age)s::boolean, %(event_level)s::text, coalesce(%(now)s::timestamptz, now()), %(threaded)s::boolean[],
  %(marks)s::holdfast.run_mark[], %(thorough)s::boolean[]) c

-- name: note_started
SELECT holdfast.note_started(
  %(worker)s::text, %(tenant)s::uuid, %(id)s::uuid, %(epoch)s::bigint, coalesce(%(now)s::timestamptz, now()))

-- name: heartbeat
SELECT tenant::text, id::text, status FROM holdfast.heartbeat_runs(
  %(tenants)s::uuid[], %(ids)s::uuid[], %(epochs)s::bigint[], %(leases)s::interval[], coalesce(%(now)s::timestamptz, now()))

-- name: record_steps
SELECT run_id::text, name FROM holdfast.record_steps(
  %(tenants)s::uuid[], %(ids)s::uuid[], %(epochs)s::bigint[], %(names)s::text[], %(results)s::text[],
  coalesce(%(now)s::timestamptz, now()))

-- name: recall_steps
SELECT name, result, age FROM holdfast.recall_steps(
  %(tenant)s::uuid, %(id)s::uuid, %(epoch)s::bigint, coalesce(%(now)s::timestamptz, now()))

-- name: await_event
SELECT state, payload, age FROM holdfast.await_event(
  %(tenant)s::uuid, %(id)s::uuid, %(epoch)s::bigint, %(step)s::text, %(key)s::text, coalesce(%(now)s::timestamptz, now()))

-- name: start_child
SELECT holdfast.start_child_run(
  %(tenant)s::uuid, %(id)s::uuid, %(epoch)s::bigint, %(step)s::text, %(child)s::uuid, %(type)s::text, %(payload)s::text,
  %(priority)s::int, %(run_at)s::timestamptz, %(max_attempts)s::int, %(concurrency_key)s::text, %(concurrency_limit)s::int,
  %(trace_parent)s::text, %(event_level)s::text, coalesce(%(now)s::timestamptz, now()))

-- name: take_rate
SELECT place, granted, extract(epoch FROM wait)::double precision AS wait FROM holdfast.take_rate(
  %(tenants)s::uuid[], %(types)s::text[], %(wanted)s::int[], %(steps)s::interval[], %(slacks)s::interval[],
  coalesce(%(now)s::timestamptz, now()))
ORDER BY place

-- name: emit
SELECT holdfast.emit_event(%(key)s::text, %(payload)s::text, %(actor)s::text, coalesce(%(now)s::timestamptz, now())) AS created
WHERE %(tenant)s::uuid IS NOT NULL

-- name: hold
SELECT held, party FROM holdfast.hold_run(%(id)s::uuid, %(epoch)s::bigint) WHERE %(tenant)s::uuid IS NOT NULL

-- name: party_of_run
-- As whom a run acts, on the primary keys of both halves.
SELECT party FROM holdfast.workflow_run WHERE tenant = %(tenant)s AND id = %(id)s

-- name: drop_events
SELECT holdfast.drop_awaited_events(coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int)) AS dropped

-- name: list_steps
SELECT name, result, created_at FROM holdfast.workflow_run_step
WHERE tenant = %(tenant)s AND run_id = %(id)s ORDER BY created_at, name

-- name: list_children
-- Those that a run started, in order. On workflow_run_children and workflow_run_done_children (tenant, parent_id).
SELECT id, type, status, attempt, max_attempts, last_error, created_at, finished_at FROM holdfast.workflow_run
WHERE tenant = %(tenant)s AND parent_id = %(id)s ORDER BY id LIMIT %(limit)s

-- name: tend
SELECT tenant::text, type, due, coalesce(%(now)s::timestamptz, now()) AS at
FROM holdfast.tend_runs(%(event_level)s::text, %(publishes)s::text, coalesce(%(now)s::timestamptz, now()))

-- name: ready_lanes
SELECT tenant::text, type, weight FROM holdfast.ready_lanes(%(prefixes)s::text[], %(types)s::text[])

-- name: announce_worker
SELECT holdfast.announce_worker(%(worker)s::uuid, %(name)s::text, %(types)s::text[], %(attempts)s::int[], %(prefixes)s::text[],
  coalesce(%(now)s::timestamptz, now()))

-- name: withdraw_worker
SELECT holdfast.withdraw_worker(%(worker)s::uuid)

-- name: handled_types
SELECT type, attempts FROM holdfast.handled_types(%(types)s::text[], coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: database_time
SELECT coalesce(%(now)s::timestamptz, now()) AS now WHERE %(tenant)s::uuid IS NOT NULL

-- name: drop_finished
SELECT holdfast.drop_finished_runs(
  coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int), coalesce(%(now)s::timestamptz, now())) AS partition

-- name: note_retried
SELECT holdfast.note_retried(%(id)s::uuid, %(made)s::uuid) WHERE %(tenant)s::uuid IS NOT NULL

-- name: get
SELECT id, type, status, priority, idempotency_key, payload, result, error, last_error, attempt, max_attempts, run_at,
       lease_until, leased_by, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at, delete_reason,
       concurrency_key, concurrency_limit,
       CASE WHEN blocked THEN 'turn:' || concurrency_key ELSE waiting_for END AS waiting_for, parent_id,
       retried_as
FROM holdfast.workflow_run WHERE tenant = %(tenant)s AND id = %(id)s

-- name: list
-- Newest first, merged from the primary keys (tenant, id) of the live branch and of each month; failed ones from workflow_run_done_failed. Ids are made
-- in the order of time, by clocks that may differ: a day on either side of a time is looked through.
SELECT id, type, status, priority, idempotency_key, payload, result, error, last_error, attempt, max_attempts, run_at,
       lease_until, leased_by, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at, delete_reason,
       concurrency_key, concurrency_limit,
       CASE WHEN blocked THEN 'turn:' || concurrency_key ELSE waiting_for END AS waiting_for, parent_id,
       retried_as
FROM holdfast.workflow_run
WHERE tenant = %(tenant)s
  AND (%(before)s::uuid IS NULL OR id < %(before)s)
  AND (%(status)s::text IS NULL OR status = %(status)s)
  AND (%(type)s::text IS NULL OR type = %(type)s)
  AND (%(prefix)s::text IS NULL OR starts_with(type, %(prefix)s))
  AND (%(key)s::text IS NULL OR idempotency_key = %(key)s)
  AND (%(error)s::text IS NULL OR position(lower(%(error)s) IN lower(last_error)) > 0)
  AND (%(payload)s::jsonb IS NULL OR payload @> %(payload)s::jsonb)
  AND (%(since)s::timestamptz IS NULL OR (created_at >= %(since)s AND id >= %(since_id)s::uuid))
  AND (%(until)s::timestamptz IS NULL OR (created_at < %(until)s AND id <= %(until_id)s::uuid))
  AND (%(deleted)s::boolean OR deleted_at IS NULL)
ORDER BY id DESC
LIMIT %(limit)s

-- name: cancel
SELECT id, was FROM holdfast.cancel_run(
  %(id)s::uuid, %(reason)s::text, %(actor)s::text, %(publishes)s::text, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: delete
SELECT holdfast.delete_run(%(id)s::uuid, %(reason)s::text, coalesce(%(now)s::timestamptz, now())) AS done
WHERE %(tenant)s::uuid IS NOT NULL

-- name: stats
SELECT type, status, count(*) AS runs, min(run_at) FILTER (WHERE status = 'pending') AS oldest
FROM holdfast.workflow_run
WHERE tenant = %(tenant)s AND deleted_at IS NULL AND (NOT done OR finished_at > coalesce(%(now)s::timestamptz, now()) - interval '1 day')
GROUP BY type, status ORDER BY type, status

-- name: pause
INSERT INTO holdfast.workflow_pause (tenant, prefix, paused_by, paused_at)
VALUES (%(tenant)s, %(prefix)s, %(paused_by)s, coalesce(%(now)s::timestamptz, now())) ON CONFLICT DO NOTHING

-- name: resume
DELETE FROM holdfast.workflow_pause WHERE tenant = %(tenant)s AND prefix = %(prefix)s

-- name: pauses
SELECT prefix, paused_at, paused_by FROM holdfast.workflow_pause WHERE tenant = %(tenant)s ORDER BY prefix

-- name: notify_lanes
SELECT pg_notify('holdfast_runs', tenant || ':' || type) FROM holdfast.workflow_lane
WHERE tenant = %(tenant)s AND starts_with(type, %(prefix)s)
