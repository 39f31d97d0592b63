CREATE TRIGGER guard_new BEFORE INSERT ON holdfast.approval_decisions
  FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_decision();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.approval_decisions FOR EACH ROW EXECUTE FUNCTION holdfast.guard_decision();

-- Fires for whoever mentions one of them; nobody who uses a decision up or voids it does.
CREATE TRIGGER a_decision_never_changes
  BEFORE UPDATE OF tenant, id, request_id, instance_id, step_key, entity_id, entity_version, content_hash, compiled_hash, decision,
    outcome, decided_by, seat, reason, answer, decided_at
  ON holdfast.approval_decisions FOR EACH ROW EXECUTE FUNCTION holdfast.keep_decision();
