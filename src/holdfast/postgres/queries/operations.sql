-- Operations: work over many things at once.

-- name: insert
INSERT INTO holdfast.workflow_operation (tenant, id, kind, input, run_id, total, party, created_by, created_at)
VALUES (%(tenant)s, %(id)s, %(kind)s, %(input)s::jsonb, %(run_id)s, %(total)s, %(party)s::jsonb, %(actor)s,
        coalesce(%(now)s::timestamptz, now()))

-- name: get
-- One whose run ended before it did has failed: nobody executes it any more.
SELECT o.id, o.kind, o.input,
       CASE WHEN o.finished_at IS NULL AND ended.id IS NOT NULL THEN 'failed' ELSE o.status END AS status,
       o.total, o.succeeded, o.skipped, o.failed, o.result,
       CASE WHEN o.finished_at IS NULL AND ended.id IS NOT NULL
            THEN coalesce('its run ended: ' || ended.last_error, 'its run ended before it did') ELSE o.error END AS error,
       o.run_id, o.created_by, o.created_at, o.started_at, coalesce(o.finished_at, ended.finished_at) AS finished_at, o.cancelled_by
FROM holdfast.workflow_operation o LEFT JOIN holdfast.workflow_run_done ended
  ON ended.tenant = o.tenant AND ended.id = o.run_id AND o.finished_at IS NULL
WHERE o.tenant = %(tenant)s AND o.id = %(id)s

-- name: list
-- Newest first, on the primary key: ids are made in the order of time.
SELECT o.id, o.kind, o.input,
       CASE WHEN o.finished_at IS NULL AND ended.id IS NOT NULL THEN 'failed' ELSE o.status END AS status,
       o.total, o.succeeded, o.skipped, o.failed, o.result,
       CASE WHEN o.finished_at IS NULL AND ended.id IS NOT NULL
            THEN coalesce('its run ended: ' || ended.last_error, 'its run ended before it did') ELSE o.error END AS error,
       o.run_id, o.created_by, o.created_at, o.started_at, coalesce(o.finished_at, ended.finished_at) AS finished_at, o.cancelled_by
FROM holdfast.workflow_operation o LEFT JOIN holdfast.workflow_run_done ended
  ON ended.tenant = o.tenant AND ended.id = o.run_id AND o.finished_at IS NULL
WHERE o.tenant = %(tenant)s AND o.kind = ANY (%(kinds)s::text[]) AND (%(before)s::uuid IS NULL OR o.id < %(before)s)
ORDER BY o.id DESC
LIMIT %(limit)s

-- name: items
-- On the primary key, or on workflow_operation_item_outcome.
SELECT seq, item, outcome, code, detail FROM holdfast.workflow_operation_item
WHERE tenant = %(tenant)s AND operation_id = %(id)s AND seq > %(after)s
  AND (%(outcome)s::text IS NULL OR outcome = %(outcome)s)
ORDER BY seq
LIMIT %(limit)s

-- name: lock
-- Whoever executes it and whoever cancels it pass here one after the other.
SELECT id, kind, input, status, total, succeeded, skipped, failed, result, error, run_id, created_by, created_at, started_at,
       finished_at, cancelled_by, position, party
FROM holdfast.workflow_operation WHERE tenant = %(tenant)s AND id = %(id)s FOR UPDATE

-- name: advance
WITH items AS (
  INSERT INTO holdfast.workflow_operation_item (tenant, operation_id, seq, item, outcome, code, detail)
  SELECT %(tenant)s, %(id)s, %(first)s + i.place - 1, i.item, i.outcome, i.code, i.detail
  FROM unnest(%(items)s::text[], %(outcomes)s::text[], %(codes)s::text[], %(details)s::text[])
    WITH ORDINALITY i (item, outcome, code, detail, place)
)
UPDATE holdfast.workflow_operation
SET status = %(status)s, position = %(position)s::jsonb, total = coalesce(%(total)s, total),
    succeeded = succeeded + %(succeeded)s, skipped = skipped + %(skipped)s, failed = failed + %(failed)s,
    result = coalesce(%(result)s::jsonb, result), error = %(error)s,
    started_at = coalesce(started_at, %(now)s::timestamptz, now()),
    finished_at = CASE WHEN %(status)s <> 'running' THEN coalesce(%(now)s::timestamptz, now()) END
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: cancel
UPDATE holdfast.workflow_operation
SET status = 'cancelled', cancelled_by = %(actor)s, finished_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND id = %(id)s AND finished_at IS NULL

-- name: drop
SELECT holdfast.drop_operations(coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int)) AS dropped
