CREATE OR REPLACE FUNCTION holdfast.stay_interrupted() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.interrupted := EXISTS (
    SELECT FROM holdfast.session_inputs i
    WHERE i.tenant = NEW.tenant AND i.workflow_session_id = NEW.id AND i.taken_at IS NULL AND i.urgent);
  RETURN NEW;
END
$$;
