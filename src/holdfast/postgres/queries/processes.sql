-- Processes. An advance reads with `open_instances` and writes with `write_advance`; the rest is looking and operating.

-- name: lock_instance
SELECT holdfast.lock_instance(%(id)s::uuid) WHERE %(tenant)s::uuid IS NOT NULL

-- name: open_instances
-- Locks first, then reads: by the primary keys of instances, documents and their versions.
SELECT t.at, o.* FROM (SELECT coalesce(%(now)s::timestamptz, now()) AS at) t
LEFT JOIN LATERAL holdfast.open_instances(%(ids)s::uuid[], %(patience)s::boolean) o ON true
WHERE %(tenant)s::uuid IS NOT NULL

-- name: open_instance_to_choose
-- The same for one of whose document somebody asks for a transition; `ruled` says whether rules of the organisation look at
-- such. On workflow_rules_type.
SELECT t.at, o.*, EXISTS (
         SELECT FROM holdfast.workflow_rules r
         WHERE r.tenant = %(tenant)s AND r.entity_type = o.entity_type AND r.enabled AND 'transition' = ANY (r.operations)
       ) AS ruled
FROM (SELECT coalesce(%(now)s::timestamptz, now()) AS at) t
LEFT JOIN LATERAL holdfast.open_instances(%(ids)s::uuid[], %(patience)s::boolean) o ON true
WHERE %(tenant)s::uuid IS NOT NULL

-- name: write_advance
SELECT holdfast.write_advance(
  %(steps)s::jsonb, %(settled)s::jsonb, %(statuses)s::jsonb, %(opened)s::jsonb, %(moved)s::jsonb, %(trail)s::jsonb,
  %(events)s::jsonb, %(posted)s::jsonb, %(done)s::jsonb, %(at)s::timestamptz)
WHERE %(tenant)s::uuid IS NOT NULL

-- name: find_documents
-- By the primary keys of documents and of their versions.
SELECT e.id, e.entity_type, e.entity_version, e.doc_status, e.content_hash, e.version_id, e.created_by, v.data::text AS data,
       coalesce(%(now)s::timestamptz, now()) AS at
FROM holdfast.entities e JOIN holdfast.entity_versions v ON v.tenant = e.tenant AND v.id = e.version_id
WHERE e.tenant = %(tenant)s AND e.id = ANY (%(ids)s::uuid[])

-- name: instance_of
-- The process of a document: the active one, or the newest of those that are over. Index workflow_instances_entity.
SELECT id, status, edit_window, doc_status, version FROM holdfast.workflow_instances
WHERE tenant = %(tenant)s AND entity_type = %(entity_type)s AND entity_id = %(document_id)s
ORDER BY status IN ('running', 'paused') DESC, started_at DESC, id DESC LIMIT 1

-- name: documents_not_to_start
SELECT d AS document_id FROM holdfast.documents_not_to_start(%(ids)s::uuid[]) d WHERE %(tenant)s::uuid IS NOT NULL

-- name: document_to_start
-- The document of a process that somebody starts. The lock lets nobody delete it meanwhile.
SELECT e.entity_type, e.doc_status, e.contract_version, e.deleted_at IS NOT NULL AS deleted,
       (SELECT a.id FROM holdfast.entities a WHERE a.tenant = e.tenant AND a.amended_from_id = e.id) AS amended_to
FROM holdfast.entities e WHERE e.tenant = %(tenant)s AND e.id = %(id)s FOR SHARE OF e

-- name: actors
-- Users with their roles and the permissions of the tenant's own roles, on users (tenant, name).
SELECT u.name, u.kind, u.deactivated_at IS NOT NULL AS deactivated,
       coalesce(array_agg(DISTINCT r.role) FILTER (WHERE r.role IS NOT NULL), '{}') AS roles,
       coalesce(array_agg(DISTINCT p) FILTER (WHERE p IS NOT NULL), '{}') AS own_permissions
FROM holdfast.users u
LEFT JOIN holdfast.user_roles r ON r.tenant = u.tenant AND r.user_id = u.user_id
LEFT JOIN holdfast.roles o ON o.tenant = r.tenant AND o.role = r.role
LEFT JOIN LATERAL unnest(o.permissions) p ON true
WHERE u.tenant = %(tenant)s AND u.name = ANY (%(names)s::text[])
GROUP BY u.tenant, u.user_id

