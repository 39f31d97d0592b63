-- The time that somebody says it is: the database's own; any in a database for tests; and any while a session of the owner of this
-- function holds the lock of `told_time.py`, as the demo does before anybody else is there. No role of the application can make it so:
-- whose lock it is counts, not that there is one.
CREATE OR REPLACE FUNCTION holdfast.trusted_time(given timestamptz) RETURNS timestamptz
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF given IS DISTINCT FROM now() AND NOT (SELECT i.is_test FROM holdfast.installation i) AND NOT EXISTS (
    SELECT FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2
       AND l.classid = 1213156420 AND l.objid = 1414090053
       AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
       AND pg_has_role(a.usesysid, current_user, 'MEMBER')
  ) THEN
    RAISE EXCEPTION 'what happens is written when it happens, and not as of %', given
      USING ERRCODE = 'HF002', HINT = 'only a database for tests takes a clock of its own: one that holdfast.testing made';
  END IF;
  RETURN given;
END
$$;
