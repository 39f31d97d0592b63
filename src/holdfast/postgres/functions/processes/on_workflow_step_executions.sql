CREATE TRIGGER restrict_status_regression BEFORE UPDATE ON holdfast.workflow_step_executions FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT (
    (OLD.status = 'pending' AND NEW.status IN ('running', 'completed', 'failed', 'skipped', 'cancelled'))
    OR (OLD.status = 'running' AND NEW.status IN ('completed', 'failed', 'skipped', 'cancelled'))))
  EXECUTE FUNCTION holdfast.restrict_status_regression('a step', 'what happened stays so; let it be tried again as a new step');

CREATE TRIGGER restrict_step_execution_updates BEFORE UPDATE ON holdfast.workflow_step_executions FOR EACH ROW
  WHEN (NEW.tenant <> OLD.tenant OR NEW.id <> OLD.id OR NEW.created_at <> OLD.created_at
        OR NEW.instance_id <> OLD.instance_id OR NEW.node_id <> OLD.node_id OR NEW.node_type <> OLD.node_type
        OR NEW.token_id <> OLD.token_id OR NEW.entity_version <> OLD.entity_version OR NEW.run_as <> OLD.run_as
        OR NEW.idempotency_key <> OLD.idempotency_key OR NEW.origin IS DISTINCT FROM OLD.origin
        OR NEW.opened_seq <> OLD.opened_seq OR NEW.waited IS DISTINCT FROM OLD.waited
        OR NEW.input_json IS DISTINCT FROM OLD.input_json OR NEW.opened_output IS DISTINCT FROM OLD.opened_output
        OR NEW.actor_user_id IS DISTINCT FROM OLD.actor_user_id OR NEW.acted_as IS DISTINCT FROM OLD.acted_as
        OR NEW.snapshot_version_id IS DISTINCT FROM OLD.snapshot_version_id
        OR NEW.trace_id IS DISTINCT FROM OLD.trace_id
        -- A settled step keeps what it gave. Its approval may still be used up, once (WF-03).
        OR (OLD.settled_seq IS NOT NULL AND (
          NEW.settled_seq IS DISTINCT FROM OLD.settled_seq OR NEW.outcome IS DISTINCT FROM OLD.outcome
          OR NEW.settled_by IS DISTINCT FROM OLD.settled_by OR NEW.completed_at IS DISTINCT FROM OLD.completed_at))
        OR (OLD.applied AND NEW.applied IS DISTINCT FROM OLD.applied))
  EXECUTE FUNCTION holdfast.restrict_step_execution_updates();
