CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_step_executions
  FOR EACH ROW EXECUTE FUNCTION holdfast.check_step();

-- Fires for whoever mentions one of them; the engine never does.
CREATE TRIGGER restrict_step_execution_updates
  BEFORE UPDATE OF tenant, id, created_at, instance_id, node_id, node_type, token_id, entity_version, run_as, idempotency_key,
    origin, opened_seq, waited, input_json, opened_output, actor_user_id, acted_as, snapshot_version_id, trace_id
  ON holdfast.workflow_step_executions
  FOR EACH ROW EXECUTE FUNCTION holdfast.restrict_step_execution_updates();
