CREATE TRIGGER guard BEFORE UPDATE ON holdfast.workflow_schedule FOR EACH ROW
  WHEN (NEW.last_fire_at <= OLD.last_fire_at AND NEW.last_fire_at IS DISTINCT FROM OLD.last_fire_at)
  EXECUTE FUNCTION holdfast.guard_schedule();