-- name: database_time
SELECT coalesce(%(now)s::timestamptz, now()) AS at WHERE %(tenant)s::uuid IS NOT NULL

-- name: document_versions
SELECT id, entity_version FROM holdfast.entities WHERE tenant = %(tenant)s AND id = ANY (%(ids)s::uuid[])

-- name: step_status
-- Index workflow_step_executions_timeline.
SELECT status FROM holdfast.workflow_step_executions
WHERE tenant = %(tenant)s AND instance_id = %(instance_id)s AND idempotency_key = %(key)s

-- name: wait_for_run
INSERT INTO holdfast.workflow_run_wait (tenant, run_id, instance_id, token_id, step_key, entity_version)
VALUES (%(tenant)s, %(run_id)s, %(instance_id)s, %(token_id)s, %(step_key)s, %(entity_version)s) ON CONFLICT DO NOTHING

-- name: instance_version
SELECT version, status, entity_type, entity_id AS document_id, entity_version, trace_id FROM holdfast.workflow_instances
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: retrace_instance
-- On the primary key; the instance is locked.
SELECT holdfast.retrace_instance(%(instance_id)s::uuid, %(trace_id)s) WHERE %(tenant)s::uuid IS NOT NULL

-- name: lock_event_key
SELECT holdfast.lock_event_key(%(key)s::text) WHERE %(tenant)s::uuid IS NOT NULL

-- name: tell_event
-- A source that tells an event again gets the row there is: the update changes nothing, it only lets RETURNING see it.
INSERT INTO holdfast.workflow_inbound_events (tenant, id, event_key, dedup_key, payload_json, actor, trace_id, received_at, expires_at)
VALUES (%(tenant)s, %(id)s, %(key)s, %(dedup_key)s, %(payload)s::jsonb, %(actor)s, %(trace_id)s,
        coalesce(%(now)s::timestamptz, now()), coalesce(%(now)s::timestamptz, now()) + %(keep)s::interval)
ON CONFLICT (tenant, event_key, dedup_key) DO UPDATE SET matched_at = workflow_inbound_events.matched_at
RETURNING id, id = %(id)s AS new

-- name: send_event
UPDATE holdfast.workflow_inbound_events SET matched_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: take_event
UPDATE holdfast.workflow_inbound_events SET matched_at = coalesce(%(now)s::timestamptz, now()), instance_id = %(instance_id)s
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: keep_event
-- Nobody accepted it: it waits for somebody who does.
UPDATE holdfast.workflow_inbound_events SET matched_at = NULL WHERE tenant = %(tenant)s AND id = %(id)s AND instance_id IS NULL

-- name: kept_events
-- Index workflow_inbound_events_waiting: those of one key after a moment, the oldest first.
SELECT id, event_key, received_at, payload_json::text AS payload FROM holdfast.workflow_inbound_events
WHERE tenant = %(tenant)s AND event_key = %(key)s AND matched_at IS NULL
  AND expires_at > coalesce(%(now)s::timestamptz, now())
  AND (%(after_at)s::timestamptz IS NULL OR (received_at, id) > (%(after_at)s::timestamptz, %(after_id)s::uuid))
ORDER BY received_at, id LIMIT %(limit)s

-- name: waiting_for
-- Index workflow_step_executions_event.
SELECT DISTINCT s.instance_id, i.entity_type, i.entity_id AS document_id, i.entity_version
FROM holdfast.workflow_step_executions s
JOIN holdfast.workflow_instances i ON i.tenant = s.tenant AND i.id = s.instance_id
WHERE s.tenant = %(tenant)s AND s.waiting_for_event_key = %(key)s AND s.status = 'pending'

-- name: triggers_of_event
-- Index workflow_triggers_event.
SELECT id FROM holdfast.workflow_triggers
WHERE tenant = %(tenant)s AND enabled AND trigger_type = 'on_event' AND event_key = %(key)s

