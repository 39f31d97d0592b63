CREATE TRIGGER guard BEFORE UPDATE ON holdfast.approval_requests FOR EACH ROW EXECUTE FUNCTION holdfast.guard_request();

CREATE TRIGGER clear_inboxes AFTER UPDATE ON holdfast.approval_requests FOR EACH ROW
  WHEN (OLD.status = 'open' AND NEW.status <> 'open') EXECUTE FUNCTION holdfast.clear_inboxes();
