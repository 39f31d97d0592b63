CREATE TRIGGER guard_new BEFORE INSERT ON holdfast.approval_decisions
  FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_decision();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.approval_decisions FOR EACH ROW EXECUTE FUNCTION holdfast.guard_decision();