-- name: find_automation
-- On the unique key of definitions (tenant, entity_type, definition_kind, version).
SELECT automation FROM holdfast.workflow_definitions
WHERE tenant = %(tenant)s AND entity_type = %(name)s AND definition_kind = 'envelope' ORDER BY version DESC LIMIT 1

-- name: create_trigger
INSERT INTO holdfast.workflow_triggers
  (tenant, id, name, workflow_id, trigger_type, entity_type, event_key, cron, config, condition, next_at, created_by,
   party)
VALUES (%(tenant)s, %(id)s, %(name)s, %(workflow_id)s, %(trigger_type)s, %(entity_type)s, %(event_key)s, %(cron)s,
        %(config)s::jsonb, %(condition)s, %(next_at)s, %(created_by)s, %(party)s::jsonb)
ON CONFLICT (tenant, name) DO NOTHING RETURNING id

-- name: get_trigger
SELECT id, name, workflow_id, trigger_type, entity_type, event_key, cron, config::text AS config, condition, enabled, next_at,
       last_at, created_at, created_by
FROM holdfast.workflow_triggers WHERE tenant = %(tenant)s AND name = %(name)s

-- name: list_triggers
SELECT id, name, workflow_id, trigger_type, entity_type, event_key, cron, config::text AS config, condition, enabled, next_at,
       last_at, created_at, created_by
FROM holdfast.workflow_triggers WHERE tenant = %(tenant)s ORDER BY name

-- name: enabled_triggers
-- Index workflow_triggers_entity, or the primary key.
SELECT id, name, workflow_id, trigger_type, entity_type, event_key, cron, config::text AS config, condition, enabled, next_at,
       last_at, created_at, created_by
FROM holdfast.workflow_triggers
WHERE tenant = %(tenant)s AND enabled AND (trigger_type = ANY (%(types)s::text[]) OR id = ANY (%(ids)s::uuid[]))

-- name: trigger_party
-- Who made a trigger: what it starts by itself has their rights.
SELECT party FROM holdfast.workflow_triggers WHERE tenant = %(tenant)s AND id = %(id)s

-- name: enable_trigger
UPDATE holdfast.workflow_triggers SET enabled = %(enabled)s, next_at = %(next_at)s
WHERE tenant = %(tenant)s AND name = %(name)s

-- name: change_trigger
UPDATE holdfast.workflow_triggers
SET entity_type = %(entity_type)s, event_key = %(event_key)s, cron = %(cron)s, config = %(config)s::jsonb, condition = %(condition)s,
    enabled = %(enabled)s, next_at = %(next_at)s, party = %(party)s::jsonb
WHERE tenant = %(tenant)s AND name = %(name)s

-- name: triggers_beside
-- What else starts the same automation, and whether it can be started at all. On workflow_definitions_current.
SELECT ARRAY(SELECT o.name FROM holdfast.workflow_triggers o
             WHERE o.tenant = t.tenant AND o.workflow_id = t.workflow_id AND o.name <> t.name AND o.enabled ORDER BY o.name) AS others,
       EXISTS (SELECT FROM holdfast.workflow_definitions d
               WHERE d.tenant = t.tenant AND d.entity_type = t.workflow_id AND d.definition_kind = 'effective'
                 AND d.status = 'published') AS published
FROM holdfast.workflow_triggers t WHERE t.tenant = %(tenant)s AND t.name = %(name)s

-- name: delete_trigger
DELETE FROM holdfast.workflow_triggers WHERE tenant = %(tenant)s AND name = %(name)s

-- name: take_due_trigger
-- Whoever comes first has it; for the others it is not due any more.
SELECT id, cron, next_at, coalesce(%(now)s::timestamptz, now()) AS at FROM holdfast.workflow_triggers
WHERE tenant = %(tenant)s AND id = %(id)s AND enabled AND next_at <= coalesce(%(now)s::timestamptz, now())
FOR UPDATE SKIP LOCKED

-- name: move_trigger
UPDATE holdfast.workflow_triggers SET next_at = %(next_at)s, last_at = %(last_at)s WHERE tenant = %(tenant)s AND id = %(id)s

-- name: run_outcome
SELECT status, result::text AS result, last_error FROM holdfast.workflow_run WHERE tenant = %(tenant)s AND id = %(id)s

