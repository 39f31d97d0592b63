CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_instances
  FOR EACH ROW EXECUTE FUNCTION holdfast.check_instance();

-- Fires for whoever mentions one of them; the engine never does.
CREATE TRIGGER restrict_instance_update
  BEFORE UPDATE OF tenant, id, entity_type, entity_id, subject_id, started_at, created_by, party, partition_id
  ON holdfast.workflow_instances FOR EACH ROW EXECUTE FUNCTION holdfast.restrict_instance_update();
