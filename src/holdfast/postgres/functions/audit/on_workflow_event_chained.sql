-- Before the event gets its place in a chain: triggers go by their names.
CREATE TRIGGER acting_party BEFORE INSERT ON holdfast.workflow_event_chained
  FOR EACH ROW WHEN (current_setting('holdfast.party', true) <> '') EXECUTE FUNCTION holdfast.name_party();
CREATE TRIGGER chain BEFORE INSERT ON holdfast.workflow_event_chained
  FOR EACH ROW EXECUTE FUNCTION holdfast.chain_event();
CREATE TRIGGER check_time BEFORE INSERT ON holdfast.workflow_event_chained
  FOR EACH ROW WHEN (NEW.created_at <> now()) EXECUTE FUNCTION holdfast.check_event_time();
CREATE TRIGGER wake AFTER INSERT ON holdfast.workflow_event_chained
  FOR EACH STATEMENT EXECUTE FUNCTION holdfast.live_wake();
