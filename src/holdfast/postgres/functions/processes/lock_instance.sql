-- WF-01: whoever holds this lock is the only writer of the instance until the transaction ends.
CREATE OR REPLACE FUNCTION holdfast.lock_instance(instance uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(instance::text, 0));
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.lock_instance TO holdfast_app;
