-- Keys. Writing is done by functions; the `_for` twins are whole transactions in one statement, for
-- trusted code that has nothing else to write: enter_tenant() comes first because what follows depends on its answer.

-- name: get
-- On workflow_data_store_key (tenant, namespace, key).
SELECT key, value::text AS value, value_type, revision, expires_at, created_by_run_id, created_at, updated_at
FROM holdfast.workflow_data_store
WHERE tenant = %(tenant)s AND namespace = %(namespace)s AND key = %(key)s
  AND (expires_at IS NULL OR expires_at > coalesce(%(now)s::timestamptz, now()))

-- name: get_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own
CROSS JOIN LATERAL holdfast.data_get(own, %(namespace)s::text, %(key)s::text, coalesce(%(now)s::timestamptz, now())) d

-- name: get_many
-- On workflow_data_store_key (tenant, namespace, key).
SELECT key, value::text AS value, value_type, revision, expires_at, created_by_run_id, created_at, updated_at
FROM holdfast.workflow_data_store
WHERE tenant = %(tenant)s AND namespace = %(namespace)s AND key = ANY (%(keys)s::text[])
  AND (expires_at IS NULL OR expires_at > coalesce(%(now)s::timestamptz, now()))

-- name: set
SELECT * FROM holdfast.data_set(
  %(tenant)s::uuid, %(namespace)s::text, %(key)s::text, %(id)s::uuid, %(value)s::text, %(value_type)s::text,
  %(ttl)s::interval, %(if_revision)s::bigint, %(checked)s::bigint, %(actor)s::text, %(origin)s::jsonb, %(step)s::text,
  coalesce(%(now)s::timestamptz, now()))

-- name: set_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own CROSS JOIN LATERAL holdfast.data_set(
  own, %(namespace)s::text, %(key)s::text, %(id)s::uuid, %(value)s::text, %(value_type)s::text,
  %(ttl)s::interval, %(if_revision)s::bigint, %(checked)s::bigint, %(actor)s::text, %(origin)s::jsonb, %(step)s::text,
  coalesce(%(now)s::timestamptz, now())) d

-- name: set_many
SELECT * FROM holdfast.data_set_many(
  %(tenant)s::uuid, %(namespace)s::text, %(keys)s::text[], %(ids)s::uuid[], %(values)s::text[], %(value_types)s::text[],
  %(ttls)s::interval[], %(if_revisions)s::bigint[], %(checked)s::bigint, %(actor)s::text, %(origin)s::jsonb,
  %(step)s::text, coalesce(%(now)s::timestamptz, now()))

-- name: set_many_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own CROSS JOIN LATERAL holdfast.data_set_many(
  own, %(namespace)s::text, %(keys)s::text[], %(ids)s::uuid[], %(values)s::text[], %(value_types)s::text[],
  %(ttls)s::interval[], %(if_revisions)s::bigint[], %(checked)s::bigint, %(actor)s::text, %(origin)s::jsonb,
  %(step)s::text, coalesce(%(now)s::timestamptz, now())) d

-- name: increment
SELECT * FROM holdfast.data_increment(
  %(tenant)s::uuid, %(namespace)s::text, %(key)s::text, %(id)s::uuid, %(by)s::numeric, %(initial)s::numeric,
  %(ttl)s::interval, %(checked)s::bigint, %(allowed)s::numeric, %(actor)s::text, %(origin)s::jsonb, %(step)s::text,
  coalesce(%(now)s::timestamptz, now()))

-- name: increment_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own CROSS JOIN LATERAL holdfast.data_increment(
  own, %(namespace)s::text, %(key)s::text, %(id)s::uuid, %(by)s::numeric, %(initial)s::numeric,
  %(ttl)s::interval, %(checked)s::bigint, %(allowed)s::numeric, %(actor)s::text, %(origin)s::jsonb, %(step)s::text,
  coalesce(%(now)s::timestamptz, now())) d

-- name: delete
SELECT * FROM holdfast.data_delete(
  %(tenant)s::uuid, %(namespace)s::text, %(keys)s::text[], %(if_revision)s::bigint, %(actor)s::text, %(origin)s::jsonb,
  %(step)s::text, coalesce(%(now)s::timestamptz, now()))

-- name: delete_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own CROSS JOIN LATERAL holdfast.data_delete(
  own, %(namespace)s::text, %(keys)s::text[], %(if_revision)s::bigint, %(actor)s::text, %(origin)s::jsonb,
  %(step)s::text, coalesce(%(now)s::timestamptz, now())) d