-- name: session_outcome
-- What a session that a step waited for came to.
SELECT session_name, status, error_message, coalesce(output_size, octet_length(output_data::text)) AS bytes,
       CASE WHEN octet_length(output_data::text) <= 1048576 THEN output_data::text END AS output
FROM holdfast.workflow_sessions WHERE tenant = %(tenant)s AND id = %(id)s

-- name: claim_events
-- On workflow_events_outbox_due (tenant, next_retry_at, created_at, id) and workflow_events_outbox_needing.
SELECT * FROM holdfast.claim_events(
  %(worker)s::text, %(share)s::int, %(lease)s::interval, coalesce(%(now)s::timestamptz, now()), %(known)s::text[],
  %(marks)s::jsonb)

-- name: release_events
SELECT holdfast.release_events(%(events)s::jsonb, coalesce(%(now)s::timestamptz, now()))

-- name: heartbeat_events
SELECT tenant::text, id::text, status FROM holdfast.heartbeat_events(
  %(tenants)s::uuid[], %(ids)s::uuid[], %(epochs)s::bigint[], %(leases)s::interval[], coalesce(%(now)s::timestamptz, now()))

-- name: tend_events
SELECT coalesce(%(now)s::timestamptz, now()) AS at, holdfast.tend_events(coalesce(%(now)s::timestamptz, now())) AS next

-- name: first_statistics
SELECT holdfast.first_statistics() AS made

-- name: due_triggers
SELECT tenant, id FROM holdfast.due_triggers(coalesce(%(now)s::timestamptz, now()))

-- name: get_instance
SELECT id, workflow_id, entity_type, entity_id AS document_id, entity_version, subject_id, partition_id, definition_id, definition_version,
       compiled_hash, status, reason, doc_status, edit_window, current_step, current_nodes, context_json::text AS context,
       active_tokens::text AS active_tokens, version, timeout_at, paused_at, paused_by, pause_reason, created_by, started_at,
       updated_at, completed_at, rejection::text AS rejection
FROM holdfast.workflow_instances WHERE tenant = %(tenant)s AND id = %(id)s

-- name: instance_of_document
-- Index workflow_instances_document.
SELECT id, workflow_id, entity_type, entity_id AS document_id, entity_version, subject_id, partition_id, definition_id, definition_version,
       compiled_hash, status, reason, doc_status, edit_window, current_step, current_nodes, context_json::text AS context,
       active_tokens::text AS active_tokens, version, timeout_at, paused_at, paused_by, pause_reason, created_by, started_at,
       updated_at, completed_at, rejection::text AS rejection
FROM holdfast.workflow_instances
WHERE tenant = %(tenant)s AND entity_id = %(document_id)s
ORDER BY status IN ('running', 'paused') DESC, started_at DESC, id DESC LIMIT 1

-- name: find_active
-- Newest first, on workflow_instances_alive (tenant, workflow_id, started_at, id) or, without a workflow, on
-- workflow_instances_started.
SELECT id, workflow_id, entity_type, entity_id AS document_id, entity_version, subject_id, partition_id, definition_id, definition_version,
       compiled_hash, status, reason, doc_status, edit_window, current_step, current_nodes, context_json::text AS context,
       active_tokens::text AS active_tokens, version, timeout_at, paused_at, paused_by, pause_reason, created_by, started_at,
       updated_at, completed_at, rejection::text AS rejection
FROM holdfast.workflow_instances
WHERE tenant = %(tenant)s AND status IN ('running', 'paused')
  AND (%(status)s::text IS NULL OR status = %(status)s)
  AND (%(workflow_id)s::text IS NULL OR workflow_id = %(workflow_id)s)
  AND (%(subject_id)s::text IS NULL OR subject_id = %(subject_id)s)
  AND (%(partition_id)s::text IS NULL OR partition_id = %(partition_id)s)
  AND (%(document_id)s::uuid IS NULL OR entity_id = %(document_id)s)
  AND (%(before)s::uuid IS NULL OR (started_at, id) < (%(before_at)s::timestamptz, %(before)s::uuid))
ORDER BY started_at DESC, id DESC LIMIT %(limit)s

