-- Sessions. What changes them is in functions; here is mostly what reads them.

-- name: register_definition
SELECT holdfast.register_definition(
  %(name)s::text, %(spec)s::jsonb, %(source)s::text, %(replace)s::boolean, coalesce(%(now)s::timestamptz, now())) AS revision

-- name: definitions
-- Rides on the primary key; there are few.
SELECT name, revision, display_name, description, container_image, input_schema, version, tags, concurrent_input,
       timeout_seconds, source, phase, phase_reason, registered_at, last_updated,
       holdfast.count_active_sessions(name) AS active_sessions
FROM holdfast.workflow_definition_registry
WHERE (%(name)s::text IS NULL OR name = %(name)s) AND (%(tag)s::text IS NULL OR %(tag)s = ANY (tags))
ORDER BY name

-- name: definitions_for_tenants
-- Without the sessions of others.
SELECT name, revision, display_name, description, container_image, input_schema, version, tags, concurrent_input,
       timeout_seconds, source, phase, phase_reason, registered_at, last_updated,
       (SELECT count(*) FROM holdfast.workflow_sessions s
        WHERE s.tenant = %(tenant)s AND s.workflow_name = r.name
          AND s.status IN ('pending', 'running', 'waiting_for_input')) AS active_sessions
FROM holdfast.workflow_definition_registry r
WHERE (%(name)s::text IS NULL OR name = %(name)s) AND (%(tag)s::text IS NULL OR %(tag)s = ANY (tags))
ORDER BY name

-- name: definition_versions
SELECT name, revision, spec, created_at FROM holdfast.workflow_definition_version WHERE name = %(name)s ORDER BY revision

-- name: definition_version
SELECT spec FROM holdfast.workflow_definition_version
WHERE name = %(name)s AND revision = %(revision)s AND %(tenant)s::uuid IS NOT NULL

-- name: definition_graph
-- Rides on the primary key.
SELECT graph FROM holdfast.workflow_definition_version
WHERE name = %(name)s AND revision = %(revision)s AND %(tenant)s::uuid IS NOT NULL

-- name: draw_definition
SELECT holdfast.draw_definition(%(name)s::text, %(revision)s::integer, %(drawing)s::jsonb)

-- name: set_definition_phase
SELECT holdfast.set_definition_phase(
  %(name)s::text, %(phase)s::text, %(reason)s::text, coalesce(%(now)s::timestamptz, now())) AS done

-- name: delete_definition
SELECT holdfast.delete_definition(%(name)s::text) AS done

-- name: use_definition
SELECT name, revision, phase, container_image, input_schema, timeout_seconds
FROM holdfast.use_definition(%(name)s::text) WHERE %(tenant)s::uuid IS NOT NULL

-- name: start
SELECT holdfast.start_session(
  %(id)s::uuid, %(name)s::text, %(workflow)s::text, %(revision)s::int, %(input)s::text, %(actor)s::text,
  %(party)s::text, %(timeout)s::interval, %(max_attempts)s::int, %(notify_type)s::text, %(notify_payload)s::text,
  coalesce(%(now)s::timestamptz, now())) AS created
WHERE %(tenant)s::uuid IS NOT NULL

-- name: get
-- Rides on workflow_sessions_project_session_key.
SELECT id, project_name, session_name, workflow_name, definition_revision, input_data, output_data, status, created_at,
       started_at, completed_at, created_by, error_message, timeout_at, run_id, last_sequence, forked_from,
       forked_checkpoint, output_reference, output_hash, output_size
FROM holdfast.workflow_sessions WHERE tenant = %(tenant)s AND session_name = %(name)s

-- name: find
-- The little of a session that following it needs.
SELECT id, session_name, status, last_sequence, run_id, workflow_name, definition_revision FROM holdfast.workflow_sessions
WHERE tenant = %(tenant)s AND session_name = %(name)s

