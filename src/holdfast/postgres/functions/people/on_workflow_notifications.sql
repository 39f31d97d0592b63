CREATE TRIGGER wake AFTER INSERT ON holdfast.workflow_notifications
  FOR EACH STATEMENT EXECUTE FUNCTION holdfast.live_wake();
