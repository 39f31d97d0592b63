-- A question that was withdrawn because of something else to do may be asked again.
CREATE TRIGGER answered_once BEFORE UPDATE ON holdfast.session_prompts FOR EACH ROW
  WHEN (OLD.status <> 'open' AND NOT (OLD.status = 'withdrawn' AND NEW.status = 'open')) EXECUTE FUNCTION holdfast.refuse_second_answer();

CREATE CONSTRAINT TRIGGER leaves_nobody_waiting AFTER UPDATE ON holdfast.session_prompts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status = 'open' AND NEW.status <> 'open') EXECUTE FUNCTION holdfast.check_waiting();

CREATE CONSTRAINT TRIGGER deletes_no_last_prompt AFTER DELETE ON holdfast.session_prompts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.status = 'open') EXECUTE FUNCTION holdfast.check_waiting();
