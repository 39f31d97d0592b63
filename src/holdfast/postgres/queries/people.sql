-- People: who is asked, what they decide, what waits for them.

-- name: resolve
-- On users (tenant, name), the primary key of org_chart, user_roles_role and workflow_step_executions_timeline.
SELECT kind, of, name, available FROM holdfast.find_people(
  %(users)s::text[], %(managed)s::text[], %(picked)s::text[], %(asked)s::text[], %(instances)s::uuid[],
  %(except_for)s::text[],
  coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: last_turn
-- The lock makes two who pick for the same role at once take different people.
SELECT last_name FROM holdfast.approval_turns WHERE tenant = %(tenant)s AND role = %(role)s FOR UPDATE

-- name: take_turn
INSERT INTO holdfast.approval_turns (tenant, role, last_name) VALUES (%(tenant)s, %(role)s, %(name)s)
ON CONFLICT (tenant, role) DO UPDATE SET last_name = excluded.last_name

-- name: ask_people
SELECT holdfast.ask_people(%(requests)s::jsonb, %(actor)s, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: lock_request
-- The instance is locked before the request: the order in which everybody takes locks.
SELECT pg_advisory_xact_lock(hashtextextended(r.instance_id::text, 0)) FROM holdfast.approval_requests r
WHERE r.tenant = %(tenant)s AND r.id = %(id)s

-- name: get_request
SELECT id, kind, status, instance_id, step_id, step_key, node_id, token_id, entity_type, entity_id AS document_id, entity_version,
       content_hash, compiled_hash, snapshot_version_id, title, instructions, requester, four_eyes, may_delegate, required,
       outcomes, passes, form, chain, stage, jsonb_array_length(stages) AS stage_count, claimed_by, due_at, outcome, reason,
       changed_fields, created_at, closed_at
FROM holdfast.approval_requests WHERE tenant = %(tenant)s AND id = %(id)s

-- name: hold_requests
-- Requests for deciding on them: locked, after their instances, with who is asked, what was decided, in whose place the actor could
-- decide, and where their instances stand, for what follows.
SELECT h.*, h.entity_id AS document_id FROM holdfast.hold_requests(%(ids)s::uuid[], %(me)s, coalesce(%(now)s::timestamptz, now())) h

-- name: holders
-- The active people who hold roles, on user_roles_role.
SELECT DISTINCT u.name FROM holdfast.user_roles r JOIN holdfast.users u ON u.tenant = r.tenant AND u.user_id = r.user_id
WHERE r.tenant = %(tenant)s AND r.role = ANY (%(roles)s::text[]) AND u.deactivated_at IS NULL
ORDER BY u.name

-- name: record_decisions
-- The trigger guard_new refuses whatever must not be. The events stand with the decisions, and so do the ends of their
-- requests, where a decision brings one; the processes go on with it, or events are left for a worker.
SELECT holdfast.record_decisions(
  %(given)s::jsonb, %(trail)s::jsonb, %(ending)s::jsonb, %(advance)s::jsonb, %(posted)s::jsonb, %(actor)s, %(together)s,
  coalesce(%(now)s::timestamptz, now())) AS failed
WHERE %(tenant)s::uuid IS NOT NULL

-- name: close_requests
-- On approval_requests_open (tenant, step_key).
SELECT holdfast.close_requests(%(closing)s::jsonb, %(actor)s, coalesce(%(now)s::timestamptz, now())) AS id
WHERE %(tenant)s::uuid IS NOT NULL

-- name: claim_request
UPDATE holdfast.approval_requests SET claimed_by = %(me)s
WHERE tenant = %(tenant)s AND id = %(id)s AND status = 'open' AND (claimed_by IS NULL OR claimed_by = %(me)s)

-- name: release_request
UPDATE holdfast.approval_requests SET claimed_by = NULL
WHERE tenant = %(tenant)s AND id = %(id)s AND status = 'open'

-- name: remove_assignee
UPDATE holdfast.approval_assignees
SET is_open = false, removed_at = coalesce(%(now)s::timestamptz, now()), removed_why = %(why)s
WHERE tenant = %(tenant)s AND request_id = %(id)s AND principal = %(principal)s AND is_open

-- name: add_assignee
-- Somebody who handed it on may be asked again.
INSERT INTO holdfast.approval_assignees (tenant, request_id, principal, via, due_at, added_at, added_by)
VALUES (%(tenant)s, %(id)s, %(principal)s, %(via)s, %(due_at)s, coalesce(%(now)s::timestamptz, now()), %(actor)s)
ON CONFLICT (tenant, request_id, principal) DO UPDATE SET is_open = true, removed_at = NULL, removed_why = NULL
  WHERE NOT approval_assignees.is_open

-- name: list_assignees
SELECT principal, via, is_open, added_at, added_by, removed_at, removed_why FROM holdfast.approval_assignees
WHERE tenant = %(tenant)s AND request_id = %(id)s ORDER BY principal

-- name: list_decisions
SELECT id, decision, outcome, decided_by, seat, reason, answer, decided_at, applied, applied_at, voided_at, void_reason,
       changed_fields, entity_version, content_hash, compiled_hash
FROM holdfast.approval_decisions WHERE tenant = %(tenant)s AND request_id = %(id)s ORDER BY decided_at, id

-- name: list_requests
-- Newest first: of an instance on approval_requests_instance, of a document on approval_requests_entity.
SELECT id, kind, status, instance_id, step_id, step_key, node_id, token_id, entity_type, entity_id AS document_id, entity_version,
       content_hash, compiled_hash, snapshot_version_id, title, instructions, requester, four_eyes, may_delegate, required,
       outcomes, passes, form, chain, stage, jsonb_array_length(stages) AS stage_count, claimed_by, due_at, outcome, reason,
       changed_fields, created_at, closed_at
FROM holdfast.approval_requests
WHERE tenant = %(tenant)s
  AND (%(instance_id)s::uuid IS NULL OR instance_id = %(instance_id)s)
  AND (%(document_id)s::uuid IS NULL OR entity_id = %(document_id)s)
  AND (%(before)s::uuid IS NULL OR id < %(before)s)
ORDER BY id DESC
LIMIT %(limit)s

-- name: snapshot
-- The version of the document that a request is about, on entity_versions (tenant, id).
SELECT v.id, v.entity_id AS document_id, v.version, v.contract_version, v.doc_status, v.data::text AS data, v.content_hash,
       v.changed_fields, v.instance_id, v.created_at, v.created_by
FROM holdfast.approval_requests r
JOIN holdfast.entity_versions v ON v.tenant = r.tenant AND v.id = r.snapshot_version_id
WHERE r.tenant = %(tenant)s AND r.id = %(id)s

-- name: settle_requests
-- On approval_requests_stage (tenant, step_key, stage), approval_decisions_person (tenant, request_id, decided_by),
-- and workflow_step_executions_timeline.
SELECT holdfast.settle_requests(%(closing)s::jsonb, %(decided)s::jsonb, %(actor)s, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: void_decisions
-- Unused decisions on a document that has changed, on approval_requests_entity (tenant, entity_id, id) and
-- approval_decisions_person (tenant, request_id, decided_by).
SELECT instance_id, request_id, decided_by FROM holdfast.void_decisions(
  %(document_id)s::uuid, NULL, %(changed)s::text[], %(reason)s, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: open_requests_of_document
-- On approval_requests_entity (tenant, entity_id, id).
SELECT id FROM holdfast.approval_requests
WHERE tenant = %(tenant)s AND entity_id = %(document_id)s AND status = 'open' AND kind = 'approval' ORDER BY id

-- name: void_instance
SELECT request_id FROM holdfast.void_decisions(
  NULL, %(instance_id)s::uuid, '{}', %(reason)s, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: inbox
-- One probe of approval_assignees_inbox (tenant, principal, request_id) for each name the person goes by. Oldest first.
WITH found AS (
  SELECT DISTINCT ON (x.id) x.id, n.seat, n.how FROM holdfast.inbox_names(
    %(tenant)s::uuid, %(me)s::text, %(roles)s::text[], %(may_approve)s::boolean, coalesce(%(now)s::timestamptz, now())) n
  CROSS JOIN LATERAL (
    SELECT r.id FROM holdfast.approval_assignees a
    JOIN holdfast.approval_requests r ON r.tenant = a.tenant AND r.id = a.request_id
    WHERE a.tenant = %(tenant)s AND a.principal = n.principal AND a.is_open
      AND (%(after)s::uuid IS NULL OR a.request_id > %(after)s)
      AND (%(kind)s::text IS NULL OR r.kind = %(kind)s)
      AND (%(entity_type)s::text IS NULL OR r.entity_type = %(entity_type)s)
      AND (%(requester)s::text IS NULL OR r.requester = %(requester)s)
      AND (%(due_before)s::timestamptz IS NULL OR r.due_at < %(due_before)s::timestamptz)
      AND (n.only_type IS NULL OR r.entity_type = n.only_type)
      AND (r.claimed_by IS NULL OR r.claimed_by IN (%(me)s, n.seat))
      AND NOT (r.four_eyes AND r.makers && ARRAY[%(me)s, n.seat]::text[])
      AND (n.how <> 'delegated' OR (r.may_delegate AND NOT r.makers && ARRAY[%(me)s, n.seat]::text[]))
      AND (r.branches IS NULL OR NOT holdfast.seat_taken(
        r.tenant, r.instance_id, r.id, r.branches, r.in_parallel, ARRAY[%(me)s, n.seat]::text[]))
      AND NOT EXISTS (SELECT FROM holdfast.approval_decisions d
                      WHERE d.tenant = r.tenant AND d.request_id = r.id AND (d.decided_by = %(me)s OR d.seat = n.seat))
    ORDER BY a.request_id LIMIT %(limit)s) x
  WHERE %(which)s::text IS NULL OR n.how = %(which)s
  ORDER BY x.id, n.rank
)
SELECT r.id, r.kind, r.status, r.title, r.entity_type, r.entity_id AS document_id, r.entity_version, r.content_hash, r.instance_id, r.node_id,
       r.requester, r.outcomes, r.required, r.claimed_by, r.due_at, coalesce(r.due_at <= coalesce(%(now)s::timestamptz, now()), false) AS overdue,
       r.created_at, r.snapshot_version_id, f.how, f.seat, NULL::uuid AS decision_id, NULL::text AS decision, NULL::timestamptz AS decided_at,
       (SELECT array_agg(a.principal ORDER BY a.principal) FROM holdfast.approval_assignees a
        WHERE a.tenant = r.tenant AND a.request_id = r.id AND a.is_open) AS asked,
       (SELECT coalesce(jsonb_object_agg(v.decision, v.n), '{}') FROM (
          SELECT d.decision, count(*) AS n FROM holdfast.approval_decisions d
          WHERE d.tenant = r.tenant AND d.request_id = r.id GROUP BY d.decision) v) AS votes
FROM found f JOIN holdfast.approval_requests r ON r.tenant = %(tenant)s AND r.id = f.id
ORDER BY r.id
LIMIT %(limit)s

-- name: inbox_overdue
-- The same for what is overdue, longest first, on approval_assignees_due (tenant, principal, due_at, request_id).
WITH found AS (
  SELECT DISTINCT ON (x.due_at, x.id) x.id, n.seat, n.how FROM holdfast.inbox_names(
    %(tenant)s::uuid, %(me)s::text, %(roles)s::text[], %(may_approve)s::boolean, coalesce(%(now)s::timestamptz, now())) n
  CROSS JOIN LATERAL (
    SELECT r.id, a.due_at FROM holdfast.approval_assignees a
    JOIN holdfast.approval_requests r ON r.tenant = a.tenant AND r.id = a.request_id
    WHERE a.tenant = %(tenant)s AND a.principal = n.principal AND a.is_open AND a.due_at IS NOT NULL
      AND a.due_at <= coalesce(%(now)s::timestamptz, now())
      AND (%(after_due)s::timestamptz IS NULL OR (a.due_at, a.request_id) > (%(after_due)s::timestamptz, %(after)s::uuid))
      AND (%(kind)s::text IS NULL OR r.kind = %(kind)s)
      AND (%(entity_type)s::text IS NULL OR r.entity_type = %(entity_type)s)
      AND (%(requester)s::text IS NULL OR r.requester = %(requester)s)
      AND (%(due_before)s::timestamptz IS NULL OR r.due_at < %(due_before)s::timestamptz)
      AND (n.only_type IS NULL OR r.entity_type = n.only_type)
      AND (r.claimed_by IS NULL OR r.claimed_by IN (%(me)s, n.seat))
      AND NOT (r.four_eyes AND r.makers && ARRAY[%(me)s, n.seat]::text[])
      AND (n.how <> 'delegated' OR (r.may_delegate AND NOT r.makers && ARRAY[%(me)s, n.seat]::text[]))
      AND (r.branches IS NULL OR NOT holdfast.seat_taken(
        r.tenant, r.instance_id, r.id, r.branches, r.in_parallel, ARRAY[%(me)s, n.seat]::text[]))
      AND NOT EXISTS (SELECT FROM holdfast.approval_decisions d
                      WHERE d.tenant = r.tenant AND d.request_id = r.id AND (d.decided_by = %(me)s OR d.seat = n.seat))
    ORDER BY a.due_at, a.request_id LIMIT %(limit)s) x
  ORDER BY x.due_at, x.id, n.rank
)
SELECT r.id, r.kind, r.status, r.title, r.entity_type, r.entity_id AS document_id, r.entity_version, r.content_hash, r.instance_id, r.node_id,
       r.requester, r.outcomes, r.required, r.claimed_by, r.due_at, true AS overdue,
       r.created_at, r.snapshot_version_id, f.how, f.seat, NULL::uuid AS decision_id, NULL::text AS decision, NULL::timestamptz AS decided_at,
       (SELECT array_agg(a.principal ORDER BY a.principal) FROM holdfast.approval_assignees a
        WHERE a.tenant = r.tenant AND a.request_id = r.id AND a.is_open) AS asked,
       (SELECT coalesce(jsonb_object_agg(v.decision, v.n), '{}') FROM (
          SELECT d.decision, count(*) AS n FROM holdfast.approval_decisions d
          WHERE d.tenant = r.tenant AND d.request_id = r.id GROUP BY d.decision) v) AS votes
FROM found f JOIN holdfast.approval_requests r ON r.tenant = %(tenant)s AND r.id = f.id
ORDER BY r.due_at, r.id
LIMIT %(limit)s

-- name: inbox_done
-- What a person decided, latest first, on approval_decisions_done (tenant, decided_by, id).
WITH found AS (
  SELECT d.id AS decision_id, d.request_id AS id, d.seat, d.decision, d.decided_at,
         CASE WHEN d.seat = d.decided_by THEN 'mine' ELSE 'delegated' END AS how
  FROM holdfast.approval_decisions d
  JOIN holdfast.approval_requests r ON r.tenant = d.tenant AND r.id = d.request_id
  WHERE d.tenant = %(tenant)s AND d.decided_by = %(me)s AND (%(after)s::uuid IS NULL OR d.id < %(after)s)
    AND (%(kind)s::text IS NULL OR r.kind = %(kind)s)
    AND (%(entity_type)s::text IS NULL OR r.entity_type = %(entity_type)s)
    AND (%(requester)s::text IS NULL OR r.requester = %(requester)s)
    AND (%(due_before)s::timestamptz IS NULL OR r.due_at < %(due_before)s::timestamptz)
  ORDER BY d.id DESC LIMIT %(limit)s
)
SELECT r.id, r.kind, r.status, r.title, r.entity_type, r.entity_id AS document_id, r.entity_version, r.content_hash, r.instance_id, r.node_id,
       r.requester, r.outcomes, r.required, r.claimed_by, r.due_at, false AS overdue,
       r.created_at, r.snapshot_version_id, f.how, f.seat, f.decision_id, f.decision, f.decided_at,
       (SELECT array_agg(a.principal ORDER BY a.principal) FROM holdfast.approval_assignees a
        WHERE a.tenant = r.tenant AND a.request_id = r.id AND a.removed_at IS NULL) AS asked,
       (SELECT coalesce(jsonb_object_agg(v.decision, v.n), '{}') FROM (
          SELECT d.decision, count(*) AS n FROM holdfast.approval_decisions d
          WHERE d.tenant = r.tenant AND d.request_id = r.id GROUP BY d.decision) v) AS votes
FROM found f JOIN holdfast.approval_requests r ON r.tenant = %(tenant)s AND r.id = f.id
ORDER BY f.decision_id DESC

-- name: inbox_counts
-- How many of each, up to so many: no more is read of any name's part of approval_assignees_inbox than that.
WITH found AS MATERIALIZED (
  SELECT n.how, x.id, x.overdue FROM holdfast.inbox_names(
    %(tenant)s::uuid, %(me)s::text, %(roles)s::text[], %(may_approve)s::boolean, coalesce(%(now)s::timestamptz, now())) n
  CROSS JOIN LATERAL (
    SELECT r.id, coalesce(r.due_at <= coalesce(%(now)s::timestamptz, now()), false) AS overdue FROM holdfast.approval_assignees a
    JOIN holdfast.approval_requests r ON r.tenant = a.tenant AND r.id = a.request_id
    WHERE a.tenant = %(tenant)s AND a.principal = n.principal AND a.is_open
      AND (%(kind)s::text IS NULL OR r.kind = %(kind)s)
      AND (%(entity_type)s::text IS NULL OR r.entity_type = %(entity_type)s)
      AND (%(requester)s::text IS NULL OR r.requester = %(requester)s)
      AND (%(due_before)s::timestamptz IS NULL OR r.due_at < %(due_before)s::timestamptz)
      AND (n.only_type IS NULL OR r.entity_type = n.only_type)
      AND (r.claimed_by IS NULL OR r.claimed_by IN (%(me)s, n.seat))
      AND NOT (r.four_eyes AND r.makers && ARRAY[%(me)s, n.seat]::text[])
      AND (n.how <> 'delegated' OR (r.may_delegate AND NOT r.makers && ARRAY[%(me)s, n.seat]::text[]))
      AND (r.branches IS NULL OR NOT holdfast.seat_taken(
        r.tenant, r.instance_id, r.id, r.branches, r.in_parallel, ARRAY[%(me)s, n.seat]::text[]))
      AND NOT EXISTS (SELECT FROM holdfast.approval_decisions d
                      WHERE d.tenant = r.tenant AND d.request_id = r.id AND (d.decided_by = %(me)s OR d.seat = n.seat))
    ORDER BY a.request_id LIMIT %(most)s) x
)
SELECT least(count(DISTINCT id), %(most)s) AS all,
       least(count(DISTINCT id) FILTER (WHERE how = 'mine'), %(most)s) AS mine,
       least(count(DISTINCT id) FILTER (WHERE how = 'role'), %(most)s) AS role,
       least(count(DISTINCT id) FILTER (WHERE how = 'delegated'), %(most)s) AS delegated,
       least(count(DISTINCT id) FILTER (WHERE overdue), %(most)s) AS overdue,
       (SELECT count(*) FROM (
          SELECT FROM holdfast.approval_decisions d JOIN holdfast.approval_requests r ON r.tenant = d.tenant AND r.id = d.request_id
          WHERE d.tenant = %(tenant)s AND d.decided_by = %(me)s AND (%(kind)s::text IS NULL OR r.kind = %(kind)s)
            AND (%(entity_type)s::text IS NULL OR r.entity_type = %(entity_type)s)
            AND (%(requester)s::text IS NULL OR r.requester = %(requester)s)
            AND (%(due_before)s::timestamptz IS NULL OR r.due_at < %(due_before)s::timestamptz)
          LIMIT %(most)s) done) AS done
FROM found

-- name: headline_fields
-- What contracts say of the fields of documents, for some versions of them.
SELECT v.id, d.contract_json -> 'document' -> 'properties' AS properties, d.contract_json -> 'document' -> 'required' AS required
FROM holdfast.entity_versions v
JOIN holdfast.entities e ON e.tenant = v.tenant AND e.id = v.entity_id
JOIN holdfast.workflow_definitions d ON d.tenant = v.tenant AND d.entity_type = e.entity_type
  AND d.definition_kind = 'envelope' AND d.version = v.contract_version
WHERE v.tenant = %(tenant)s AND v.id = ANY (%(ids)s::uuid[])

-- name: headline_values
-- Some fields of some versions of documents; those alone are read, however large the rest is.
SELECT v.id, (SELECT jsonb_object_agg(f.name, v.data -> f.name) FROM jsonb_array_elements_text(n.fields) f (name)
              WHERE jsonb_typeof(v.data -> f.name) IN ('string', 'number', 'boolean'))::text AS found
FROM unnest(%(ids)s::uuid[], %(fields)s::jsonb[]) n (id, fields)
JOIN holdfast.entity_versions v ON v.tenant = %(tenant)s AND v.id = n.id

-- name: conditions_before
-- The conditions that led to a step, as they were traced; on workflow_step_executions_timeline.
SELECT s.node_id, s.outcome, s.output_json::text AS output, s.output_packed, s.output_hash
FROM holdfast.workflow_step_executions s
WHERE s.tenant = %(tenant)s AND s.instance_id = %(instance_id)s AND (s.output_json ? 'expressions' OR s.output_packed IS NOT NULL)
  AND s.settled_seq <= (SELECT o.opened_seq FROM holdfast.workflow_step_executions o
                        WHERE o.tenant = %(tenant)s AND o.instance_id = %(instance_id)s AND o.idempotency_key = %(step_key)s
                        LIMIT 1)
ORDER BY s.settled_seq DESC, s.created_at DESC
LIMIT 20

-- name: my_names
-- The names under which the actor is asked.
SELECT n.principal, n.seat, n.how, n.only_type FROM holdfast.inbox_names(
    %(tenant)s::uuid, %(me)s::text, %(roles)s::text[], %(may_approve)s::boolean, coalesce(%(now)s::timestamptz, now())) n

-- name: list_views
SELECT name, filters, created_at, updated_at FROM holdfast.inbox_views
WHERE tenant = %(tenant)s AND owner = %(me)s ORDER BY name

-- name: save_view
INSERT INTO holdfast.inbox_views (tenant, owner, name, filters, created_at, updated_at)
VALUES (%(tenant)s, %(me)s, %(name)s, %(filters)s, coalesce(%(now)s::timestamptz, now()), coalesce(%(now)s::timestamptz, now()))
ON CONFLICT (tenant, owner, name) DO UPDATE SET filters = excluded.filters, updated_at = excluded.updated_at

-- name: delete_view
DELETE FROM holdfast.inbox_views WHERE tenant = %(tenant)s AND owner = %(me)s AND name = %(name)s

-- name: add_delegation
INSERT INTO holdfast.approval_delegations (tenant, id, delegator, delegate, entity_type, starts_at, ends_at, reason, created_at, created_by)
VALUES (%(tenant)s, %(id)s, %(delegator)s, %(delegate)s, %(entity_type)s,
        coalesce(%(starts_at)s::timestamptz, %(now)s::timestamptz, now()), %(ends_at)s, %(reason)s,
        coalesce(%(now)s::timestamptz, now()), %(actor)s)

-- name: list_delegations
-- On approval_delegations_delegator and _delegate; those in force and those to come.
SELECT id, delegator, delegate, entity_type, starts_at, ends_at, reason, created_by, revoked_at
FROM holdfast.approval_delegations
WHERE tenant = %(tenant)s AND revoked_at IS NULL AND ends_at > coalesce(%(now)s::timestamptz, now())
  AND (%(name)s::text IS NULL OR delegator = %(name)s OR delegate = %(name)s)
ORDER BY starts_at, id

-- name: get_delegation
SELECT id, delegator, delegate, entity_type, starts_at, ends_at, reason, created_by, revoked_at
FROM holdfast.approval_delegations WHERE tenant = %(tenant)s AND id = %(id)s

-- name: revoke_delegation
UPDATE holdfast.approval_delegations SET revoked_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND id = %(id)s AND revoked_at IS NULL

-- name: find_chain
SELECT id, name, description, created_at, archived_at FROM holdfast.approval_chains
WHERE tenant = %(tenant)s AND name = %(name)s

-- name: list_chains
SELECT id, name, description, created_at, archived_at FROM holdfast.approval_chains
WHERE tenant = %(tenant)s AND archived_at IS NULL ORDER BY name

-- name: create_chain
INSERT INTO holdfast.approval_chains (tenant, id, name, description, created_by)
VALUES (%(tenant)s, %(id)s, %(name)s, %(description)s, %(actor)s)
ON CONFLICT (tenant, name) DO NOTHING

-- name: update_chain
UPDATE holdfast.approval_chains
SET description = %(description)s, archived_at = CASE WHEN %(archived)s::boolean THEN coalesce(%(now)s::timestamptz, now()) END
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: drop_stages
DELETE FROM holdfast.approval_steps WHERE tenant = %(tenant)s AND chain_id = %(chain_id)s

-- name: add_stages
INSERT INTO holdfast.approval_steps (tenant, chain_id, position, name, approvers, required, condition, due_after, escalate_after, escalate_to)
SELECT %(tenant)s, %(chain_id)s, s.position, s.name, s.approvers, s.required, s.condition, s.due_after, s.escalate_after,
       s.escalate_to
FROM jsonb_populate_recordset(NULL::holdfast.approval_steps, %(stages)s) s

-- name: chain_stages
-- The stages of some chains by name, on approval_chains (tenant, name).
SELECT c.name AS chain, s.position, s.name, s.approvers, s.required, s.condition, s.due_after, s.escalate_after, s.escalate_to
FROM holdfast.approval_chains c JOIN holdfast.approval_steps s ON s.tenant = c.tenant AND s.chain_id = c.id
WHERE c.tenant = %(tenant)s AND c.name = ANY (%(names)s::text[]) AND c.archived_at IS NULL
ORDER BY c.name, s.position

-- name: set_manager
INSERT INTO holdfast.org_chart (tenant, name, manager, updated_at, updated_by)
VALUES (%(tenant)s, %(name)s, %(manager)s, coalesce(%(now)s::timestamptz, now()), %(actor)s)
ON CONFLICT (tenant, name) DO UPDATE
  SET manager = excluded.manager, updated_at = excluded.updated_at, updated_by = excluded.updated_by

-- name: remove_manager
DELETE FROM holdfast.org_chart WHERE tenant = %(tenant)s AND name = %(name)s

-- name: org_chart
-- By name, on users (tenant, name); reports on org_chart_manager.
SELECT u.name, u.display_name, o.manager, u.deactivated_at IS NULL AS active,
       (SELECT count(*) FROM holdfast.org_chart r WHERE r.tenant = u.tenant AND r.manager = u.name) AS reports,
       ARRAY(SELECT g.role FROM holdfast.user_roles g WHERE g.tenant = u.tenant AND g.user_id = u.user_id ORDER BY g.role) AS roles
FROM holdfast.users u LEFT JOIN holdfast.org_chart o ON o.tenant = u.tenant AND o.name = u.name
WHERE u.tenant = %(tenant)s AND u.kind = 'user' AND u.name > coalesce(%(after)s::text, '')
ORDER BY u.name LIMIT %(limit)s

-- name: managers_above
-- The managers of a person, nearest first; a circle ends where it began.
WITH RECURSIVE above AS (
  SELECT o.manager, 1 AS height FROM holdfast.org_chart o WHERE o.tenant = %(tenant)s AND o.name = %(name)s
  UNION
  SELECT o.manager, a.height + 1 FROM above a JOIN holdfast.org_chart o ON o.tenant = %(tenant)s AND o.name = a.manager
  WHERE a.height < 50
)
SELECT manager, min(height) AS height FROM above GROUP BY manager ORDER BY min(height)

-- name: requests_to_tend
SELECT tenant, id FROM holdfast.requests_to_tend(coalesce(%(now)s::timestamptz, now()), %(limit)s)

-- name: tended_request
SELECT r.id, r.instance_id, r.node_id, r.title, r.makers, r.four_eyes, r.due_at, r.remind_every IS NOT NULL AS reminds,
       r.escalate_at IS NOT NULL AND (r.escalate_at <= coalesce(%(now)s::timestamptz, now()) OR NOT holdfast.can_answer(r))
         AS escalates, r.escalate_to, r.escalate_at > coalesce(%(now)s::timestamptz, now()) AS early,
       coalesce((SELECT array_agg(a.principal ORDER BY a.principal) FROM holdfast.approval_assignees a
                 WHERE a.tenant = r.tenant AND a.request_id = r.id AND a.is_open), '{}') AS principals,
       coalesce((SELECT array_agg(d.decided_by) FROM holdfast.approval_decisions d
                 WHERE d.tenant = r.tenant AND d.request_id = r.id), '{}') AS decided,
       coalesce(%(now)s::timestamptz, now()) AS now
FROM holdfast.approval_requests r
WHERE r.tenant = %(tenant)s AND r.id = %(id)s AND r.status = 'open' AND r.tend_at <= coalesce(%(now)s::timestamptz, now())
FOR UPDATE

-- name: tended
-- When next: the next reminder, or the escalation, whichever comes first.
UPDATE holdfast.approval_requests
SET escalate_at = CASE WHEN %(escalated)s::boolean THEN NULL ELSE escalate_at END,
    tend_at = least(coalesce(%(now)s::timestamptz, now()) + remind_every,
                    CASE WHEN %(escalated)s::boolean THEN NULL ELSE escalate_at END)
WHERE tenant = %(tenant)s AND id = %(id)s AND status = 'open'
