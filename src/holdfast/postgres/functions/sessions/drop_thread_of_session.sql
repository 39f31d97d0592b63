-- However a session is deleted, its thread goes with it: a name that is used again starts clean.
CREATE OR REPLACE FUNCTION holdfast.drop_thread_of_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.drop_thread(holdfast.thread_of(OLD.project_name, OLD.session_name));
  RETURN OLD;
END
$$;
