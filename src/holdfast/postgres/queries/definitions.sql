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
   held_back_json, created_at, created_by, updated_at, editors)
VALUES (%(tenant)s, %(id)s, %(entity_type)s, 'org_patch', %(version)s, %(name)s, %(note)s, 'draft', %(automation)s,
        %(base_ref)s::jsonb, %(patches)s::jsonb, %(held_back)s::jsonb, coalesce(%(now)s::timestamptz, now()), %(actor)s,
        coalesce(%(now)s::timestamptz, now()), ARRAY[%(actor)s::text])

-- name: update_draft
-- Only the revision that the editor saw.
UPDATE holdfast.workflow_definitions d
SET body_patches_json = %(patches)s::jsonb, base_ref = %(base_ref)s::jsonb, name = %(name)s, note = %(note)s,
    held_back_json = %(held_back)s::jsonb, revision = d.revision + 1, updated_at = coalesce(%(now)s::timestamptz, now()),
    proposed_at = NULL, proposed_by = NULL,
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
  AND d.revision = %(revision)s

-- name: definition
SELECT d.id, d.entity_type, d.definition_kind, d.version, d.name, d.note, d.status, d.automation,
       d.base_ref, d.body_patches_json::text AS patches, d.held_back_json::text AS held_back, d.compiled_hash, d.compiler_version, d.source_definition_id,
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
       d.base_ref, NULL::text AS patches, NULL::text AS held_back, d.compiled_hash, d.compiler_version, d.source_definition_id,
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


-- name: names_around
-- Which of the names that patches mention there are, and of roles and chains a few more for hints. By the primary key of roles
-- and the unique keys of users, approval_chains and workflow_rules.
SELECT 'role' AS kind, role AS name, NULL::jsonb AS stages
FROM holdfast.roles WHERE tenant = %(tenant)s AND role = ANY (%(roles)s::text[])
UNION ALL
SELECT * FROM (
  SELECT 'role', role, NULL::jsonb FROM holdfast.roles
  WHERE tenant = %(tenant)s AND cardinality(%(roles)s::text[]) > 0 ORDER BY role LIMIT 100) more
UNION ALL
SELECT 'user', name, NULL FROM holdfast.users
WHERE tenant = %(tenant)s AND name = ANY (%(users)s::text[]) AND kind = 'user' AND deactivated_at IS NULL
UNION ALL
SELECT 'chain', c.name, (
  SELECT jsonb_agg(jsonb_build_object(
    'name', s.name, 'condition', s.condition, 'approvers', s.approvers, 'escalate_to', s.escalate_to) ORDER BY s.position)
  FROM holdfast.approval_steps s WHERE s.tenant = c.tenant AND s.chain_id = c.id)
FROM holdfast.approval_chains c
WHERE c.tenant = %(tenant)s AND c.archived_at IS NULL AND c.name = ANY (%(chains)s::text[])
UNION ALL
SELECT * FROM (
  SELECT 'chain', name, '[]'::jsonb FROM holdfast.approval_chains
  WHERE tenant = %(tenant)s AND archived_at IS NULL AND name <> ALL (%(chains)s::text[])
    AND cardinality(%(chains)s::text[]) > 0 ORDER BY name LIMIT 100) others
UNION ALL
SELECT 'rule', name, NULL FROM holdfast.workflow_rules
WHERE tenant = %(tenant)s AND entity_type = %(entity_type)s AND name = ANY (%(rules)s::text[])

-- name: stale_workflows
-- Of every tenant; asked once by each worker that starts, and read through from end to end.
SELECT tenant, entity_type FROM holdfast.stale_workflows(%(compiler_version)s)

-- name: edit_draft
-- Take or renew the lease of an editor: their own, one that is over, or any that they take over. No row: somebody else has it.
INSERT INTO holdfast.workflow_draft_editors AS e (tenant, definition_id, editor, client, since, lease_until)
VALUES (%(tenant)s, %(id)s, %(editor)s, %(client)s, coalesce(%(now)s::timestamptz, now()),
        coalesce(%(now)s::timestamptz, now()) + %(lease)s::interval)
