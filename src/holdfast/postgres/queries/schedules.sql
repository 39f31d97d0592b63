-- Schedules of one tenant, and what is due in all of them.

-- name: database_time
SELECT coalesce(%(now)s::timestamptz, now()) AS now WHERE %(tenant)s::uuid IS NOT NULL

-- name: create_schedule
INSERT INTO holdfast.workflow_schedule
  (tenant, id, name, description, type, payload, cron, timezone, priority, max_attempts, missed, missed_limit, overlap,
   starts_at, ends_at, paused_at, paused_by, next_fire_at, created_by, party, created_at, updated_at)
VALUES
  (%(tenant)s, %(id)s, %(name)s, %(description)s, %(type)s, %(payload)s::jsonb, %(cron)s, %(timezone)s, %(priority)s,
   %(max_attempts)s, %(missed)s, %(missed_limit)s, %(overlap)s, %(starts_at)s, %(ends_at)s, %(paused_at)s, %(paused_by)s,
   %(next_fire_at)s, %(created_by)s, %(party)s::jsonb, coalesce(%(now)s::timestamptz, now()),
   coalesce(%(now)s::timestamptz, now()))
ON CONFLICT (tenant, name) DO NOTHING

-- name: change_schedule
UPDATE holdfast.workflow_schedule
SET description = %(description)s, type = %(type)s, payload = %(payload)s::jsonb, cron = %(cron)s,
    timezone = %(timezone)s, priority = %(priority)s, max_attempts = %(max_attempts)s, missed = %(missed)s,
    missed_limit = %(missed_limit)s, overlap = %(overlap)s, starts_at = %(starts_at)s, ends_at = %(ends_at)s,
    paused_at = %(paused_at)s, paused_by = %(paused_by)s, next_fire_at = %(next_fire_at)s, last_error = NULL,
    updated_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: change_party
-- Whoever says what is enqueued, or when, says it for themselves.
UPDATE holdfast.workflow_schedule SET party = %(party)s::jsonb WHERE tenant = %(tenant)s AND id = %(id)s

-- name: delete_schedule
DELETE FROM holdfast.workflow_schedule WHERE tenant = %(tenant)s AND name = %(name)s RETURNING id

-- name: get_schedule
-- On workflow_schedule (tenant, name).
SELECT id, name, description, type, payload, cron, timezone, priority, max_attempts, missed, missed_limit, overlap,
       starts_at, ends_at, paused_at, paused_by, next_fire_at, last_fire_at, last_run_id, last_error, created_by,
       created_at, updated_at
FROM holdfast.workflow_schedule WHERE tenant = %(tenant)s AND name = %(name)s

-- name: lock_schedule
-- A change waits for the scheduler that fires it, and the other way round.
SELECT id, name, description, type, payload, cron, timezone, priority, max_attempts, missed, missed_limit, overlap,
       starts_at, ends_at, paused_at, paused_by, next_fire_at, last_fire_at, last_run_id, last_error, created_by,
       created_at, updated_at
FROM holdfast.workflow_schedule WHERE tenant = %(tenant)s AND name = %(name)s FOR UPDATE

-- name: list_schedules
-- By name, on workflow_schedule (tenant, name).
SELECT id, name, description, type, payload, cron, timezone, priority, max_attempts, missed, missed_limit, overlap,
       starts_at, ends_at, paused_at, paused_by, next_fire_at, last_fire_at, last_run_id, last_error, created_by,
       created_at, updated_at
FROM holdfast.workflow_schedule
WHERE tenant = %(tenant)s AND (%(after)s::text IS NULL OR name > %(after)s)
ORDER BY name
LIMIT %(limit)s

-- name: lock_due
-- What is due and nobody else deals with, on workflow_schedule_due (tenant, next_fire_at).
SELECT id, name, description, type, payload, cron, timezone, priority, max_attempts, missed, missed_limit, overlap,
       starts_at, ends_at, paused_at, paused_by, next_fire_at, last_fire_at, last_run_id, last_error, created_by,
       created_at, updated_at, party, coalesce(%(now)s::timestamptz, now()) AS at
FROM holdfast.workflow_schedule
WHERE tenant = %(tenant)s AND next_fire_at <= coalesce(%(now)s::timestamptz, now())
ORDER BY next_fire_at
LIMIT %(limit)s
FOR UPDATE SKIP LOCKED

-- name: party_of_schedule
SELECT party FROM holdfast.workflow_schedule WHERE tenant = %(tenant)s AND id = %(id)s

-- name: is_running
-- Only unfinished runs are in the live branch, on its primary key (tenant, id).
SELECT true AS running FROM holdfast.workflow_run WHERE tenant = %(tenant)s AND id = %(id)s AND NOT done AND deleted_at IS NULL

-- name: advance
-- greatest() leaves out what is NULL, and keeps a cursor that was set back from setting back what has fired.
UPDATE holdfast.workflow_schedule
SET next_fire_at = %(next_fire_at)s, last_fire_at = greatest(last_fire_at, %(last_fire_at)s::timestamptz),
    last_run_id = coalesce(%(last_run_id)s, last_run_id), last_error = %(last_error)s,
    updated_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: fired_by_hand
UPDATE holdfast.workflow_schedule SET last_run_id = %(run_id)s, updated_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: due
SELECT tenant, slug, name, due, coalesce(%(now)s::timestamptz, now()) AS at
FROM holdfast.due_schedules(coalesce(%(now)s::timestamptz, now()))
