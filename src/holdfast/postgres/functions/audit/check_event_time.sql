CREATE OR REPLACE FUNCTION holdfast.check_event_time() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.trusted_time(NEW.created_at);
  RETURN NEW;
END
$$;
