-- Documents of one tenant. Every write is one statement: the row, its snapshot, the audit event and the outbox event
-- stand or fall together, and cost one round trip.

-- name: hold_document
-- Holds the document's process and then its row, see holdfast.hold_document.
SELECT * FROM holdfast.hold_document(%(id)s)

-- name: get_document
-- On the primary key; amended_to_id on the unique key (tenant, amended_from_id).
SELECT e.id, e.entity_type, e.doc_status, e.entity_version, e.contract_version, e.data::text AS data, e.content_hash,
       e.version_id, e.amended_from_id, e.created_at, e.created_by, e.updated_at, e.updated_by, e.deleted_at,
       (SELECT a.id FROM holdfast.entities a WHERE a.tenant = e.tenant AND a.amended_from_id = e.id) AS amended_to_id
FROM holdfast.entities e
WHERE e.tenant = %(tenant)s AND e.id = %(id)s

-- name: stored_types
-- The document types a tenant has a skeleton of, on workflow_definitions_status (tenant, entity_type, …).
SELECT DISTINCT d.entity_type FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.definition_kind = 'envelope' AND NOT d.automation

-- name: contract_of_document
SELECT e.contract_version FROM holdfast.entities e
WHERE e.tenant = %(tenant)s AND e.id = %(id)s AND e.entity_type = %(entity_type)s

-- name: list_documents
-- Newest first: ids are made in the order of time. On entities_type; the bound is one, whether or not there is a cursor, so
-- that every plan can use it.
SELECT e.id, e.entity_type, e.doc_status, e.entity_version, e.contract_version, e.data::text AS data, e.content_hash,
       e.version_id, e.amended_from_id, e.created_at, e.created_by, e.updated_at, e.updated_by, e.deleted_at,
       (SELECT a.id FROM holdfast.entities a WHERE a.tenant = e.tenant AND a.amended_from_id = e.id) AS amended_to_id
FROM holdfast.entities e
WHERE e.tenant = %(tenant)s AND e.entity_type = %(entity_type)s AND e.deleted_at IS NULL
  AND e.id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY e.id DESC LIMIT %(limit)s

-- name: list_documents_in_status
-- The same on entities_status.
SELECT e.id, e.entity_type, e.doc_status, e.entity_version, e.contract_version, e.data::text AS data, e.content_hash,
       e.version_id, e.amended_from_id, e.created_at, e.created_by, e.updated_at, e.updated_by, e.deleted_at,
       (SELECT a.id FROM holdfast.entities a WHERE a.tenant = e.tenant AND a.amended_from_id = e.id) AS amended_to_id
FROM holdfast.entities e
WHERE e.tenant = %(tenant)s AND e.entity_type = %(entity_type)s AND e.doc_status = %(doc_status)s AND e.deleted_at IS NULL
  AND e.id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY e.id DESC LIMIT %(limit)s

-- name: get_documents
-- Some documents, deleted ones too. On the primary key.
SELECT e.id, e.entity_type, e.doc_status, e.entity_version, e.contract_version, e.data::text AS data, e.content_hash,
       e.version_id, e.amended_from_id, e.created_at, e.created_by, e.updated_at, e.updated_by, e.deleted_at,
       NULL::uuid AS amended_to_id
FROM holdfast.entities e
WHERE e.tenant = %(tenant)s AND e.id = ANY (%(ids)s::uuid[])

-- name: documents_of_instances
-- On the primary key.
SELECT i.id, i.entity_type, i.entity_id AS document_id, i.created_by
FROM holdfast.workflow_instances i WHERE i.tenant = %(tenant)s AND i.id = ANY (%(ids)s::uuid[])

