CREATE TRIGGER acting_party BEFORE INSERT ON holdfast.workflow_event_plain
  FOR EACH ROW WHEN (current_setting('holdfast.party', true) <> '') EXECUTE FUNCTION holdfast.name_party();
CREATE TRIGGER check_time BEFORE INSERT ON holdfast.workflow_event_plain
  FOR EACH ROW WHEN (NEW.created_at <> now()) EXECUTE FUNCTION holdfast.check_event_time();
