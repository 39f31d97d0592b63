CREATE OR REPLACE FUNCTION holdfast.guard_session() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT ((OLD.status = 'pending' AND NEW.status IN ('running', 'failed'))
          OR (OLD.status = 'running' AND NEW.status IN ('waiting_for_input', 'completed', 'failed'))
          OR (OLD.status = 'waiting_for_input' AND NEW.status IN ('running', 'failed'))) THEN
    RAISE EXCEPTION 'a session cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'HF001', HINT = 'a finished session stays as it is; start or fork a new one';
  END IF;
  IF NEW.status = 'running' THEN
    NEW.started_at := coalesce(NEW.started_at, now());
  ELSIF NEW.status IN ('completed', 'failed') THEN
    NEW.completed_at := coalesce(NEW.completed_at, now());
  END IF;
  IF NEW.status = 'failed' THEN
    NEW.error_message := coalesce(NEW.error_message, 'failed');
  END IF;
  RETURN NEW;
END
$$;
