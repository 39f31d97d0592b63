CREATE OR REPLACE FUNCTION holdfast.guard_new_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NEW.status <> 'pending' THEN
    RAISE EXCEPTION 'a session begins as pending, not as %', NEW.status USING ERRCODE = 'HF001';
  END IF;
  SELECT t.slug INTO STRICT NEW.project_name FROM holdfast.tenants t WHERE t.tenant = NEW.tenant;
  RETURN NEW;
END
$$;
