-- What monitoring asks. All look across tenants, through the indexes of what is unfinished.

-- name: queue_depths
SELECT slug, type, state, runs, oldest FROM holdfast.queue_depths(%(cap)s::int, coalesce(%(now)s::timestamptz, now()))

-- name: schedule_delay
SELECT holdfast.schedule_delay(coalesce(%(now)s::timestamptz, now())) AS seconds

-- name: outbox_depths
SELECT slug, pending, dead, oldest FROM holdfast.outbox_depths(%(cap)s::int, coalesce(%(now)s::timestamptz, now()))

-- name: work_figures
SELECT slug, work, state, many, late FROM holdfast.work_figures(%(cap)s::int, coalesce(%(now)s::timestamptz, now()))