-- name: list
-- Newest first: by primary key, or by workflow_sessions_workflow_name_idx; ids are made in the order of time.
SELECT id, project_name, session_name, workflow_name, definition_revision, status, created_at, started_at, completed_at,
       created_by, error_message, timeout_at, run_id, last_sequence, forked_from, forked_checkpoint, output_reference,
       output_hash, output_size
FROM holdfast.workflow_sessions
WHERE tenant = %(tenant)s
  AND (%(before)s::uuid IS NULL OR id < %(before)s)
  AND (%(status)s::text IS NULL OR status = %(status)s)
  AND (%(workflow)s::text IS NULL OR workflow_name = %(workflow)s)
ORDER BY id DESC
LIMIT %(limit)s

-- name: list_by_input
-- The ids by workflow_sessions_input_data_gin_idx, in a function; the rows by primary key.
SELECT s.id, s.project_name, s.session_name, s.workflow_name, s.definition_revision, s.status, s.created_at, s.started_at,
       s.completed_at, s.created_by, s.error_message, s.timeout_at, s.run_id, s.last_sequence, s.forked_from,
       s.forked_checkpoint, s.output_reference, s.output_hash, s.output_size
FROM holdfast.sessions_with_input(
  %(input)s::text, %(before)s::uuid, %(status)s::text, %(workflow)s::text, %(limit)s::int) found
JOIN holdfast.workflow_sessions s ON s.tenant = %(tenant)s AND s.id = found.id
ORDER BY s.id DESC

-- name: messages
-- Rides on session_messages_session_sequence_key.
SELECT id, message_type, content, sequence_number, timestamp FROM holdfast.session_messages
WHERE tenant = %(tenant)s AND workflow_session_id = %(session)s AND sequence_number > %(after)s
  AND (%(type)s::text IS NULL OR message_type = %(type)s)
ORDER BY sequence_number LIMIT %(limit)s

-- name: prompts
SELECT prompt_id, status, content, response_schema, opened_at, expires_at, answer, answered_by, closed_at
FROM holdfast.session_prompts
WHERE tenant = %(tenant)s AND workflow_session_id = %(session)s AND (NOT %(open_only)s::boolean OR status = 'open')
ORDER BY opened_at, prompt_id

-- name: answer
SELECT holdfast.answer_prompt(
  %(session)s::uuid, %(prompt)s::text, %(value)s::text, %(actor)s::text, coalesce(%(now)s::timestamptz, now())) AS was
WHERE %(tenant)s::uuid IS NOT NULL

-- name: add_input
SELECT holdfast.add_input(
  %(session)s::uuid, %(id)s::uuid, %(kind)s::text, %(body)s::text, %(as_node)s::text, %(at_once)s::boolean,
  %(actor)s::text, %(party)s::text, coalesce(%(now)s::timestamptz, now())) AS was
WHERE %(tenant)s::uuid IS NOT NULL

-- name: cancel_run
SELECT count(*) > 0 AS done FROM holdfast.cancel_run(
  %(run)s::uuid, %(reason)s::text, %(actor)s::text, 'nothing', coalesce(%(now)s::timestamptz, now()))
WHERE %(tenant)s::uuid IS NOT NULL

-- name: cancel
SELECT holdfast.cancel_session(%(session)s::uuid, %(reason)s::text, coalesce(%(now)s::timestamptz, now())) AS done
WHERE %(tenant)s::uuid IS NOT NULL

-- name: delete
SELECT holdfast.delete_session(%(session)s::uuid) AS done WHERE %(tenant)s::uuid IS NOT NULL

-- name: fork
SELECT holdfast.fork_session(
  %(source)s::uuid, %(checkpoint)s::text, %(id)s::uuid, %(name)s::text, %(actor)s::text, %(party)s::text,
  %(timeout)s::interval, coalesce(%(now)s::timestamptz, now())) AS outcome
WHERE %(tenant)s::uuid IS NOT NULL

-- name: prune
SELECT holdfast.prune_session(%(session)s::uuid) AS gone WHERE %(tenant)s::uuid IS NOT NULL

