-- At the end of every transaction: a session that waits asks somebody. Deferred, because prompts and their session change
-- one after the other.
CREATE OR REPLACE FUNCTION holdfast.check_waiting() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  session uuid;
BEGIN
  IF TG_TABLE_NAME = 'workflow_sessions' THEN
    session := NEW.id;
  ELSE
    session := OLD.workflow_session_id;
  END IF;
  IF EXISTS (SELECT FROM holdfast.workflow_sessions s
             WHERE s.tenant = OLD.tenant AND s.id = session AND s.status = 'waiting_for_input')
     AND NOT EXISTS (SELECT FROM holdfast.session_prompts p
                     WHERE p.tenant = OLD.tenant AND p.workflow_session_id = session AND p.status = 'open') THEN
    RAISE EXCEPTION 'the session % waits for input, but has no open prompt', session
      USING ERRCODE = 'HF001', HINT = 'nobody could answer it';
  END IF;
  RETURN NULL;
END
$$;