-- name: versions_of_documents
-- Which version rows some documents have under some numbers; on entity_versions_tenant_entity_id_version_key.
SELECT v.id, v.entity_id AS document_id, v.version
FROM unnest(%(documents)s::uuid[], %(versions)s::integer[]) n (document_id, version)
JOIN holdfast.entity_versions v ON v.tenant = %(tenant)s AND v.entity_id = n.document_id AND v.version = n.version

-- name: list_instances
-- Newest first, on workflow_instances_started: an id may be the caller's own, and says nothing about time then.
SELECT id, workflow_id, entity_type, entity_id AS document_id, entity_version, subject_id, partition_id, definition_id, definition_version,
       compiled_hash, status, reason, doc_status, edit_window, current_step, current_nodes, context_json::text AS context,
       active_tokens::text AS active_tokens, version, timeout_at, paused_at, paused_by, pause_reason, created_by, started_at,
       updated_at, completed_at, rejection::text AS rejection
FROM holdfast.workflow_instances
WHERE tenant = %(tenant)s
  AND (%(status)s::text IS NULL OR status = %(status)s)
  AND (%(workflow_id)s::text IS NULL OR workflow_id = %(workflow_id)s)
  AND (%(subject_id)s::text IS NULL OR subject_id = %(subject_id)s)
  AND (%(partition_id)s::text IS NULL OR partition_id = %(partition_id)s)
  AND (%(document_id)s::uuid IS NULL OR entity_id = %(document_id)s)
  AND (%(doc_status)s::text IS NULL OR doc_status = %(doc_status)s)
  AND (%(node)s::text IS NULL OR %(node)s = ANY (current_nodes))
  AND (%(started_before)s::timestamptz IS NULL OR started_at < %(started_before)s::timestamptz)
  AND (%(updated_before)s::timestamptz IS NULL OR updated_at < %(updated_before)s::timestamptz)
  AND (%(fields)s::jsonb IS NULL OR EXISTS (
    SELECT FROM holdfast.entities e WHERE e.tenant = workflow_instances.tenant AND e.id = workflow_instances.entity_id
      AND e.deleted_at IS NULL AND e.data @> %(fields)s::jsonb))
  AND (%(before)s::uuid IS NULL OR (started_at, id) < (%(before_at)s::timestamptz, %(before)s::uuid))
ORDER BY started_at DESC, id DESC LIMIT %(limit)s

-- name: dead_letters
-- On workflow_events_outbox_dead, the latest first.
SELECT id, instance_id, entity_type, entity_id AS document_id, event_type, attempts, error, needs, actor, created_at
FROM holdfast.workflow_events_outbox
WHERE tenant = %(tenant)s AND status = 'dead_letter'
  AND (%(event_type)s::text IS NULL OR event_type = %(event_type)s)
  AND (%(instance_id)s::uuid IS NULL OR instance_id = %(instance_id)s)
  AND (%(before)s::uuid IS NULL OR (created_at, id) < (%(before_at)s::timestamptz, %(before)s::uuid))
ORDER BY created_at DESC, id DESC LIMIT %(limit)s

-- name: replay_dead_letters
-- On workflow_events_outbox_dead, the oldest first.
SELECT holdfast.replay_process_event(d.id, %(actor)s, coalesce(%(now)s::timestamptz, now())) AS done FROM (
  SELECT id FROM holdfast.workflow_events_outbox
  WHERE tenant = %(tenant)s AND status = 'dead_letter'
    AND (%(event_type)s::text IS NULL OR event_type = %(event_type)s)
    AND (%(instance_id)s::uuid IS NULL OR instance_id = %(instance_id)s)
  ORDER BY created_at LIMIT %(most)s) d

-- name: buffered_events
-- On workflow_inbound_events_waiting for one key; else all that wait, of which there are few: they expire.
SELECT id, event_key, actor, received_at, expires_at FROM holdfast.workflow_inbound_events
WHERE tenant = %(tenant)s AND matched_at IS NULL AND expires_at > coalesce(%(now)s::timestamptz, now())
  AND (%(event_key)s::text IS NULL OR event_key = %(event_key)s)
  AND (%(before)s::uuid IS NULL OR (received_at, id) < (%(before_at)s::timestamptz, %(before)s::uuid))
