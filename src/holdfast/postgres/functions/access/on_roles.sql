CREATE TRIGGER guard_built_in BEFORE UPDATE OR DELETE ON holdfast.roles
  FOR EACH ROW EXECUTE FUNCTION holdfast.guard_built_in_role();
