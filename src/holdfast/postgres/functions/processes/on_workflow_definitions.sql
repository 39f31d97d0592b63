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

CREATE TRIGGER guard_publication BEFORE UPDATE OF status ON holdfast.workflow_definitions FOR EACH ROW
  WHEN (OLD.status = 'draft' AND NEW.status = 'published') EXECUTE FUNCTION holdfast.guard_publication();

-- What somebody edited stays known: nobody takes their name off, and a change takes the proposal back.
CREATE TRIGGER keep_editors BEFORE UPDATE ON holdfast.workflow_definitions FOR EACH ROW
  WHEN (OLD.status = 'draft' AND (
    NOT NEW.editors @> OLD.editors OR NEW.revision > OLD.revision AND NEW.proposed_by IS NOT NULL
    OR NEW.revision = OLD.revision AND (
      NEW.body_patches_json IS DISTINCT FROM OLD.body_patches_json OR NEW.base_ref IS DISTINCT FROM OLD.base_ref)))
  EXECUTE FUNCTION holdfast.restrict_draft_update();
