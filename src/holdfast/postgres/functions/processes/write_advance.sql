-- Writes what followed from a happening. Each argument is a JSON array, NULL when there is nothing of its kind:
--   steps     rows of steps that are new; each needs its receipt, and a join that fires needs one more (WF-16)
--   settled   what became of steps that were open
--   statuses  moves of documents to another status, as `move_documents` takes them
--   opened    instances that begin
--   moved     instances whose projection changes, with the version that was read; `tells` where they tell of another rejection from now on
--   trail     audit events of instances
--   events    transitions of documents, posted when a trigger waits for such
--   posted    what is left to workers, as `post_events` takes it
--   done      events of the engine inbox that are done with this
-- Receipts first: one that is there already, an open step that is not, another version than was read, and nothing at all is written.
--
-- Rows are looked up by their whole key and changed together, in one statement where they lie: most of what a statement costs is its beginning. A row
-- is looked up and locked in the same breath; if somebody else changed it in that very moment it is not found where it was, which counts as theirs.
CREATE OR REPLACE FUNCTION holdfast.write_advance(
  steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb,
  done jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  wanted integer;
  written integer;
BEGIN
  IF opened IS NOT NULL THEN
    INSERT INTO holdfast.workflow_instances
      (tenant, id, definition_id, definition_version, compiled_hash, entity_type, entity_id, entity_version, status, state,
       active_tokens, current_nodes, context_json, doc_status, edit_window, timeout_at, reason, partition_id, subject_id,
       created_by, party, trace_id, amended_from_instance, last_step_execution_id, started_at, created_at, updated_at,
       completed_at, rejection)
      SELECT own, n.id, n.definition_id, n.definition_version, n.compiled_hash, n.entity_type, n.entity_id,
             n.entity_version, n.status, n.state, n.active_tokens, n.current_nodes, n.context_json, n.doc_status,
             n.edit_window, n.timeout_at, n.reason, coalesce(n.partition_id, ''), n.subject_id, n.created_by, n.party,
             n.trace_id,
             n.amended_from_instance, n.last_step_execution_id, at, at, at, n.completed_at, n.rejection
      FROM jsonb_to_recordset(opened) n (
        id uuid, definition_id uuid, definition_version integer, compiled_hash text, entity_type text, entity_id uuid,
        entity_version integer, status text, state jsonb, active_tokens jsonb, current_nodes text[], context_json jsonb,
        doc_status text, edit_window text, timeout_at timestamptz, reason text, partition_id text, subject_id text,
        created_by text, party jsonb, trace_id text, amended_from_instance uuid, last_step_execution_id uuid, completed_at timestamptz,
        rejection jsonb);
  END IF;
  IF steps IS NOT NULL THEN
    -- Receipts first, and all of them, before anything is written for a step (WF-14).
    WITH wanted_receipt AS MATERIALIZED (
      SELECT n.instance_id, r.key, n.id
      FROM jsonb_to_recordset(steps) n (instance_id uuid, key text, id uuid, join_key text)
      CROSS JOIN LATERAL unnest(ARRAY[n.key, n.join_key]) r (key)
      WHERE r.key IS NOT NULL
    ), inserted AS (
      INSERT INTO holdfast.workflow_step_receipts (tenant, instance_id, idempotency_key, step_execution_id, created_at)
      SELECT own, r.instance_id, r.key, r.id, at FROM wanted_receipt r
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT (SELECT count(*) FROM wanted_receipt), (SELECT count(*) FROM inserted) INTO wanted, written;
    IF written < wanted THEN
      RAISE EXCEPTION 'a step was about to be done that has been done before'
        USING ERRCODE = 'HF010', HINT = 'the projection is behind its steps: rebuild it';
    END IF;
    INSERT INTO holdfast.workflow_step_executions
      (tenant, created_at, id, instance_id, node_id, node_type, token_id, entity_version, status, outcome, run_as,
       idempotency_key, started_at, completed_at, duration_ms, input_json, output_json, error, actor_user_id, acted_as,
       applied, snapshot_version_id, resume_at, waiting_for_event_key, join_key, origin, opened_seq, settled_seq, waited,
       settled_by, opened_output, trace_id)
      SELECT own, n.opened_at, n.id, n.instance_id, n.node, n.node_type, n.token, n.entity_version, n.status, n.outcome,
             n.run_as, n.key, n.opened_at, n.completed_at,
             (extract(epoch FROM n.completed_at - n.opened_at) * 1000)::bigint::integer, n.input, n.output, n.error,
             n.opened_by, n.acted_as, n.applied, n.snapshot, n.resume_at, n.event_key, n.join_key, n.origin, n.opened_seq,
             n.settled_seq, n.waited, n.settled_by, n.opened_output, n.trace_id
      FROM jsonb_to_recordset(steps) n (
        opened_at timestamptz, id uuid, instance_id uuid, node text, node_type text, token text, entity_version integer,
        status text, outcome text, run_as text, key text, completed_at timestamptz, input jsonb, output jsonb, error jsonb,
        opened_by text, acted_as text, applied boolean, snapshot uuid, resume_at timestamptz, event_key text, join_key text,
        origin text, opened_seq integer, settled_seq integer, waited text, settled_by text, opened_output jsonb,
        trace_id text);
  END IF;
  IF settled IS NOT NULL THEN
    WITH found AS MATERIALIZED (
      SELECT n.*, x.leaf, x.place
      FROM jsonb_to_recordset(settled) n (
        id uuid, opened_at timestamptz, status text, outcome text, completed_at timestamptz, output jsonb, error jsonb,
        settled_seq integer, settled_by text)
      CROSS JOIN LATERAL (
        SELECT s.tableoid AS leaf, s.ctid AS place FROM holdfast.workflow_step_executions s
        WHERE s.tenant = own AND s.created_at = n.opened_at AND s.id = n.id AND s.settled_seq IS NULL FOR NO KEY UPDATE) x
    )
    UPDATE holdfast.workflow_step_executions s
      SET status = n.status, outcome = n.outcome, completed_at = n.completed_at, output_json = n.output, error = n.error,
          settled_seq = n.settled_seq, settled_by = n.settled_by,
          duration_ms = least(2147483647, extract(epoch FROM n.completed_at - s.created_at) * 1000)::bigint::integer
      FROM found n WHERE s.tableoid = n.leaf AND s.ctid = n.place;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < jsonb_array_length(settled) THEN
      RAISE EXCEPTION 'a step was about to be ended that is not open'
        USING ERRCODE = 'HF010', HINT = 'the projection is behind its steps: rebuild it';
    END IF;
  END IF;
  IF statuses IS NOT NULL THEN
    PERFORM holdfast.move_documents(statuses, at);
  END IF;
  IF moved IS NOT NULL THEN
    WITH found AS MATERIALIZED (
      SELECT n.*, x.place
      FROM jsonb_to_recordset(moved) n (
        id uuid, read_version integer, status text, state jsonb, active_tokens jsonb, current_nodes text[],
        context_json jsonb, entity_version integer, doc_status text, edit_window text, timeout_at timestamptz, reason text,
        last_step_execution_id uuid, completed_at timestamptz, tells boolean, rejection jsonb)
      CROSS JOIN LATERAL (
        SELECT i.ctid AS place FROM holdfast.workflow_instances i
        WHERE i.tenant = own AND i.id = n.id AND i.version = n.read_version FOR NO KEY UPDATE) x
    )
    UPDATE holdfast.workflow_instances i
      SET status = CASE WHEN i.paused_at IS NOT NULL AND n.status = 'running' THEN 'paused' ELSE n.status END,
          state = n.state, active_tokens = n.active_tokens, current_nodes = n.current_nodes,
          context_json = n.context_json, entity_version = n.entity_version, doc_status = n.doc_status,
          edit_window = n.edit_window, timeout_at = n.timeout_at, reason = n.reason, version = i.version + 1,
          last_step_execution_id = n.last_step_execution_id, completed_at = n.completed_at, updated_at = at,
          rejection = CASE WHEN n.tells THEN n.rejection ELSE i.rejection END
      FROM found n WHERE i.ctid = n.place;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < jsonb_array_length(moved) THEN
      RAISE EXCEPTION 'the instance was advanced by somebody else'
        USING ERRCODE = 'HF011', HINT = 'read it again and decide anew';
    END IF;
  END IF;
  IF trail IS NOT NULL THEN
    INSERT INTO holdfast.workflow_event_chained
      (tenant, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at)
      SELECT own, n.object_kind, n.object_id, n.event_type, n.actor, n.step_id, n.data, n.trace_id, at
      FROM jsonb_to_recordset(trail) n (
        object_kind text, object_id uuid, event_type text, actor text, step_id text, data jsonb, trace_id text);
  END IF;
  IF events IS NOT NULL AND EXISTS (
    SELECT FROM holdfast.workflow_triggers g
    WHERE g.tenant = own AND g.enabled AND g.trigger_type = 'on_lifecycle_transition') THEN
    PERFORM holdfast.post_events(events, at);
  END IF;
  IF posted IS NOT NULL THEN
    PERFORM holdfast.post_events(posted, at);
  END IF;
  IF done IS NOT NULL THEN
    WITH found AS MATERIALIZED (
      SELECT n.note, x.leaf, x.place
      FROM jsonb_to_recordset(done) n (id uuid, created_at timestamptz, epoch bigint, note text)
      CROSS JOIN LATERAL (
        SELECT o.tableoid AS leaf, o.ctid AS place FROM holdfast.workflow_events_outbox o
        WHERE o.tenant = own AND o.created_at = n.created_at AND o.id = n.id AND o.lease_epoch = n.epoch
          AND o.lease_until IS NOT NULL FOR NO KEY UPDATE) x
    )
    UPDATE holdfast.workflow_events_outbox o
      SET status = 'completed', completed_at = at, lease_until = NULL, leased_by = NULL, error = n.note
      FROM found n WHERE o.tableoid = n.leaf AND o.ctid = n.place;
    GET DIAGNOSTICS written = ROW_COUNT;
    IF written < jsonb_array_length(done) THEN
      RAISE EXCEPTION 'the outbox event is no longer ours' USING ERRCODE = 'HF012', HINT = 'another worker has it';
    END IF;
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.write_advance TO holdfast_app;
