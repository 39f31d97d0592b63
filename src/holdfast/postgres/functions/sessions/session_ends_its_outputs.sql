CREATE OR REPLACE FUNCTION holdfast.session_ends_its_outputs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM holdfast.discard_outputs(OLD.tenant, OLD.id, NULL, now(), now());
  ELSE
    PERFORM holdfast.discard_outputs(
      NEW.tenant, NEW.id, NEW.output_reference, NEW.completed_at + interval '1 hour', NEW.completed_at);
  END IF;
  RETURN NULL;
END
$$;
