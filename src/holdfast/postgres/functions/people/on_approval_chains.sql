CREATE TRIGGER touch BEFORE UPDATE ON holdfast.approval_chains FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();