ON CONFLICT (tenant, definition_id) DO UPDATE
  SET editor = excluded.editor, client = excluded.client, lease_until = excluded.lease_until,
      since = CASE WHEN (e.editor, e.client) = (excluded.editor, excluded.client) AND e.lease_until > excluded.since
                   THEN e.since ELSE excluded.since END
  WHERE %(take_over)s OR (e.editor, e.client) = (excluded.editor, excluded.client) OR e.lease_until <= excluded.since
RETURNING e.editor, e.client, e.since, e.lease_until

-- name: draft_editor
SELECT e.editor, e.client, e.since, e.lease_until FROM holdfast.workflow_draft_editors e
WHERE e.tenant = %(tenant)s AND e.definition_id = %(id)s AND e.lease_until > coalesce(%(now)s::timestamptz, now())

-- name: lock_draft_editor
-- The same, and nobody takes it over until the transaction ends.
SELECT e.editor, e.client, e.since, e.lease_until FROM holdfast.workflow_draft_editors e
WHERE e.tenant = %(tenant)s AND e.definition_id = %(id)s AND e.lease_until > coalesce(%(now)s::timestamptz, now())
FOR SHARE

-- name: leave_draft
DELETE FROM holdfast.workflow_draft_editors e
WHERE e.tenant = %(tenant)s AND e.definition_id = %(id)s AND e.editor = %(editor)s AND e.client = %(client)s

-- name: test_cases
SELECT c.entity_type, c.name, c.description, c.content::text AS content, c.created_at, c.created_by, c.updated_at, c.updated_by
FROM holdfast.workflow_test_cases c
WHERE c.tenant = %(tenant)s AND c.entity_type = %(entity_type)s AND (%(name)s::text IS NULL OR c.name = %(name)s)
ORDER BY c.name

-- name: keep_test_case
-- No row when there are as many as there may be.
INSERT INTO holdfast.workflow_test_cases AS c
  (tenant, entity_type, name, description, content, created_at, created_by, updated_at, updated_by)
SELECT %(tenant)s, %(entity_type)s, %(name)s, %(description)s, %(content)s::jsonb, coalesce(%(now)s::timestamptz, now()),
       %(actor)s, coalesce(%(now)s::timestamptz, now()), %(actor)s
WHERE (SELECT count(*) FROM holdfast.workflow_test_cases o
       WHERE o.tenant = %(tenant)s AND o.entity_type = %(entity_type)s AND o.name <> %(name)s) < %(most)s
ON CONFLICT (tenant, entity_type, name) DO UPDATE
  SET description = excluded.description, content = excluded.content, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by
RETURNING c.name

-- name: forget_test_case
DELETE FROM holdfast.workflow_test_cases c
WHERE c.tenant = %(tenant)s AND c.entity_type = %(entity_type)s AND c.name = %(name)s

-- name: people_to_play
-- Who a simulation may be played with: active people, their roles, the permissions of the tenant's own roles, their managers.
SELECT u.name, o.manager, coalesce(array_agg(g.role ORDER BY g.role) FILTER (WHERE g.role IS NOT NULL), '{}') AS roles,
       coalesce((SELECT array_agg(DISTINCT p) FROM holdfast.user_roles h
                 JOIN holdfast.roles r ON r.tenant = h.tenant AND r.role = h.role CROSS JOIN unnest(r.permissions) p
                 WHERE h.tenant = u.tenant AND h.user_id = u.user_id), '{}') AS own_permissions
FROM holdfast.users u
LEFT JOIN holdfast.user_roles g ON g.tenant = u.tenant AND g.user_id = u.user_id
LEFT JOIN holdfast.org_chart o ON o.tenant = u.tenant AND o.name = u.name
WHERE u.tenant = %(tenant)s AND u.deactivated_at IS NULL AND u.kind = 'user'
GROUP BY u.tenant, u.user_id, o.manager ORDER BY u.name LIMIT %(most)s

-- name: uses
-- Steps that name a thing: of drafts, of the workflows in force, and of those that instances still follow.
SELECT d.id AS definition_id, d.entity_type, d.definition_kind, d.version, d.status, d.name AS definition_name,
       n.step ->> 'id' AS node_id, n.step ->> 'name' AS node_name, n.step ->> 'type' AS node_type