-- name: prune_old
-- What ended long ago by workflow_sessions_completed_at_idx, what waits by workflow_sessions_active_idx.
SELECT finished, pruned, nullif(reached, '-infinity') AS reached FROM holdfast.prune_sessions(
  %(tenant)s::uuid, coalesce(%(since)s::timestamptz, '-infinity'),
  coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int), %(most)s::int)

-- name: checkpoints
-- Newest first, of the graph itself. Rides on the primary key of LangGraph's table.
SELECT c.checkpoint_id, c.parent_checkpoint_id, (c.checkpoint ->> 'ts')::timestamptz AS created_at,
       c.metadata ->> 'source' AS source, (c.metadata ->> 'step')::int AS step,
       ARRAY(SELECT jsonb_object_keys(c.checkpoint -> 'channel_versions')) AS channels
FROM holdfast_langgraph.checkpoints c
WHERE c.thread_id = holdfast.thread_of(%(project)s::text, %(name)s::text) AND c.checkpoint_ns = ''
  AND (%(before)s::text IS NULL OR c.checkpoint_id < %(before)s) AND %(tenant)s::uuid IS NOT NULL
ORDER BY c.checkpoint_id DESC LIMIT %(limit)s

-- name: load_checkpoints
-- Checkpoints of one graph of a thread, newest first, each with its channels' values and with what is pending on it.
SELECT c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id, c.checkpoint, c.metadata,
       v.channels, v.types, v.blobs, w.tasks, w.channels AS w_channels, w.types AS w_types, w.blobs AS w_blobs
FROM holdfast_langgraph.checkpoints c
CROSS JOIN LATERAL (
  SELECT array_agg(b.channel) AS channels, array_agg(b.type) AS types, array_agg(b.blob) AS blobs
  FROM jsonb_each_text(c.checkpoint -> 'channel_versions') used
  JOIN holdfast_langgraph.checkpoint_blobs b
    ON b.thread_id = c.thread_id AND b.checkpoint_ns = c.checkpoint_ns AND b.channel = used.key AND b.version = used.value
  WHERE b.type <> 'empty') v
CROSS JOIN LATERAL (
  SELECT array_agg(p.task_id ORDER BY p.task_path COLLATE "C", p.task_id COLLATE "C", p.idx) AS tasks,
         array_agg(p.channel ORDER BY p.task_path COLLATE "C", p.task_id COLLATE "C", p.idx) AS channels,
         array_agg(p.type ORDER BY p.task_path COLLATE "C", p.task_id COLLATE "C", p.idx) AS types,
         array_agg(p.blob ORDER BY p.task_path COLLATE "C", p.task_id COLLATE "C", p.idx) AS blobs
  FROM holdfast_langgraph.checkpoint_writes p
  WHERE p.thread_id = c.thread_id AND p.checkpoint_ns = c.checkpoint_ns AND p.checkpoint_id = c.checkpoint_id) w
WHERE c.thread_id = %(thread)s::text AND c.checkpoint_ns = %(space)s::text
  AND (%(checkpoint)s::text IS NULL OR c.checkpoint_id = %(checkpoint)s)
  AND (%(before)s::text IS NULL OR c.checkpoint_id < %(before)s)
  AND (%(filter)s::jsonb IS NULL OR c.metadata @> %(filter)s)
  AND %(tenant)s::uuid IS NOT NULL
ORDER BY c.checkpoint_id DESC LIMIT %(limit)s::int

