-- A plan that was made while a table was as good as empty cannot tell its indexes apart, and is kept until there are
-- statistics. Autovacuum takes a minute to come by; at full speed, in a new database or a new month, that is long. So a
-- table that has grown to some pages, and fourfold since it was last counted, is analyzed. Answers how many there were.
CREATE OR REPLACE FUNCTION holdfast.first_statistics() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  leaf regclass;
  made integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('holdfast.statistics', 0)) THEN
    RETURN 0;
  END IF;
  FOR leaf IN
    SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind = 'r'
      AND pg_relation_size(c.oid) > greatest(16, 4 * c.relpages) * current_setting('block_size')::bigint
    ORDER BY c.oid
  LOOP
    EXECUTE format('ANALYZE %s', leaf);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.first_statistics TO holdfast_worker;
