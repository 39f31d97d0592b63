-- The time that somebody says it is: the database's own, or any in a database for tests. No role of the application can make it one.
CREATE OR REPLACE FUNCTION holdfast.trusted_time(given timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF given IS DISTINCT FROM now() AND NOT (SELECT i.is_test FROM holdfast.installation i) THEN
    RAISE EXCEPTION 'what happens is written when it happens, and not as of %', given
      USING ERRCODE = 'HF002', HINT = 'only a database for tests takes a clock of its own: one that holdfast.testing made';
  END IF;
  RETURN given;
END
$$;
