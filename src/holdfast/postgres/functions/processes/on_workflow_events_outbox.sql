CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_events_outbox
  FOR EACH ROW EXECUTE FUNCTION holdfast.check_inbox_event();
