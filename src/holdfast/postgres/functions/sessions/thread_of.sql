CREATE OR REPLACE FUNCTION holdfast.thread_of(project text, session text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN 'project-' || project || ':session-' || session;
END
$$;
COMMENT ON FUNCTION holdfast.thread_of IS 'The thread of a session. Built here only: nobody can name another one.';
GRANT EXECUTE ON FUNCTION holdfast.thread_of TO holdfast_app;
