CREATE OR REPLACE FUNCTION holdfast.guard_token() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a revoked token stays revoked' USING ERRCODE = 'HF001', HINT = 'create a new token';
  END IF;
  RETURN NEW;
END
$$;
