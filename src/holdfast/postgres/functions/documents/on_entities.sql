CREATE TRIGGER guard BEFORE UPDATE ON holdfast.entities FOR EACH ROW EXECUTE FUNCTION holdfast.guard_entity();
