CREATE TRIGGER restrict_status_regression BEFORE UPDATE ON holdfast.workflow_instances FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT (
    (OLD.status = 'running' AND NEW.status IN ('paused', 'completed', 'failed', 'cancelled'))
    -- A step that failed pauses the instance, but a branch beside it may still bring it to its end.
    OR (OLD.status = 'paused' AND NEW.status IN ('running', 'completed', 'failed', 'cancelled'))))
  EXECUTE FUNCTION holdfast.restrict_status_regression('an instance', 'what is over stays over; start a new one');

CREATE TRIGGER restrict_instance_update BEFORE UPDATE ON holdfast.workflow_instances FOR EACH ROW
  WHEN (NEW.tenant <> OLD.tenant OR NEW.id <> OLD.id OR NEW.entity_type <> OLD.entity_type OR NEW.entity_id IS DISTINCT FROM OLD.entity_id
        OR NEW.subject_id <> OLD.subject_id OR NEW.started_at <> OLD.started_at OR NEW.created_by <> OLD.created_by
        OR NEW.version < OLD.version OR NEW.entity_version < OLD.entity_version)
  EXECUTE FUNCTION holdfast.restrict_instance_update();
