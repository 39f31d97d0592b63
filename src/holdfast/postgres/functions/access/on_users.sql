CREATE TRIGGER touch BEFORE UPDATE ON holdfast.users FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();
