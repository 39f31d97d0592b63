CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.approval_requests
  FOR EACH ROW EXECUTE FUNCTION holdfast.check_request();

-- Fires for whoever mentions one of them; nobody who closes, claims or reminds does.
CREATE TRIGGER guard
  BEFORE UPDATE OF tenant, id, kind, instance_id, step_id, step_key, node_id, token_id, entity_type, entity_id, entity_version,
    content_hash, compiled_hash, snapshot_version_id, title, requester, makers, four_eyes, branches, in_parallel, may_delegate, required, outcomes, passes,
    form, chain, stage, stages, created_at
  ON holdfast.approval_requests FOR EACH ROW EXECUTE FUNCTION holdfast.guard_request();

CREATE TRIGGER clear_inboxes AFTER UPDATE OF status ON holdfast.approval_requests
  FOR EACH ROW EXECUTE FUNCTION holdfast.clear_inboxes();
