CREATE TRIGGER restrict_status_regression BEFORE UPDATE ON holdfast.workflow_what_ifs FOR EACH ROW
  WHEN (OLD.status IN ('completed', 'failed', 'cancelled'))
  EXECUTE FUNCTION holdfast.restrict_status_regression('a what-if', 'what it found stays; ask anew');
