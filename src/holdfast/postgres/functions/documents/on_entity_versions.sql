CREATE TRIGGER note_maker AFTER INSERT ON holdfast.entity_versions FOR EACH ROW
  WHEN (NEW.created_by ~ '^(user|service):.' AND (NEW.version = 1 OR NEW.instance_id IS NULL))
  EXECUTE FUNCTION holdfast.note_maker();
