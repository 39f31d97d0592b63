CREATE TRIGGER guard BEFORE INSERT ON holdfast.user_roles FOR EACH ROW EXECUTE FUNCTION holdfast.guard_grant();
CREATE TRIGGER keep_an_administrator AFTER DELETE ON holdfast.user_roles
  FOR EACH ROW WHEN (OLD.role = 'admin') EXECUTE FUNCTION holdfast.keep_an_administrator();

CREATE TRIGGER tend_at_once AFTER DELETE ON holdfast.user_roles
  FOR EACH ROW EXECUTE FUNCTION holdfast.tend_at_once();
