CREATE TRIGGER chain BEFORE INSERT ON holdfast.workflow_event_chained
  FOR EACH ROW EXECUTE FUNCTION holdfast.chain_event();