-- name: list
-- A range of workflow_data_store_key (tenant, namespace, key), bytewise ("C"): a prefix is a range, every character is
-- itself.
SELECT key, value::text AS value, value_type, revision, expires_at, created_by_run_id, created_at, updated_at
FROM holdfast.workflow_data_store
WHERE tenant = %(tenant)s AND namespace = %(namespace)s
  AND key >= %(low)s::text AND key < %(high)s::text AND key > %(after)s::text
  AND (expires_at IS NULL OR expires_at > coalesce(%(now)s::timestamptz, now()))
ORDER BY key
LIMIT %(limit)s

-- name: list_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own CROSS JOIN LATERAL holdfast.data_list(
  own, %(namespace)s::text, %(low)s::text, %(high)s::text, %(after)s::text, %(limit)s::int,
  coalesce(%(now)s::timestamptz, now())) d

-- name: store_id
-- On workflow_data_store_key.
SELECT store_id FROM holdfast.workflow_data_store
WHERE tenant = %(tenant)s AND namespace = %(namespace)s AND key = %(key)s
  AND (expires_at IS NULL OR expires_at > coalesce(%(now)s::timestamptz, now()))

-- name: namespaces
-- From one namespace to the next on workflow_data_store_key; each one's keys are counted on it.
WITH RECURSIVE found AS (
  (SELECT namespace FROM holdfast.workflow_data_store
   WHERE tenant = %(tenant)s AND namespace > %(after)s ORDER BY namespace LIMIT 1)
  UNION ALL
  SELECT (SELECT s.namespace FROM holdfast.workflow_data_store s
          WHERE s.tenant = %(tenant)s AND s.namespace > f.namespace ORDER BY s.namespace LIMIT 1)
  FROM found f WHERE f.namespace IS NOT NULL
), counted AS (
  SELECT f.namespace, (SELECT count(*) FROM holdfast.workflow_data_store s
                       WHERE s.tenant = %(tenant)s AND s.namespace = f.namespace
                         AND (s.expires_at IS NULL OR s.expires_at > coalesce(%(now)s::timestamptz, now()))) AS keys
  FROM found f WHERE f.namespace IS NOT NULL
)
SELECT namespace, keys FROM counted WHERE keys > 0 LIMIT %(limit)s

-- name: namespace_names
-- Names only, for suggestions: one index probe each, and one for a key that is still there.
WITH RECURSIVE found AS (
  (SELECT namespace FROM holdfast.workflow_data_store
   WHERE tenant = %(tenant)s AND namespace >= %(low)s::text AND namespace < %(high)s::text
   ORDER BY namespace LIMIT 1)
  UNION ALL
  SELECT (SELECT s.namespace FROM holdfast.workflow_data_store s
          WHERE s.tenant = %(tenant)s AND s.namespace > f.namespace AND s.namespace < %(high)s::text
          ORDER BY s.namespace LIMIT 1)
  FROM found f WHERE f.namespace IS NOT NULL
)
SELECT f.namespace FROM found f
WHERE EXISTS (SELECT FROM holdfast.workflow_data_store s
              WHERE s.tenant = %(tenant)s AND s.namespace = f.namespace
                AND (s.expires_at IS NULL OR s.expires_at > coalesce(%(now)s::timestamptz, now())))
LIMIT %(limit)s

-- name: sweep
SELECT holdfast.data_sweep(
  %(tenant)s::uuid, %(limit)s::int, %(actor)s::text, coalesce(%(now)s::timestamptz, now())) AS swept

-- name: tidy
SELECT holdfast.data_tidy(%(limit)s::int, %(recount)s::boolean, coalesce(%(now)s::timestamptz, now())) AS swept

-- name: drop_changes
SELECT holdfast.drop_partitions(
  'workflow_data_change', coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int),
  coalesce(%(now)s::timestamptz, now())) AS partition

-- name: configure
SELECT holdfast.data_configure(
  %(tenant)s::uuid, %(namespace)s::text, %(id)s::uuid, %(schema)s::text, %(max_keys)s::bigint, %(max_bytes)s::bigint,
  coalesce(%(now)s::timestamptz, now()))

-- name: rules
SELECT namespace, namespace_id, json_schema::text AS json_schema, schema_version, max_keys, max_bytes, keys, bytes
FROM holdfast.workflow_data_namespace WHERE tenant = %(tenant)s AND namespace = %(namespace)s

-- name: snapshot
-- Where the changes are now: which transactions this moment can see, when it is, in which database, and which months of
-- changes are gone.
SELECT pg_current_snapshot()::text AS snapshot, pg_current_xact_id_if_assigned()::text AS own, coalesce(%(now)s::timestamptz, now()) AS at,
       (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())::bigint AS origin,
       (SELECT max(month + interval '1 month') AT TIME ZONE 'UTC' FROM holdfast.partition_drop
        WHERE branch = 'workflow_data_change') AS dropped_until
