CREATE TRIGGER guard BEFORE UPDATE ON holdfast.workflow_action_receipt FOR EACH ROW
  WHEN (OLD.output IS NOT NULL) EXECUTE FUNCTION holdfast.guard_receipt();
