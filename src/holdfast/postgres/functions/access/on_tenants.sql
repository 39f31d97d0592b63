CREATE TRIGGER touch BEFORE UPDATE ON holdfast.tenants FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();
