CREATE TRIGGER restrict_status_regression BEFORE UPDATE ON holdfast.workflow_side_effects_outbox FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT (
    (OLD.status = 'pending' AND NEW.status IN ('processing', 'cancelled'))
    OR (OLD.status = 'processing' AND NEW.status IN ('completed', 'failed', 'pending', 'dead_letter', 'cancelled'))
    OR (OLD.status = 'failed' AND NEW.status IN ('processing', 'pending', 'dead_letter', 'cancelled'))
    OR (OLD.status = 'dead_letter' AND NEW.status IN ('pending', 'cancelled')
        AND coalesce(current_setting('holdfast.admin_override', true), '') = 'on')))
  EXECUTE FUNCTION holdfast.restrict_status_regression('an effect', 'a completed effect stays; an operator replays or skips dead letters');
