CREATE TRIGGER legal_transition BEFORE UPDATE ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION holdfast.refuse_transition();

CREATE TRIGGER session_run_ended AFTER INSERT ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (NEW.status IN ('failed', 'cancelled') AND starts_with(NEW.type, 'session.execute.v1.'))
  EXECUTE FUNCTION holdfast.session_run_ended();

CREATE TRIGGER run_finished AFTER INSERT ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (NEW.created_by = 'system:process') EXECUTE FUNCTION holdfast.run_finished();

CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (OLD.updated_at = NEW.updated_at) EXECUTE FUNCTION holdfast.touch_updated_at();
