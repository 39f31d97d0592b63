-- Definitions of one tenant: skeletons, patches, and what they compile to.

-- name: lock_definitions
-- One publisher a document type at a time, so that versions are counted without gaps.
SELECT pg_advisory_xact_lock(hashtextextended('holdfast.definitions:' || %(tenant)s || ':' || %(entity_type)s, 0))

-- name: current_contract
-- The version new documents follow: that of the published workflow. On workflow_definitions_current and the unique key.
SELECT (SELECT (d.base_ref ->> 'envelope_version')::integer FROM holdfast.workflow_definitions d
        WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.definition_kind = 'effective'
          AND d.status = 'published') AS followed,
       (SELECT max(d.version) FROM holdfast.workflow_definitions d
        WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.definition_kind = 'envelope') AS newest

-- name: envelope
-- On the unique key (tenant, entity_type, definition_kind, version).
SELECT d.id, d.entity_type, d.version, d.automation, d.contract_json::text AS contract, d.created_at, d.created_by
FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.definition_kind = 'envelope'
  AND (%(version)s::integer IS NULL OR d.version = %(version)s)
ORDER BY d.version DESC LIMIT 1

-- name: envelopes
-- Every skeleton of the tenant, the newest of each type first.
SELECT d.id, d.entity_type, d.version, d.automation, d.contract_json::text AS contract, d.created_at, d.created_by
FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.definition_kind = 'envelope'
  AND (%(entity_type)s::text IS NULL OR d.entity_type = %(entity_type)s)
ORDER BY d.entity_type, d.version DESC

-- name: insert_envelope
INSERT INTO holdfast.workflow_definitions
  (tenant, id, entity_type, definition_kind, version, name, status, is_default, automation, contract_json, nodes_json,
   edges_json, slots_json, created_at, created_by, updated_at, published_at, published_by)
VALUES (%(tenant)s, %(id)s, %(entity_type)s, 'envelope', %(version)s, %(name)s, 'published', true, %(automation)s,
        %(contract)s::jsonb, %(nodes)s::jsonb, %(edges)s::jsonb, %(slots)s::jsonb, coalesce(%(now)s::timestamptz, now()),
        %(actor)s, coalesce(%(now)s::timestamptz, now()), coalesce(%(now)s::timestamptz, now()), %(actor)s)

-- name: published
-- The workflow that new instances follow, on workflow_definitions_current.
SELECT d.id, d.version, d.compiled_hash, d.compiler_version, d.source_definition_id,
       (d.base_ref ->> 'envelope_version')::integer AS envelope_version
FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.definition_kind = 'effective'
  AND d.status = 'published'

-- name: compiled
SELECT d.id, d.entity_type, d.version, d.status, d.automation, d.compiled_json::text AS compiled, d.compiled_hash,
       d.compiler_version, (d.base_ref ->> 'envelope_version')::integer AS envelope_version
FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.id = %(id)s AND d.definition_kind = 'effective'

-- name: next_version
SELECT coalesce(max(d.version), 0) + 1 AS version FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.definition_kind = %(definition_kind)s

-- name: archive_published
-- The effective workflow of a type, with the patches it was compiled from unless those are being published again.
UPDATE holdfast.workflow_definitions d
SET status = 'archived', archived_at = coalesce(%(now)s::timestamptz, now()), updated_at = coalesce(%(now)s::timestamptz, now())
WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.status = 'published'
  AND d.definition_kind IN ('effective', 'org_patch') AND d.id IS DISTINCT FROM %(keep)s::uuid

-- name: insert_effective
INSERT INTO holdfast.workflow_definitions
  (tenant, id, entity_type, definition_kind, version, name, note, status, automation, base_ref, nodes_json, edges_json,
   compiled_json, compiled_hash, compiler_version, source_definition_id, created_at, created_by, updated_at, published_at,
   published_by)
VALUES (%(tenant)s, %(id)s, %(entity_type)s, 'effective', %(version)s, %(name)s, %(note)s, 'published', %(automation)s,
        %(base_ref)s::jsonb, %(nodes)s::jsonb, %(edges)s::jsonb, %(compiled)s::jsonb, %(compiled_hash)s,
        %(compiler_version)s, %(source)s, coalesce(%(now)s::timestamptz, now()), %(actor)s,
        coalesce(%(now)s::timestamptz, now()), coalesce(%(now)s::timestamptz, now()), %(actor)s)

-- name: insert_draft
INSERT INTO holdfast.workflow_definitions
  (tenant, id, entity_type, definition_kind, version, name, note, status, automation, base_ref, body_patches_json,
   created_at, created_by, updated_at, editors)