FROM holdfast.workflow_definitions d
CROSS JOIN LATERAL (
  SELECT DISTINCT step FROM jsonb_path_query(
    CASE d.definition_kind WHEN 'effective' THEN d.nodes_json ELSE d.body_patches_json END,
    'strict $.** ? (@.type() == "object" && exists (@.config) && exists (@.type))', '{}', true) AS step
) n
WHERE d.tenant = %(tenant)s AND (
    (d.definition_kind = 'org_patch' AND d.status = 'draft') OR (d.definition_kind = 'effective' AND (
      d.status = 'published' OR EXISTS (
        SELECT FROM holdfast.workflow_instances i
        WHERE i.tenant = d.tenant AND i.definition_id = d.id AND i.status IN ('running', 'paused')))))
  AND jsonb_path_exists(n.step, %(where)s::jsonpath, jsonb_build_object('name', %(name)s::text), true)
ORDER BY d.status DESC, d.entity_type, d.version DESC, n.step ->> 'id' LIMIT %(most)s

-- name: insert_what_if
INSERT INTO holdfast.workflow_what_ifs
  (tenant, id, entity_type, definition_id, revision, base_version, patches, before_id, narrowed, assume, most, run_id, created_at,
   created_by, party)
VALUES (%(tenant)s, %(id)s, %(entity_type)s, %(definition_id)s, %(revision)s, %(base_version)s, %(patches)s::jsonb, %(before_id)s,
        %(narrowed)s::jsonb, %(assume)s::jsonb, %(most)s, %(run_id)s, coalesce(%(now)s::timestamptz, now()), %(actor)s,
        %(party)s::jsonb)

-- name: what_if
-- A run that ended without saying so ends it as well. On the primary keys.
SELECT w.id, w.entity_type, w.definition_id, w.revision, w.base_version, w.before_id, w.narrowed::text AS narrowed,
       w.assume::text AS assume, w.most, w.run_id, w.total, w.replayed, w.changed, w.unplayable, w.created_at, w.created_by,
       coalesce(w.finished_at, r.finished_at) AS finished_at, coalesce(w.error, r.last_error) AS error,
       CASE WHEN w.status IN ('pending', 'running') AND r.status IN ('failed', 'cancelled') THEN 'failed' ELSE w.status END AS status
FROM holdfast.workflow_what_ifs w
LEFT JOIN holdfast.workflow_run r ON r.tenant = w.tenant AND r.id = w.run_id AND w.status IN ('pending', 'running')
WHERE w.tenant = %(tenant)s AND w.id = %(id)s

-- name: what_ifs
-- Newest first, on workflow_what_ifs_type.
SELECT w.id, w.entity_type, w.definition_id, w.revision, w.base_version, w.before_id, w.narrowed::text AS narrowed,
       w.assume::text AS assume, w.most, w.run_id, w.total, w.replayed, w.changed, w.unplayable, w.created_at, w.created_by,
       w.finished_at, w.error, w.status
FROM holdfast.workflow_what_ifs w
WHERE w.tenant = %(tenant)s AND w.entity_type = %(entity_type)s
  AND (%(before)s::uuid IS NULL OR w.id < %(before)s)
ORDER BY w.id DESC LIMIT %(limit)s

-- name: begin_what_if
UPDATE holdfast.workflow_what_ifs w SET status = 'running'
WHERE w.tenant = %(tenant)s AND w.id = %(id)s AND w.status IN ('pending', 'running')
RETURNING w.entity_type, w.base_version, w.patches::text AS patches, w.before_id, w.narrowed::text AS narrowed,
          w.assume::text AS assume, w.most, w.total, w.replayed, w.last_document, w.party::text AS party

-- name: count_what_if
UPDATE holdfast.workflow_what_ifs w SET total = %(total)s
WHERE w.tenant = %(tenant)s AND w.id = %(id)s AND w.status = 'running'

-- name: what_if_total
-- On entities_type.
SELECT count(*) AS total FROM (
  SELECT FROM holdfast.entities e
  WHERE e.tenant = %(tenant)s AND e.entity_type = %(entity_type)s AND e.deleted_at IS NULL
    AND (%(doc_status)s::text IS NULL OR e.doc_status = %(doc_status)s)
    AND (%(created_after)s::timestamptz IS NULL OR e.created_at >= %(created_after)s)
    AND (%(created_before)s::timestamptz IS NULL OR e.created_at < %(created_before)s)
    AND (%(fields)s::jsonb IS NULL OR e.data @> %(fields)s::jsonb)
  LIMIT %(most)s) found

-- name: what_if_documents_to_replay
-- Newest first, on entities_type; with the process of each, on workflow_instances_document.
SELECT e.id, e.entity_type, e.doc_status, e.entity_version, e.contract_version, e.data::text AS data, e.content_hash,
       e.version_id, e.amended_from_id, e.created_at, e.created_by, e.updated_at, e.updated_by, e.deleted_at,
       NULL::uuid AS amended_to_id, i.id AS instance_id, i.definition_id, i.definition_version
FROM holdfast.entities e
LEFT JOIN LATERAL (
  SELECT i.id, i.definition_id, i.definition_version FROM holdfast.workflow_instances i
  WHERE i.tenant = %(tenant)s AND i.entity_id = e.id ORDER BY i.id DESC LIMIT 1) i ON true
WHERE e.tenant = %(tenant)s AND e.entity_type = %(entity_type)s AND e.deleted_at IS NULL
  AND e.id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
  AND (%(only)s::uuid IS NULL OR e.id = %(only)s)
  AND (%(doc_status)s::text IS NULL OR e.doc_status = %(doc_status)s)
  AND (%(created_after)s::timestamptz IS NULL OR e.created_at >= %(created_after)s)
  AND (%(created_before)s::timestamptz IS NULL OR e.created_at < %(created_before)s)
  AND (%(fields)s::jsonb IS NULL OR e.data @> %(fields)s::jsonb)
ORDER BY e.id DESC LIMIT %(limit)s

-- name: histories
-- Index workflow_step_executions_timeline.
SELECT instance_id, idempotency_key, node_id, node_type, token_id, entity_version, status, outcome, created_at, completed_at,
       input_json::text AS input_json, output_json::text AS output_json, output_packed, output_hash, error::text AS error, run_as, actor_user_id, settled_by,
       resume_at, waiting_for_event_key, join_key, origin, opened_seq, settled_seq, waited,
       opened_output::text AS opened_output
FROM holdfast.workflow_step_executions WHERE tenant = %(tenant)s AND instance_id = ANY (%(ids)s::uuid[])

-- name: note_replays
-- How far it is; no row when it was cancelled meanwhile.
UPDATE holdfast.workflow_what_ifs w
SET replayed = w.replayed + %(replayed)s, changed = w.changed + %(changed)s, unplayable = w.unplayable + %(unplayable)s,
    last_document = %(last_document)s
WHERE w.tenant = %(tenant)s AND w.id = %(id)s AND w.status = 'running'

-- name: note_groups
INSERT INTO holdfast.workflow_what_if_groups AS g (tenant, what_if_id, id, parting, documents)
SELECT %(tenant)s, %(id)s, x.id, x.parting, x.documents
FROM jsonb_to_recordset(%(groups)s::jsonb) AS x (id text, parting jsonb, documents integer)
ON CONFLICT (tenant, what_if_id, id) DO UPDATE SET documents = g.documents + excluded.documents

-- name: note_documents
INSERT INTO holdfast.workflow_what_if_documents (tenant, what_if_id, group_id, document_id, because)
SELECT %(tenant)s, %(id)s, x.group_id, x.document_id, x.because
FROM jsonb_to_recordset(%(documents)s::jsonb) AS x (group_id text, document_id uuid, because jsonb)

-- name: end_what_if
UPDATE holdfast.workflow_what_ifs w
SET status = %(status)s, error = %(error)s, finished_at = coalesce(%(now)s::timestamptz, now())
WHERE w.tenant = %(tenant)s AND w.id = %(id)s AND w.status IN ('pending', 'running')

-- name: what_if_groups
SELECT g.id, g.parting::text AS parting, g.documents FROM holdfast.workflow_what_if_groups g
WHERE g.tenant = %(tenant)s AND g.what_if_id = %(id)s ORDER BY g.documents DESC, g.id LIMIT %(most)s

-- name: what_if_documents
-- Newest first, on the primary key.
SELECT d.document_id, d.because::text AS because, e.doc_status, e.created_at, e.created_by, e.version_id
FROM holdfast.workflow_what_if_documents d
JOIN holdfast.entities e ON e.tenant = d.tenant AND e.id = d.document_id
WHERE d.tenant = %(tenant)s AND d.what_if_id = %(id)s AND d.group_id = %(group_id)s
  AND d.document_id < coalesce(%(before)s::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
ORDER BY d.document_id DESC LIMIT %(limit)s

-- name: what_if_asked
SELECT w.entity_type, w.base_version, w.patches::text AS patches, w.before_id, w.assume::text AS assume
FROM holdfast.workflow_what_ifs w WHERE w.tenant = %(tenant)s AND w.id = %(id)s

-- name: delete_what_if
DELETE FROM holdfast.workflow_what_ifs w WHERE w.tenant = %(tenant)s AND w.id = %(id)s

-- name: prune_what_ifs
-- What is old, or was followed by enough others.
DELETE FROM holdfast.workflow_what_ifs w
WHERE w.tenant = %(tenant)s AND w.entity_type = %(entity_type)s AND w.status NOT IN ('pending', 'running')
  AND w.id NOT IN (SELECT k.id FROM holdfast.workflow_what_ifs k
                   WHERE k.tenant = %(tenant)s AND k.entity_type = %(entity_type)s ORDER BY k.id DESC LIMIT %(kept)s)

-- name: unfinished_what_ifs
SELECT count(*) AS unfinished FROM holdfast.workflow_what_ifs w
JOIN holdfast.workflow_run r ON r.tenant = w.tenant AND r.id = w.run_id AND r.status NOT IN ('failed', 'cancelled', 'succeeded')
WHERE w.tenant = %(tenant)s AND w.status IN ('pending', 'running')

-- name: suggested_users
-- People by their name or what they are called; few, and on users (tenant, name).
SELECT u.name AS value, u.display_name AS label FROM holdfast.users u
WHERE u.tenant = %(tenant)s AND u.deactivated_at IS NULL
  AND (starts_with(u.name, %(prefix)s) OR strpos(lower(u.display_name), lower(%(prefix)s)) > 0)
ORDER BY u.name LIMIT %(most)s

-- name: suggested_roles
SELECT r.role AS value FROM holdfast.roles r
WHERE r.tenant = %(tenant)s AND starts_with(r.role, %(prefix)s) ORDER BY r.role LIMIT %(most)s

-- name: suggested_chains
SELECT c.name AS value FROM holdfast.approval_chains c
WHERE c.tenant = %(tenant)s AND c.archived_at IS NULL AND starts_with(c.name, %(prefix)s) ORDER BY c.name LIMIT %(most)s

-- name: suggested_rules
SELECT r.name AS value FROM holdfast.workflow_rules r
WHERE r.tenant = %(tenant)s AND (%(entity_type)s::text IS NULL OR r.entity_type = %(entity_type)s)
  AND starts_with(r.name, %(prefix)s) ORDER BY r.name LIMIT %(most)s

-- name: suggested_automations
SELECT DISTINCT ON (d.entity_type) d.entity_type AS value, d.name AS label FROM holdfast.workflow_definitions d
WHERE d.tenant = %(tenant)s AND d.definition_kind = 'envelope' AND d.automation
  AND starts_with(d.entity_type, %(prefix)s) ORDER BY d.entity_type, d.version DESC LIMIT %(most)s

-- name: suggested_secrets
SELECT s.name AS value FROM holdfast.workflow_secrets s
WHERE s.tenant = %(tenant)s AND starts_with(s.name, %(prefix)s) ORDER BY s.name LIMIT %(most)s

-- name: versions_to_replay
-- What documents were before they were edited, on entity_versions (tenant, entity_id, version); the latest hundred of each.
SELECT v.entity_id AS document_id, v.version, v.data::text AS data
FROM unnest(%(ids)s::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT v.entity_id, v.version, v.data FROM holdfast.entity_versions v
  WHERE v.tenant = %(tenant)s AND v.entity_id = wanted.id ORDER BY v.version DESC LIMIT 100) v

-- name: overview
-- One row a type: its newest skeleton, what is in force, how many drafts, processes and triggers. On the unique key of
-- definitions, workflow_definitions_current, workflow_definitions_status and workflow_instances_alive.
SELECT e.entity_type, e.name AS title, e.automation, e.version AS contract_version, p.id AS published_id,
       p.version AS published_version, p.published_at, p.published_by, p.base_version,
       p.source_definition_id IS NOT NULL AS customised, coalesce(p.base_version < e.version, false) AS upgradable,
       coalesce(p.compiler_version <> %(compiler_version)s, false) AS stale,
       (SELECT count(*) FROM holdfast.workflow_definitions d
        WHERE d.tenant = %(tenant)s AND d.entity_type = e.entity_type AND d.status = 'draft'
          AND d.definition_kind = 'org_patch') AS drafts,
       (SELECT count(*) FROM (SELECT FROM holdfast.workflow_instances i
                              WHERE i.tenant = %(tenant)s AND i.workflow_id = e.entity_type
                                AND i.status IN ('running', 'paused') LIMIT 1000) alive) AS running,
       (SELECT count(*) FROM holdfast.workflow_triggers t WHERE t.tenant = %(tenant)s AND t.workflow_id = e.entity_type) AS triggers
FROM (SELECT DISTINCT ON (d.entity_type) d.entity_type, d.name, d.automation, d.version FROM holdfast.workflow_definitions d
      WHERE d.tenant = %(tenant)s AND d.definition_kind = 'envelope' AND (%(automation)s::boolean IS NULL OR d.automation = %(automation)s)
      ORDER BY d.entity_type, d.version DESC) e
LEFT JOIN LATERAL (
  SELECT d.id, d.version, d.published_at, d.published_by, d.source_definition_id, d.compiler_version,
         (d.base_ref ->> 'envelope_version')::integer AS base_version
  FROM holdfast.workflow_definitions d
  WHERE d.tenant = %(tenant)s AND d.entity_type = e.entity_type AND d.definition_kind = 'effective' AND d.status = 'published') p ON true
ORDER BY e.entity_type

-- name: counted_instances
-- The latest processes of a type, on workflow_instances_started.
SELECT coalesce(array_agg(i.id), '{}') AS ids, min(i.started_at) AS since FROM (
  SELECT i.id, i.started_at FROM holdfast.workflow_instances i
  WHERE i.tenant = %(tenant)s AND i.workflow_id = %(entity_type)s
    AND i.started_at >= coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s)
  ORDER BY i.started_at DESC, i.id DESC LIMIT %(most)s) i