-- name: storage
-- Bytes as they are stored, compressed where they are. By thread: without the collation no index of them
-- could be used, and without OFFSET, which has the thread named first, none behind the tables' policies.
SELECT
  (SELECT coalesce(sum(pg_column_size(c.*)), 0) FROM holdfast_langgraph.checkpoints c WHERE c.thread_id = s.thread)::bigint
    AS checkpoints,
  (SELECT coalesce(sum(pg_column_size(b.blob)), 0) FROM holdfast_langgraph.checkpoint_blobs b WHERE b.thread_id = s.thread)::bigint
    AS channels,
  (SELECT coalesce(sum(pg_column_size(w.blob)), 0) FROM holdfast_langgraph.checkpoint_writes w WHERE w.thread_id = s.thread)::bigint
    AS writes,
  (SELECT coalesce(sum(pg_column_size(m.content)), 0) FROM holdfast.session_messages m
   WHERE m.tenant = %(tenant)s AND m.workflow_session_id = %(session)s)::bigint AS messages,
  (SELECT count(*) FROM holdfast_langgraph.checkpoints c WHERE c.thread_id = s.thread)::int AS checkpoint_count
FROM (SELECT holdfast.thread_of(project_name, session_name) COLLATE "default" AS thread FROM holdfast.workflow_sessions
      WHERE tenant = %(tenant)s AND id = %(session)s OFFSET 0) s

-- name: begin
SELECT outcome, project, name, workflow, fresh, interrupted, input, seconds_left, answers, queued, party, revision
FROM holdfast.begin_session(
  %(tenant)s::uuid, %(session)s::uuid, %(run)s::uuid, %(epoch)s::bigint, coalesce(%(now)s::timestamptz, now()))

-- name: save
-- Everything that several sessions have to save: one statement, one round trip, one commit.
SELECT place, verdict FROM holdfast.save_sessions(
  %(saves)s::jsonb, %(bytes)s::bytea, %(again)s::boolean, coalesce(%(now)s::timestamptz, now()))

-- name: wait
SELECT holdfast.wait_for_input(
  %(tenant)s::uuid, %(session)s::uuid, %(run)s::uuid, %(epoch)s::bigint, %(ids)s::text[], %(contents)s::text[],
  %(schemas)s::text[], %(lifetimes)s::interval[], coalesce(%(now)s::timestamptz, now())) AS outcome

-- name: finish
SELECT holdfast.finish_session(
  %(tenant)s::uuid, %(session)s::uuid, %(run)s::uuid, %(epoch)s::bigint, %(output)s::text, %(reference)s::text,
  %(hash)s::text, %(size)s::bigint, %(error)s::text, %(trace)s::text,
  coalesce(%(now)s::timestamptz, now())) AS outcome

-- name: announce_output
SELECT holdfast.announce_output(
  %(tenant)s::uuid, %(session)s::uuid, %(run)s::uuid, %(epoch)s::bigint, %(object)s::text,
  coalesce(%(now)s::timestamptz, now())) AS done

-- name: next_input
SELECT holdfast.next_input(%(tenant)s::uuid, %(session)s::uuid) AS queued

-- name: expire
SELECT holdfast.expire_session(%(tenant)s::uuid, %(session)s::uuid, coalesce(%(now)s::timestamptz, now())) AS done

-- name: to_place
SELECT tenant, project, session, name, workflow, image, run FROM holdfast.sessions_to_place()

-- name: langgraph_version
SELECT coalesce(max(v), -1) AS version FROM holdfast_langgraph.checkpoint_migrations

-- name: langgraph_tables
SELECT to_regclass('holdfast_langgraph.checkpoint_migrations') IS NOT NULL AS it

-- name: setup_path
SET search_path = holdfast_langgraph

-- name: protect_threads
SELECT holdfast.protect_threads()

-- name: wait_for_session
INSERT INTO holdfast.workflow_session_wait (tenant, session_id, instance_id, token_id, step_key, entity_version)
VALUES (%(tenant)s, %(session_id)s, %(instance_id)s, %(token_id)s, %(step_key)s, %(entity_version)s)

-- name: sessions_of_steps
-- Sessions that steps wait for, on workflow_session_wait_step (tenant, step_key).
SELECT s.session_name, w.step_key FROM holdfast.workflow_session_wait w
JOIN holdfast.workflow_sessions s ON s.tenant = w.tenant AND s.id = w.session_id
WHERE w.tenant = %(tenant)s AND w.step_key = ANY (%(step_keys)s::text[])