VALUES (%(tenant)s, %(id)s, %(entity_type)s, 'org_patch', %(version)s, %(name)s, %(note)s, 'draft', %(automation)s,
        %(base_ref)s::jsonb, %(patches)s::jsonb, coalesce(%(now)s::timestamptz, now()), %(actor)s,
        coalesce(%(now)s::timestamptz, now()), ARRAY[%(actor)s::text])

-- name: update_draft
-- Only the revision that the editor saw.
UPDATE holdfast.workflow_definitions d
SET body_patches_json = %(patches)s::jsonb, base_ref = %(base_ref)s::jsonb, name = %(name)s, note = %(note)s,
    revision = d.revision + 1, updated_at = coalesce(%(now)s::timestamptz, now()), proposed_at = NULL, proposed_by = NULL,
    editors = CASE WHEN %(actor)s = ANY (d.editors) THEN d.editors ELSE d.editors || %(actor)s::text END
WHERE d.tenant = %(tenant)s AND d.id = %(id)s AND d.definition_kind = 'org_patch' AND d.status = 'draft'
  AND d.revision = %(revision)s

-- name: propose_draft
-- Only as it was seen.
UPDATE holdfast.workflow_definitions d
SET proposed_at = coalesce(%(now)s::timestamptz, now()), proposed_by = %(actor)s
WHERE d.tenant = %(tenant)s AND d.id = %(id)s AND d.status = 'draft' AND d.revision = %(revision)s

-- name: publish_draft
UPDATE holdfast.workflow_definitions d
SET status = 'published', published_at = coalesce(%(now)s::timestamptz, now()), published_by = %(actor)s,
    updated_at = coalesce(%(now)s::timestamptz, now())
WHERE d.tenant = %(tenant)s AND d.id = %(id)s AND d.status = 'draft' AND d.revision = %(revision)s

-- name: delete_draft
DELETE FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.id = %(id)s AND d.definition_kind = 'org_patch' AND d.status = 'draft'

-- name: definition
SELECT d.id, d.entity_type, d.definition_kind, d.version, d.name, d.note, d.status, d.automation,
       d.base_ref, d.body_patches_json::text AS patches, d.compiled_hash, d.compiler_version, d.source_definition_id,
       d.revision, d.created_at, d.created_by, d.updated_at, d.published_at, d.published_by, d.archived_at, d.editors,
       d.proposed_at, d.proposed_by
FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.id = %(id)s

-- name: definition_of_version
-- On the unique key (tenant, entity_type, definition_kind, version).
SELECT d.id FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.definition_kind = %(definition_kind)s
  AND d.version = %(version)s

-- name: definitions
-- Newest first: ids are made in the order of time, and lead the primary key.
SELECT d.id, d.entity_type, d.definition_kind, d.version, d.name, d.note, d.status, d.automation,
       d.base_ref, NULL::text AS patches, d.compiled_hash, d.compiler_version, d.source_definition_id,
       d.revision, d.created_at, d.created_by, d.updated_at, d.published_at, d.published_by, d.archived_at, d.editors,
       d.proposed_at, d.proposed_by
FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s
  AND (%(entity_type)s::text IS NULL OR d.entity_type = %(entity_type)s)
  AND (%(definition_kind)s::text IS NULL OR d.definition_kind = %(definition_kind)s)
  AND (%(status)s::text IS NULL OR d.status = %(status)s)
  AND (%(before)s::uuid IS NULL OR d.id < %(before)s)
ORDER BY d.id DESC LIMIT %(limit)s

-- name: stale
-- Types of which another compiler made the published workflow, or one that instances still follow. The latter on
-- workflow_instances_definition (tenant, definition_id, status).
SELECT DISTINCT d.entity_type FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.definition_kind = 'effective' AND d.compiler_version <> %(compiler_version)s
  AND (d.status = 'published' OR EXISTS (
    SELECT FROM holdfast.workflow_instances i
    WHERE i.tenant = d.tenant AND i.definition_id = d.id AND i.status IN ('running', 'paused')))
ORDER BY d.entity_type

-- name: stale_and_followed
-- Archived versions that another compiler made and instances still follow, the oldest first.
SELECT d.id FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.entity_type = %(entity_type)s AND d.definition_kind = 'effective'
  AND d.status = 'archived' AND d.compiler_version <> %(compiler_version)s AND EXISTS (
    SELECT FROM holdfast.workflow_instances i
    WHERE i.tenant = d.tenant AND i.definition_id = d.id AND i.status IN ('running', 'paused'))
ORDER BY d.version

-- name: follow_recompiled
SELECT holdfast.follow_recompiled(%(old)s::uuid, %(id)s::uuid, %(actor)s, %(about)s::jsonb, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL
