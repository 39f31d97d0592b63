CREATE TRIGGER guard BEFORE UPDATE ON holdfast.workflow_operation FOR EACH ROW
  WHEN (OLD.status IN ('completed', 'failed', 'cancelled')
        OR NEW.status = 'pending' AND OLD.status <> 'pending')
  EXECUTE FUNCTION holdfast.guard_operation();