ORDER BY received_at DESC, id DESC LIMIT %(limit)s

-- name: find_expired
-- Index workflow_instances_expired. Nothing happens to what is paused, whatever its time.
SELECT id, workflow_id, entity_type, entity_id AS document_id, entity_version, subject_id, partition_id, definition_id, definition_version,
       compiled_hash, status, reason, doc_status, edit_window, current_step, current_nodes, context_json::text AS context,
       active_tokens::text AS active_tokens, version, timeout_at, paused_at, paused_by, pause_reason, created_by, started_at,
       updated_at, completed_at, rejection::text AS rejection
FROM holdfast.workflow_instances
WHERE tenant = %(tenant)s AND status IN ('running', 'paused') AND paused_at IS NULL
  AND timeout_at <= coalesce(%(now)s::timestamptz, now())
ORDER BY timeout_at LIMIT %(limit)s

-- name: look_at_instance
SELECT definition_id, definition_version, compiled_hash, status, version, state::text AS state,
       active_tokens::text AS active_tokens
FROM holdfast.workflow_instances WHERE tenant = %(tenant)s AND id = %(id)s

-- name: list_steps
-- Index workflow_step_executions_timeline.
SELECT id, node_id, node_type, token_id, entity_version, status, outcome, run_as, acted_as, actor_user_id AS actor, settled_by,
       input_json::text AS input, output_json::text AS output, output_packed, output_hash, error::text AS error, opened_seq, settled_seq, created_at,
       completed_at, duration_ms, resume_at, waiting_for_event_key, approval_request_id, applied, snapshot_version_id, trace_id
FROM holdfast.workflow_step_executions
WHERE tenant = %(tenant)s AND instance_id = %(id)s AND opened_seq > %(after)s
ORDER BY opened_seq LIMIT %(limit)s

-- name: history
-- Index workflow_step_executions_timeline.
SELECT idempotency_key, node_id, node_type, token_id, entity_version, status, outcome, created_at, completed_at,
       input_json::text AS input_json, output_json::text AS output_json, output_packed, output_hash, error::text AS error, run_as, actor_user_id, settled_by,
       resume_at, waiting_for_event_key, join_key, origin, opened_seq, settled_seq, waited,
       opened_output::text AS opened_output
FROM holdfast.workflow_step_executions WHERE tenant = %(tenant)s AND instance_id = %(id)s

