-- What makes an assignee sound, in place of CHECK constraints, which every statement would read and plan anew.
CREATE OR REPLACE FUNCTION holdfast.check_assignee() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  broken text := CASE
    WHEN NEW.principal <> 'anyone' AND NEW.principal !~ '^(user|role):.{1,255}$' THEN 'principal'
    WHEN length(NEW.via) NOT BETWEEN 1 AND 300 THEN 'via'
    WHEN length(NEW.added_by) NOT BETWEEN 1 AND 300 THEN 'added_by'
    WHEN NEW.removed_at IS NOT NULL AND NEW.is_open THEN 'removed'
  END;
BEGIN
  IF TG_OP = 'INSERT' AND NEW.added_by = NEW.principal AND (NEW.via = 'escalation' OR starts_with(NEW.via, 'from ')) THEN
    RAISE EXCEPTION '% cannot put themselves in another''s place', NEW.added_by
      USING ERRCODE = 'HF002', HINT = 'another operator, or who is asked, hands it over';
  END IF;
  IF broken IS NOT NULL THEN
    PERFORM holdfast.broken_rule('approval_assignees', 'approval_assignees_' || broken);
  END IF;
  RETURN NEW;
END
$$;