-- name: list_involved
-- Documents of a type that somebody made or is asked about, newest first: for each name they go by the newest, on the primary
-- key of entity_readers. Each branch names a document once, so that a page that is full is known to be. Documents are looked
-- up in subqueries of their own: joined, they would tempt the planner to begin with all of them.
WITH found AS (
  SELECT DISTINCT x.entity_id FROM holdfast.reader_names(
    %(tenant)s, %(me)s, %(roles)s::text[], %(may_approve)s::boolean, coalesce(%(now)s::timestamptz, now())) n
  CROSS JOIN LATERAL (
    SELECT DISTINCT r.entity_id FROM holdfast.entity_readers r
    WHERE r.tenant = %(tenant)s AND r.principal = n.principal AND r.entity_type = %(entity_type)s
      AND r.entity_id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
      AND (SELECT r.version IN (0, e.entity_version) AND e.deleted_at IS NULL
                  AND (%(doc_status)s::text IS NULL OR e.doc_status = %(doc_status)s)
           FROM holdfast.entities e WHERE e.tenant = r.tenant AND e.id = r.entity_id)
      AND CASE WHEN r.source = r.entity_id THEN %(made)s::boolean AND NOT n.delegated
               ELSE %(asked)s::boolean AND (NOT n.delegated OR EXISTS (
                 SELECT FROM holdfast.approval_requests q
                 WHERE q.tenant = r.tenant AND q.id = r.source AND q.may_delegate AND q.requester IS DISTINCT FROM %(me)s
                   AND (n.only_type IS NULL OR q.entity_type = n.only_type))) END
    ORDER BY r.entity_id DESC LIMIT %(limit)s) x
)
SELECT e.* FROM (SELECT entity_id FROM found ORDER BY entity_id DESC LIMIT %(limit)s) f
CROSS JOIN LATERAL (
  SELECT e.id, e.entity_type, e.doc_status, e.entity_version, e.contract_version, e.data::text AS data, e.content_hash,
         e.version_id, e.amended_from_id, e.created_at, e.created_by, e.updated_at, e.updated_by, e.deleted_at,
         (SELECT a.id FROM holdfast.entities a WHERE a.tenant = e.tenant AND a.amended_from_id = e.id) AS amended_to_id
  FROM holdfast.entities e WHERE e.tenant = %(tenant)s AND e.id = f.entity_id LIMIT 1) e
ORDER BY f.entity_id DESC

-- name: involved
-- Which versions of some documents somebody may read because they made them (0: every one) or are asked about them. One probe
-- of the primary key of entity_readers for each document and name; without OFFSET it is a join, and Postgres 15 reads the whole table for it.
SELECT r.entity_id AS document_id, array_agg(DISTINCT r.version) AS versions
FROM unnest(%(types)s::text[], %(ids)s::uuid[]) w (entity_type, id)
CROSS JOIN holdfast.reader_names(
  %(tenant)s, %(me)s, %(roles)s::text[], %(may_approve)s::boolean, coalesce(%(now)s::timestamptz, now())) n
CROSS JOIN LATERAL (
  SELECT e.tenant, e.entity_id, e.source, e.version FROM holdfast.entity_readers e
  WHERE e.tenant = %(tenant)s AND e.principal = n.principal AND e.entity_type = w.entity_type AND e.entity_id = w.id
  OFFSET 0) r
WHERE CASE WHEN r.source = r.entity_id THEN %(made)s::boolean AND NOT n.delegated
           ELSE %(asked)s::boolean AND (NOT n.delegated OR EXISTS (
             SELECT FROM holdfast.approval_requests q
             WHERE q.tenant = r.tenant AND q.id = r.source AND q.may_delegate AND q.requester IS DISTINCT FROM %(me)s
               AND (n.only_type IS NULL OR q.entity_type = n.only_type))) END
GROUP BY r.entity_id

-- name: get_version
-- On the unique key (tenant, entity_id, version).
SELECT v.id, v.entity_id AS document_id, v.version, v.contract_version, v.doc_status, v.data::text AS data, v.content_hash,
       v.changed_fields, v.instance_id, v.created_at, v.created_by
FROM holdfast.entity_versions v
WHERE v.tenant = %(tenant)s AND v.entity_id = %(document_id)s AND v.version = %(version)s

-- name: list_versions
-- On the unique key (tenant, entity_id, version).
SELECT v.id, v.entity_id AS document_id, v.version, v.contract_version, v.doc_status, v.data::text AS data, v.content_hash,
       v.changed_fields, v.instance_id, v.created_at, v.created_by
FROM holdfast.entity_versions v
WHERE v.tenant = %(tenant)s AND v.entity_id = %(document_id)s AND v.version < coalesce(%(before)s::integer, 2147483647)
  AND (%(seen)s::integer[] IS NULL OR v.version = ANY (%(seen)s::integer[]))
ORDER BY v.version DESC LIMIT %(limit)s