-- name: pause_instance
SELECT holdfast.pause_instance(%(id)s::uuid, %(status)s::text, %(by)s, %(reason)s::text, coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: offer_events
SELECT holdfast.offer_events(%(id)s::uuid, NULL, coalesce(%(now)s::timestamptz, now())) WHERE %(tenant)s::uuid IS NOT NULL

-- name: replay_event
SELECT holdfast.replay_process_event(%(id)s::uuid, %(actor)s, coalesce(%(now)s::timestamptz, now())) AS done
WHERE %(tenant)s::uuid IS NOT NULL

-- name: skip_event
SELECT holdfast.skip_process_event(%(id)s::uuid, %(reason)s, %(actor)s, coalesce(%(now)s::timestamptz, now())) AS done
WHERE %(tenant)s::uuid IS NOT NULL

-- name: rebuild_instance
SELECT i.definition_id, i.definition_version, i.compiled_hash, i.version, i.state::text AS state, i.paused_at IS NOT NULL AS paused,
       i.active_tokens::text AS active_tokens, i.current_nodes, i.status, i.completed_at, i.edit_window, i.doc_status,
       i.entity_version, i.reason, i.timeout_at, i.context_json::text AS context, i.entity_type
FROM holdfast.workflow_instances i WHERE i.tenant = %(tenant)s AND i.id = %(id)s

-- name: write_projection
SELECT holdfast.write_advance(NULL, NULL, NULL, NULL, %(moved)s::jsonb, %(trail)s::jsonb, NULL, NULL, NULL,
                              coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: stuck_instances
-- Running, nothing posted for them that any worker takes, nothing done for a while; with the steps whose run, session or effect is under
-- way and may take as long as it likes, why others are not (no worker takes the effect or run, or something is lacking), what code events wait for that no
-- worker has, the steps whose request is open, requests that nobody can answer, and why events cannot happen. On workflow_instances_status (tenant, status, id) and the indexes by instance.
WITH idle AS MATERIALIZED (
  SELECT * FROM holdfast.idle_runs(coalesce(%(now)s::timestamptz, now()) - %(older)s::interval, coalesce(%(now)s::timestamptz, now()))
)
SELECT i.id, i.workflow_id, i.current_nodes, i.updated_at, i.version, i.definition_id, i.definition_version, i.compiled_hash,
       i.state::text AS state, i.active_tokens::text AS active_tokens,
       coalesce(%(now)s::timestamptz, now()) - %(older)s::interval AS late,
       ARRAY(SELECT w.step_key FROM holdfast.workflow_run_wait w
             JOIN holdfast.workflow_run r ON r.tenant = w.tenant AND r.id = w.run_id AND NOT r.done
             WHERE w.tenant = i.tenant AND w.instance_id = i.id AND w.step_key NOT IN (SELECT n.step_key FROM idle n)
             UNION ALL
             SELECT w.step_key FROM holdfast.workflow_session_wait w
             WHERE w.tenant = i.tenant AND w.instance_id = i.id AND w.step_key NOT IN (SELECT n.step_key FROM idle n)
             UNION ALL
             SELECT f.step_key FROM holdfast.workflow_side_effects_outbox f
             WHERE f.tenant = i.tenant AND f.instance_id = i.id AND f.status IN ('pending', 'processing', 'failed')
               AND (f.status = 'processing'
                    OR f.next_retry_at >= coalesce(%(now)s::timestamptz, now()) - %(older)s::interval
                       AND holdfast.lacked_by_effect(f.error) IS NULL)
            ) AS under_way,
       (SELECT jsonb_object_agg(n.step_key, n.why) FROM (
          SELECT f.step_key, CASE WHEN holdfast.lacked_by_effect(f.error) IS NOT NULL THEN jsonb_build_object('message', f.error)
                   ELSE jsonb_build_object('kind', f.effect_type) END AS why
          FROM holdfast.workflow_side_effects_outbox f
          WHERE f.tenant = i.tenant AND f.instance_id = i.id AND f.status IN ('pending', 'failed')
            AND (f.next_retry_at < coalesce(%(now)s::timestamptz, now()) - %(older)s::interval
                 OR holdfast.lacked_by_effect(f.error) IS NOT NULL)
          UNION ALL
          SELECT w.step_key, jsonb_build_object('needs', w.needs)
          FROM idle w WHERE w.tenant = i.tenant AND w.instance_id = i.id) n) AS untaken,
       (SELECT jsonb_object_agg(n.needs, n.since) FROM (
          SELECT o.needs, min(o.created_at) AS since FROM holdfast.workflow_events_outbox o
          WHERE o.tenant = i.tenant AND o.instance_id = i.id AND o.status IN ('pending', 'failed') AND o.needs IS NOT NULL
          GROUP BY o.needs) n) AS needs,
       ARRAY(SELECT r.step_key FROM holdfast.approval_requests r
             WHERE r.tenant = i.tenant AND r.instance_id = i.id AND r.status = 'open') AS asked,
       ARRAY(SELECT r.title FROM holdfast.approval_requests r
             WHERE r.tenant = i.tenant AND r.instance_id = i.id AND r.status = 'open' AND NOT holdfast.can_answer(r)) AS unanswerable,
       ARRAY(SELECT o.error FROM holdfast.workflow_events_outbox o
             WHERE o.tenant = i.tenant AND o.instance_id = i.id AND o.error IS NOT NULL AND o.needs IS NULL
               AND o.status IN ('pending', 'dead_letter') ORDER BY o.created_at) AS errors
FROM holdfast.workflow_instances i
WHERE i.tenant = %(tenant)s AND i.status = 'running'
  AND i.updated_at < coalesce(%(now)s::timestamptz, now()) - %(older)s::interval
  AND NOT EXISTS (
    SELECT FROM holdfast.workflow_events_outbox o
    WHERE o.tenant = i.tenant AND o.instance_id = i.id
      -- One that waits for an operator is told of, not a reason to be silent.
      AND (o.status = 'processing' OR o.status = 'failed' AND o.needs IS NULL
           OR o.status = 'pending' AND o.needs IS NULL AND o.error IS NULL))
  AND (%(after)s::uuid IS NULL OR i.id > %(after)s)
ORDER BY i.id LIMIT %(limit)s

-- name: migrate_instance
SELECT holdfast.migrate_instance(%(id)s::uuid, %(version)s, %(definition_id)s::uuid, %(definition_version)s, %(compiled_hash)s,
                                 coalesce(%(now)s::timestamptz, now())) AS done
WHERE %(tenant)s::uuid IS NOT NULL

-- name: inbox_health
SELECT count(*) FILTER (WHERE status = 'pending') AS pending, count(*) FILTER (WHERE status = 'failed') AS failed,
       count(*) FILTER (WHERE status = 'processing') AS processing,
       count(*) FILTER (WHERE status = 'dead_letter') AS dead_letters,
       count(*) FILTER (WHERE status = 'processing' AND lease_until < coalesce(%(now)s::timestamptz, now())) AS stuck,
       extract(epoch FROM coalesce(%(now)s::timestamptz, now())
               - min(created_at) FILTER (WHERE status IN ('pending', 'failed')))::float8 AS oldest_seconds
FROM holdfast.workflow_events_outbox
WHERE tenant = %(tenant)s AND status IN ('pending', 'failed', 'processing', 'dead_letter')

-- name: inbox_latency
SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM completed_at - created_at))::float8 AS p95_seconds,
       count(*) AS handled
