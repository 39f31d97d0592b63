-- A question that was withdrawn because of something else to do may be asked again.
CREATE TRIGGER answered_once BEFORE UPDATE ON holdfast.session_prompts FOR EACH ROW
  WHEN (OLD.status <> 'open' AND NOT (OLD.status = 'withdrawn' AND NEW.status = 'open')) EXECUTE FUNCTION holdfast.refuse_second_answer();
