CREATE TRIGGER guard BEFORE UPDATE ON holdfast.api_tokens FOR EACH ROW EXECUTE FUNCTION holdfast.guard_token();
CREATE TRIGGER guard_new BEFORE INSERT ON holdfast.api_tokens FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_token();
