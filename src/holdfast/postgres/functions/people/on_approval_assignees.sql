CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.approval_assignees
  FOR EACH ROW EXECUTE FUNCTION holdfast.check_assignee();

CREATE TRIGGER note_asked AFTER INSERT ON holdfast.approval_assignees
  FOR EACH ROW EXECUTE FUNCTION holdfast.note_asked();

-- Of that column: the condition alone would be read by every statement that clears an inbox.
CREATE TRIGGER note_removed AFTER UPDATE OF removed_at ON holdfast.approval_assignees FOR EACH ROW
  WHEN (OLD.removed_at IS DISTINCT FROM NEW.removed_at) EXECUTE FUNCTION holdfast.note_asked();
