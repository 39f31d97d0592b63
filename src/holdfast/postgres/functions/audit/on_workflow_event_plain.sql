CREATE TRIGGER check_time BEFORE INSERT ON holdfast.workflow_event_plain
  FOR EACH ROW WHEN (NEW.created_at <> now()) EXECUTE FUNCTION holdfast.check_event_time();
