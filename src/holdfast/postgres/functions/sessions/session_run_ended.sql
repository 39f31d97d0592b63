-- A run that ended for good takes its session with it: nobody would ever execute it again.
CREATE OR REPLACE FUNCTION holdfast.session_run_ended() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  session uuid := (NEW.payload ->> 'session')::uuid;
BEGIN
  PERFORM FROM holdfast.workflow_sessions s
    WHERE s.tenant = NEW.tenant AND s.id = session AND s.run_id = NEW.id AND s.status IN ('pending', 'running') FOR UPDATE;
  IF FOUND THEN
    PERFORM holdfast.fail_session(
      NEW.tenant, session, coalesce(NEW.last_error, NEW.status),
      CASE WHEN NEW.status = 'cancelled' THEN 'system' ELSE 'error' END, NEW.finished_at);
  END IF;
  RETURN NULL;
END
$$;
