-- Drops the months of a table cut by month that ended before a time, and remembers which.
CREATE OR REPLACE FUNCTION holdfast.drop_partitions(branch text, before timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  leaf text;
  month date;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.partitions', 0));
  FOR leaf IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass(format('holdfast.%I', branch)) AND c.relname ~ '_\d{4}_\d{2}$'
    ORDER BY c.relname
  LOOP
    month := to_date(right(leaf, 7), 'YYYY_MM');
    CONTINUE WHEN ((month + interval '1 month') AT TIME ZONE 'UTC') > before;
    EXECUTE format('DROP TABLE holdfast.%I', leaf);
    INSERT INTO holdfast.partition_drop (partition, branch, month) VALUES (leaf, branch, month)
      ON CONFLICT (partition) DO UPDATE SET dropped_at = excluded.dropped_at;
    RETURN NEXT leaf;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_partitions TO holdfast_worker;
