-- The rows of `write_advance`, of which the parameters are. Not granted, with neither rights nor settings of its own: each costs tens of
-- microseconds a call, and those who call it have set them.
-- Rows that are there are changed one by one, each by its whole key: so a step is looked for in its month alone, and a row is not locked before it is
-- written. New rows are written together.
CREATE OR REPLACE FUNCTION holdfast.put_advance(
  own uuid, steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb,
  done jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  each record;
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
    INSERT INTO holdfast.workflow_step_receipts (tenant, instance_id, idempotency_key, step_execution_id, created_at)
      SELECT own, n.instance_id, r.key, n.id, at
      FROM jsonb_to_recordset(steps) n (instance_id uuid, key text, id uuid, join_key text)
      CROSS JOIN LATERAL unnest(ARRAY[n.key, n.join_key]) r (key)
      WHERE r.key IS NOT NULL
      ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS written = ROW_COUNT;
    wanted := jsonb_array_length(steps) + jsonb_array_length(jsonb_path_query_array(steps, '$[*].join_key'));
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
    FOR each IN
      SELECT n.* FROM jsonb_to_recordset(settled) n (
        id uuid, opened_at timestamptz, status text, outcome text, completed_at timestamptz, output jsonb, error jsonb,
        settled_seq integer, settled_by text)
    LOOP
      UPDATE holdfast.workflow_step_executions s
        SET status = each.status, outcome = each.outcome, completed_at = each.completed_at, output_json = each.output,
            error = each.error, settled_seq = each.settled_seq, settled_by = each.settled_by,
            duration_ms = least(2147483647, extract(epoch FROM each.completed_at - s.created_at) * 1000)::bigint::integer
        WHERE s.tenant = own AND s.created_at = each.opened_at AND s.id = each.id AND s.settled_seq IS NULL;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'a step was about to be ended that is not open'
          USING ERRCODE = 'HF010', HINT = 'the projection is behind its steps: rebuild it';
      END IF;
    END LOOP;
  END IF;
  IF statuses IS NOT NULL THEN
    PERFORM holdfast.move_documents(statuses, at);
  END IF;
  IF moved IS NOT NULL THEN
    FOR each IN
      SELECT n.* FROM jsonb_to_recordset(moved) n (
        id uuid, read_version integer, status text, state jsonb, active_tokens jsonb, current_nodes text[],
        context_json jsonb, entity_version integer, doc_status text, edit_window text, timeout_at timestamptz, reason text,
        last_step_execution_id uuid, completed_at timestamptz, tells boolean, rejection jsonb)
    LOOP
      UPDATE holdfast.workflow_instances i
        SET status = CASE WHEN i.paused_at IS NOT NULL AND each.status = 'running' THEN 'paused' ELSE each.status END,
            state = each.state, active_tokens = each.active_tokens, current_nodes = each.current_nodes,
            context_json = each.context_json, entity_version = each.entity_version, doc_status = each.doc_status,
            edit_window = each.edit_window, timeout_at = each.timeout_at, reason = each.reason, version = i.version + 1,
            last_step_execution_id = each.last_step_execution_id, completed_at = each.completed_at, updated_at = at,
            rejection = CASE WHEN each.tells THEN each.rejection ELSE i.rejection END
        WHERE i.tenant = own AND i.id = each.id AND i.version = each.read_version;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the instance was advanced by somebody else'
          USING ERRCODE = 'HF011', HINT = 'read it again and decide anew';
      END IF;
    END LOOP;
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
    PERFORM holdfast.post_events_for(own, events, at);
  END IF;
  IF posted IS NOT NULL THEN
    PERFORM holdfast.post_events_for(own, posted, at);
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
