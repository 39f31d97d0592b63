-- One trigger a row, without a condition: Postgres would read that anew for every statement.
CREATE TRIGGER chain BEFORE INSERT ON holdfast.workflow_event_chained
  FOR EACH ROW EXECUTE FUNCTION holdfast.chain_event();
CREATE TRIGGER wake AFTER INSERT ON holdfast.workflow_event_chained
  FOR EACH STATEMENT EXECUTE FUNCTION holdfast.live_wake();
