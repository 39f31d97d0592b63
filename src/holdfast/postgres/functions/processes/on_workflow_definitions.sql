CREATE TRIGGER reject_default_definition_mutation BEFORE UPDATE OR DELETE ON holdfast.workflow_definitions FOR EACH ROW
  WHEN (OLD.is_default) EXECUTE FUNCTION holdfast.reject_default_definition_mutation();

CREATE TRIGGER reject_published_definition_mutation BEFORE UPDATE ON holdfast.workflow_definitions FOR EACH ROW
  WHEN (OLD.status <> 'draft') EXECUTE FUNCTION holdfast.reject_published_definition_mutation();

CREATE TRIGGER reject_published_definition_removal BEFORE DELETE ON holdfast.workflow_definitions FOR EACH ROW
  WHEN (OLD.status <> 'draft') EXECUTE FUNCTION holdfast.reject_published_definition_mutation();

CREATE TRIGGER restrict_draft_update BEFORE UPDATE ON holdfast.workflow_definitions FOR EACH ROW
  WHEN (OLD.status = 'draft' AND (
    NEW.status = 'archived' OR NEW.definition_kind <> OLD.definition_kind OR NEW.entity_type <> OLD.entity_type
    OR NEW.version <> OLD.version OR NEW.id <> OLD.id OR NEW.is_default <> OLD.is_default))
  EXECUTE FUNCTION holdfast.restrict_draft_update();
