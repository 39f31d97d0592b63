CREATE TRIGGER guard_new_session BEFORE INSERT ON holdfast.workflow_sessions
  FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_session();

-- The condition is evaluated without calling the function, so that a new message costs nothing here.
CREATE TRIGGER guard_session BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION holdfast.guard_session();

CREATE TRIGGER guard_finished BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status IN ('completed', 'failed') AND OLD.status = NEW.status
        AND (OLD.completed_at, OLD.error_message, OLD.session_name, OLD.workflow_name)
            IS DISTINCT FROM (NEW.completed_at, NEW.error_message, NEW.session_name, NEW.workflow_name))
  EXECUTE FUNCTION holdfast.refuse_change_of_finished();

CREATE TRIGGER drop_thread AFTER DELETE ON holdfast.workflow_sessions
  FOR EACH ROW EXECUTE FUNCTION holdfast.drop_thread_of_session();

CREATE TRIGGER changed AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION holdfast.session_changed();

CREATE TRIGGER ended AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status IN ('completed', 'failed')) EXECUTE FUNCTION holdfast.session_ended();

CREATE TRIGGER stay_interrupted BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.interrupted AND NOT NEW.interrupted) EXECUTE FUNCTION holdfast.stay_interrupted();

CREATE CONSTRAINT TRIGGER waits_for_somebody AFTER UPDATE ON holdfast.workflow_sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status = 'waiting_for_input') EXECUTE FUNCTION holdfast.check_waiting();

CREATE TRIGGER ended_outputs AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status IN ('completed', 'failed'))
  EXECUTE FUNCTION holdfast.session_ends_its_outputs();

CREATE TRIGGER deleted_outputs AFTER DELETE ON holdfast.workflow_sessions
  FOR EACH ROW EXECUTE FUNCTION holdfast.session_ends_its_outputs();
