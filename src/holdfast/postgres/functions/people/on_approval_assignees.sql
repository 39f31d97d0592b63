CREATE TRIGGER note_asked AFTER INSERT ON holdfast.approval_assignees
  FOR EACH ROW EXECUTE FUNCTION holdfast.note_asked();

CREATE TRIGGER note_removed AFTER UPDATE ON holdfast.approval_assignees FOR EACH ROW
  WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION holdfast.note_asked();
