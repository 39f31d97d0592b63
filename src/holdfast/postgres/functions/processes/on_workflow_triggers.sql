CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_triggers FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();
