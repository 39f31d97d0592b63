CREATE TRIGGER touch BEFORE UPDATE ON holdfast.users FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();
CREATE TRIGGER keep_an_administrator AFTER UPDATE OF deactivated_at ON holdfast.users
  FOR EACH ROW WHEN (OLD.deactivated_at IS NULL AND NEW.deactivated_at IS NOT NULL)
  EXECUTE FUNCTION holdfast.keep_an_administrator();

CREATE TRIGGER tend_at_once AFTER UPDATE OF deactivated_at ON holdfast.users
  FOR EACH ROW WHEN (OLD.deactivated_at IS NULL AND NEW.deactivated_at IS NOT NULL)
  EXECUTE FUNCTION holdfast.tend_at_once();