FROM holdfast.workflow_events_outbox
WHERE tenant = %(tenant)s AND status = 'completed' AND created_at > coalesce(%(now)s::timestamptz, now()) - interval '1 hour'

-- name: unknown_code
-- What steps wait for that no worker has come by for: due for a minute, and nobody took them. On workflow_events_outbox_needing; and runs
-- that no worker could take.
SELECT needs, count(*) AS steps, min(since) AS since FROM (
  SELECT needs, created_at AS since FROM holdfast.workflow_events_outbox
  WHERE tenant = %(tenant)s AND status IN ('pending', 'failed') AND needs IS NOT NULL
    AND next_retry_at < coalesce(%(now)s::timestamptz, now()) - interval '1 minute'
  UNION ALL
  SELECT needs, since
  FROM holdfast.idle_runs(coalesce(%(now)s::timestamptz, now()) - interval '1 minute', coalesce(%(now)s::timestamptz, now()))
  WHERE tenant = %(tenant)s) n
GROUP BY needs ORDER BY needs

-- name: retry_waiting
SELECT holdfast.retry_waiting_events(coalesce(%(now)s::timestamptz, now())) WHERE %(tenant)s::uuid IS NOT NULL

-- name: prune
SELECT holdfast.prune_receipts(coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int), %(at_most)s::int)
         AS receipts,
       holdfast.prune_outboxes(coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int), %(at_most)s::int)
         AS delivered,
       holdfast.drop_expired_events(coalesce(%(now)s::timestamptz, now()), %(at_most)s::int) AS expired

-- name: steps_to_pack
SELECT tenant, created_at, id, output FROM holdfast.steps_to_pack(coalesce(%(now)s::timestamptz, now()), %(at_most)s)

-- name: pack_steps
SELECT holdfast.pack_steps(%(tenants)s::uuid[], %(moments)s::timestamptz[], %(ids)s::uuid[], %(packed)s::bytea[],
                           coalesce(%(now)s::timestamptz, now())) AS packed

-- name: append_remark
-- What somebody adds to the events of an instance; it is there, because its row is.
INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
SELECT %(tenant)s, 'instance', i.id, %(event)s, %(actor)s, %(data)s::jsonb, coalesce(%(now)s::timestamptz, now())
FROM holdfast.workflow_instances i WHERE i.tenant = %(tenant)s AND i.id = %(id)s

-- name: events_of_instance
-- On workflow_event_chained_object. As text: numbers keep their digits.
SELECT event_type, actor, data::text AS data, created_at, step_id FROM holdfast.workflow_event_chained
WHERE tenant = %(tenant)s AND object_id = %(id)s AND object_kind = 'instance' ORDER BY created_at, id