-- name: node_figures
-- Index workflow_step_executions_timeline.
SELECT s.node_id, min(s.node_type) AS node_type, count(*) AS steps,
       count(*) FILTER (WHERE s.status IN ('pending', 'running')) AS waiting, count(*) FILTER (WHERE s.status = 'failed') AS failed,
       avg(s.duration_ms)::float8 AS mean_ms,
       percentile_cont(0.5) WITHIN GROUP (ORDER BY s.duration_ms)::float8 AS p50_ms,
       percentile_cont(0.95) WITHIN GROUP (ORDER BY s.duration_ms)::float8 AS p95_ms, max(s.duration_ms)::float8 AS longest_ms
FROM holdfast.workflow_step_executions s
WHERE s.tenant = %(tenant)s AND s.instance_id = ANY (%(ids)s::uuid[]) AND s.node_type <> 'attachment'
GROUP BY s.node_id ORDER BY s.node_id

-- name: edge_figures
-- Index workflow_step_executions_timeline.
SELECT x.edge_id, count(*) AS taken
FROM holdfast.workflow_step_executions s
CROSS JOIN LATERAL jsonb_array_elements_text(s.output_json -> 'chosen_edge_ids') AS x (edge_id)
WHERE s.tenant = %(tenant)s AND s.instance_id = ANY (%(ids)s::uuid[])
GROUP BY x.edge_id ORDER BY x.edge_id