WHERE %(tenant)s::uuid IS NOT NULL

-- name: changes
-- What transactions wrote that `since` could not see, and `upto` can: on workflow_data_change_xid, for who is up to date or
-- begins to catch up. Materialised, or the planner would rather read all there is in the order it is wanted. The value is
-- that of the key as long as no later change has replaced it.
WITH fresh AS MATERIALIZED (
  SELECT id, key, op, revision, created_at FROM holdfast.workflow_data_change
  WHERE tenant = %(tenant)s AND namespace = %(namespace)s
    AND xid >= pg_snapshot_xmin(%(since)s::pg_snapshot)
    AND NOT pg_visible_in_snapshot(xid, %(since)s::pg_snapshot)
    AND pg_visible_in_snapshot(xid, %(upto)s::pg_snapshot)
    AND id > %(after)s
    AND (revision > %(above)s OR (NOT pg_visible_in_snapshot(xid, %(seen)s::pg_snapshot) AND xid <> %(by)s::xid8))
), page AS (
  SELECT * FROM fresh ORDER BY id LIMIT %(limit)s
)
SELECT c.id, c.key, c.op, c.revision, c.created_at, s.value::text AS value
FROM page c LEFT JOIN holdfast.workflow_data_store s
  ON s.tenant = %(tenant)s AND s.namespace = %(namespace)s AND s.key = c.key AND s.revision = c.revision AND c.op = 'set'
  AND (s.expires_at IS NULL OR s.expires_at > coalesce(%(now)s::timestamptz, now()))
ORDER BY c.id

-- name: more_changes
-- The same in the midst of much: on the primary key (tenant, namespace, id), from the last one on.
WITH page AS (
  SELECT id, key, op, revision, created_at FROM holdfast.workflow_data_change
  WHERE tenant = %(tenant)s AND namespace = %(namespace)s AND id > %(after)s
    AND NOT pg_visible_in_snapshot(xid, %(since)s::pg_snapshot)
    AND pg_visible_in_snapshot(xid, %(upto)s::pg_snapshot)
    AND (revision > %(above)s OR (NOT pg_visible_in_snapshot(xid, %(seen)s::pg_snapshot) AND xid <> %(by)s::xid8))
  ORDER BY id LIMIT %(limit)s
)
SELECT c.id, c.key, c.op, c.revision, c.created_at, s.value::text AS value
FROM page c LEFT JOIN holdfast.workflow_data_store s
  ON s.tenant = %(tenant)s AND s.namespace = %(namespace)s AND s.key = c.key AND s.revision = c.revision AND c.op = 'set'
  AND (s.expires_at IS NULL OR s.expires_at > coalesce(%(now)s::timestamptz, now()))
ORDER BY c.id

-- name: known_until
-- Read once when following begins with a revision: the first one that is kept and, of the change that has it or is the last
-- before it, its transaction and those that were over by then.
SELECT (SELECT min(revision) FROM holdfast.workflow_data_change
        WHERE tenant = %(tenant)s AND namespace = %(namespace)s) AS oldest, last.revision, last.xid, last.seen
FROM (SELECT 1) always LEFT JOIN LATERAL (
  SELECT revision, xid::text AS xid, seen::text AS seen FROM holdfast.workflow_data_change
  WHERE tenant = %(tenant)s AND namespace = %(namespace)s AND revision <= %(revision)s
  ORDER BY revision DESC LIMIT 1) last ON true

-- name: be_known_to_follow
-- Until it is said otherwise, or the connection ends: writes notify only while somebody holds it.
SELECT pg_advisory_lock_shared(hashtextextended('holdfast.data_followed', 0))

-- name: be_known_to_follow_no_more
SELECT pg_advisory_unlock_shared(hashtextextended('holdfast.data_followed', 0))

-- name: export
-- The next of all keys up to a namespace, in the order of workflow_data_store_key; so many, or as many as have so many bytes.
SELECT namespace, key, value::text AS value, value_type, revision, expires_at FROM (
  SELECT p.*, sum(p.size) OVER (ORDER BY p.namespace, p.key) - p.size AS before FROM (
    SELECT namespace, key, value, value_type, revision, expires_at, size FROM holdfast.workflow_data_store
    WHERE tenant = %(tenant)s AND namespace <= %(upto)s::text
      AND (namespace, key) > (%(after_namespace)s::text, %(after_key)s::text)
      AND (expires_at IS NULL OR expires_at > coalesce(%(now)s::timestamptz, now()))
    ORDER BY namespace, key LIMIT %(limit)s) p) page
WHERE before < %(bytes)s
ORDER BY namespace, key
