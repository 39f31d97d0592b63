-- Makes the monthly partitions of every table that is cut by month, this month's and those ahead. Each is built apart,
-- takes over what the default partition caught for its month, and is then attached, which does not block readers or
-- writers of the parent.
CREATE OR REPLACE FUNCTION holdfast.create_partitions(at timestamptz, months_ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  parent text;
  cut_by text;
  leaf text;
  first timestamptz;
  next timestamptz;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.partitions', 0));
  FOR parent, cut_by IN
    SELECT c.relname, a.attname FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
    WHERE c.relnamespace = 'holdfast'::regnamespace AND p.partstrat = 'r' ORDER BY c.relname
  LOOP
    FOR ahead IN 0 .. months_ahead LOOP
      first := (date_trunc('month', at AT TIME ZONE 'UTC') + make_interval(months => ahead)) AT TIME ZONE 'UTC';
      next := (date_trunc('month', at AT TIME ZONE 'UTC') + make_interval(months => ahead + 1)) AT TIME ZONE 'UTC';
      leaf := parent || to_char(first AT TIME ZONE 'UTC', '_YYYY_MM');
      CONTINUE WHEN to_regclass(format('holdfast.%I', leaf)) IS NOT NULL;
      EXECUTE format('CREATE TABLE holdfast.%I (LIKE holdfast.%I INCLUDING ALL)', leaf, parent);
      EXECUTE format(
        'WITH moved AS (DELETE FROM holdfast.%I WHERE %I >= %L AND %I < %L RETURNING *) '
        'INSERT INTO holdfast.%I SELECT * FROM moved', parent || '_default', cut_by, first, cut_by, next, leaf);
      PERFORM holdfast.protect_tenant_table(format('holdfast.%I', leaf)::regclass);
      EXECUTE format('ALTER TABLE holdfast.%I ATTACH PARTITION holdfast.%I FOR VALUES FROM (%L) TO (%L)',
                     parent, leaf, first, next);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.create_partitions TO holdfast_worker;
