CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON holdfast.org_chart FOR EACH ROW EXECUTE FUNCTION holdfast.guard_manager();