-- name: changed_between
-- Which of some fields differ between two versions. On the unique key (tenant, entity_id, version).
SELECT n.name
FROM holdfast.entity_versions a
JOIN holdfast.entity_versions b ON b.tenant = a.tenant AND b.entity_id = a.entity_id AND b.version = %(other)s
CROSS JOIN unnest(%(names)s::text[]) n (name)
WHERE a.tenant = %(tenant)s AND a.entity_id = %(document_id)s AND a.version = %(one)s
  AND a.data -> n.name IS DISTINCT FROM b.data -> n.name

-- name: insert_document
-- The references between row and snapshot are checked at the end of the transaction.
WITH moment AS (
  SELECT coalesce(%(now)s::timestamptz, now()) AS at
), made AS (
  INSERT INTO holdfast.entities
    (tenant, id, entity_type, doc_status, entity_version, contract_version, data, content_hash, version_id,
     amended_from_id, created_at, created_by, updated_at, updated_by)
  SELECT %(tenant)s, %(id)s, %(entity_type)s, %(doc_status)s, 1, %(contract_version)s, %(data)s::jsonb, %(content_hash)s,
         %(version_id)s, %(amended_from_id)s, at, %(actor)s, at, %(actor)s FROM moment
), snapshot AS (
  INSERT INTO holdfast.entity_versions
    (tenant, id, entity_id, version, contract_version, doc_status, data, content_hash, changed_fields, instance_id,
     created_at, created_by)
  SELECT %(tenant)s, %(version_id)s, %(id)s, 1, %(contract_version)s, %(doc_status)s, %(snapshot)s::jsonb,
         %(content_hash)s, %(changed_fields)s, %(own_instance)s, at, %(actor)s FROM moment
)
INSERT INTO holdfast.workflow_event_chained
  (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
SELECT %(tenant)s, 'document', %(id)s, 'document.created', %(actor)s, %(audit)s::jsonb, %(trace_id)s, at FROM moment
RETURNING created_at AS at

-- name: update_document
WITH moment AS (
  SELECT coalesce(%(now)s::timestamptz, now()) AS at
), changed AS (
  UPDATE holdfast.entities e
  SET entity_version = %(version)s, data = %(data)s::jsonb, content_hash = %(content_hash)s, version_id = %(version_id)s,
      updated_at = moment.at, updated_by = %(actor)s
  FROM moment WHERE e.tenant = %(tenant)s AND e.id = %(id)s
), snapshot AS (
  INSERT INTO holdfast.entity_versions
    (tenant, id, entity_id, version, contract_version, doc_status, data, content_hash, changed_fields, instance_id,
     created_at, created_by)
  SELECT %(tenant)s, %(version_id)s, %(id)s, %(version)s, %(contract_version)s, %(doc_status)s, %(snapshot)s::jsonb,
         %(content_hash)s, %(changed_fields)s, %(own_instance)s, at, %(actor)s FROM moment
)
INSERT INTO holdfast.workflow_event_chained
  (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
SELECT %(tenant)s, 'document', %(id)s, 'document.updated', %(actor)s, %(audit)s::jsonb, %(trace_id)s, at FROM moment
RETURNING created_at AS at

-- name: delete_document
WITH moment AS (
  SELECT coalesce(%(now)s::timestamptz, now()) AS at
), changed AS (
  UPDATE holdfast.entities e SET deleted_at = moment.at, updated_at = moment.at, updated_by = %(actor)s
  FROM moment WHERE e.tenant = %(tenant)s AND e.id = %(id)s
)
INSERT INTO holdfast.workflow_event_chained
  (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
SELECT %(tenant)s, 'document', %(id)s, 'document.deleted', %(actor)s, %(audit)s::jsonb, %(trace_id)s, at FROM moment
RETURNING created_at AS at

-- name: move_document
-- A move of the lifecycle changes the status, never the version; no row when the document has that status already.
WITH moment AS (
  SELECT coalesce(%(now)s::timestamptz, now()) AS at
)
SELECT m.was, m.entity_type, m.entity_version, moment.at
FROM moment, holdfast.move_documents(%(moves)s::jsonb, moment.at) m
WHERE %(tenant)s::uuid IS NOT NULL

-- name: post_events
SELECT holdfast.post_events(%(events)s::jsonb, coalesce(%(now)s::timestamptz, now())) AS posted
WHERE %(tenant)s::uuid IS NOT NULL

-- name: active_rules
-- On workflow_rules_type, in the order they are applied.
SELECT r.id, r.name, r.entity_type, r.timing, r.operations, r.condition, r.effect, r.config, r.priority, r.enabled,
       r.created_at, r.created_by
FROM holdfast.workflow_rules r
WHERE r.tenant = %(tenant)s AND r.entity_type = %(entity_type)s AND r.enabled AND r.operations && %(operations)s::text[]
ORDER BY r.timing, r.priority, r.name

-- name: list_rules
SELECT r.id, r.name, r.entity_type, r.timing, r.operations, r.condition, r.effect, r.config, r.priority, r.enabled,
       r.created_at, r.created_by
FROM holdfast.workflow_rules r
WHERE r.tenant = %(tenant)s AND (%(entity_type)s::text IS NULL OR r.entity_type = %(entity_type)s)
  AND (%(name)s::text IS NULL OR r.name = %(name)s)
ORDER BY r.entity_type, r.timing, r.priority, r.name

-- name: offer_steps_of_rule
-- Steps that waited for somebody who knows the rule: from now on everybody does.
SELECT holdfast.offer_events(NULL, 'rule:' || %(name)s::text, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: put_rule
INSERT INTO holdfast.workflow_rules
  (tenant, id, name, entity_type, timing, operations, condition, effect, config, priority, enabled, created_by)
VALUES (%(tenant)s, %(id)s, %(name)s, %(entity_type)s, %(timing)s, %(operations)s, %(condition)s, %(effect)s,
        %(config)s::jsonb, %(priority)s, %(enabled)s, %(actor)s)
ON CONFLICT (tenant, name) DO UPDATE
SET timing = excluded.timing, operations = excluded.operations, condition = excluded.condition, effect = excluded.effect,
    config = excluded.config, priority = excluded.priority, enabled = excluded.enabled
WHERE holdfast.workflow_rules.entity_type = excluded.entity_type

-- name: delete_rule
DELETE FROM holdfast.workflow_rules r WHERE r.tenant = %(tenant)s AND r.name = %(name)s

-- name: record_execution
INSERT INTO holdfast.workflow_executions
  (tenant, created_at, id, rule_id, rule_name, entity_id, entity_version, operation, matched, evidence, actor)
VALUES (%(tenant)s, coalesce(%(now)s::timestamptz, now()), %(id)s, %(rule_id)s, %(rule_name)s, %(document_id)s,
        %(entity_version)s, %(operation)s, %(matched)s, %(evidence)s::jsonb, %(actor)s)

-- name: list_executions
-- On workflow_executions_entity.
SELECT x.id, x.rule_id, x.rule_name, x.entity_id AS document_id, x.entity_version, x.operation, x.matched, x.evidence, x.actor,
       x.created_at
FROM holdfast.workflow_executions x
WHERE x.tenant = %(tenant)s AND x.entity_id = %(document_id)s
ORDER BY x.created_at DESC, x.id DESC LIMIT %(limit)s

-- name: database_time
SELECT coalesce(%(now)s::timestamptz, now()) AS now

-- name: lock_key
-- Those who use one key at once wait for each other.
SELECT pg_advisory_xact_lock(hashtextextended('holdfast.document:' || %(version_id)s, 0))

-- name: made_with_key
-- The first version of a keyed document has an id that follows from the key. On the primary key.
SELECT v.entity_id AS document_id, v.content_hash FROM holdfast.entity_versions v WHERE v.tenant = %(tenant)s AND v.id = %(version_id)s

-- name: list_views
-- On the primary key.
SELECT name, filters, created_at, updated_at FROM holdfast.document_views
WHERE tenant = %(tenant)s AND owner = %(me)s ORDER BY name

-- name: save_view
INSERT INTO holdfast.document_views (tenant, owner, name, filters, created_at, updated_at)
VALUES (%(tenant)s, %(me)s, %(name)s, %(filters)s, coalesce(%(now)s::timestamptz, now()), coalesce(%(now)s::timestamptz, now()))
ON CONFLICT (tenant, owner, name) DO UPDATE SET filters = excluded.filters, updated_at = excluded.updated_at

-- name: delete_view
DELETE FROM holdfast.document_views WHERE tenant = %(tenant)s AND owner = %(me)s AND name = %(name)s
