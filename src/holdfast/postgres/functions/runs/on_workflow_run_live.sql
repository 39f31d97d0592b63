CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_run_live FOR EACH ROW
  EXECUTE FUNCTION holdfast.check_run();
