-- Nobody says who their own manager is, or makes themselves somebody's: managers decide on what their people ask for.
CREATE OR REPLACE FUNCTION holdfast.guard_manager() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.updated_by IN ('user:' || NEW.name, 'user:' || NEW.manager) THEN
    RAISE EXCEPTION '% cannot say who manages %', NEW.updated_by, NEW.name
      USING ERRCODE = 'HF002', HINT = 'somebody else has to';
  END IF;
  RETURN NEW;
END
$$;
