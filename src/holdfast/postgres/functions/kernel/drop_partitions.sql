-- Drops the months of a table cut by month that ended before a time, and remembers which. What the policy keeps stays, whoever asks,
-- and so does the current month; events leave a tombstone, which whoever has the keys signs in the same transaction.
CREATE OR REPLACE FUNCTION holdfast.drop_partitions(of_branch text, before timestamptz, at timestamptz DEFAULT now()) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  moment timestamptz := holdfast.trusted_time(at);
  this_month date := date_trunc('month', moment AT TIME ZONE 'UTC');
  policy holdfast.retention;
  leaf text;
  month date;
BEGIN
  SELECT * INTO policy FROM holdfast.retention r WHERE r.branch = of_branch ORDER BY r.since DESC LIMIT 1;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'nobody drops months of %', of_branch USING ERRCODE = 'HF002';
  ELSIF policy.days IS NULL THEN
    RAISE EXCEPTION 'months of % are kept for ever', of_branch
      USING ERRCODE = 'HF002', HINT = 'an administrator changes that: `holdfast migrate` with HOLDFAST_AUDIT_RETENTION';
  ELSIF before > moment - make_interval(days => policy.days) THEN
    RAISE EXCEPTION 'months of % are kept for % days', of_branch, policy.days
      USING ERRCODE = 'HF002', HINT = 'an administrator changes that: `holdfast migrate` with HOLDFAST_AUDIT_RETENTION';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.partitions', 0));
  FOR leaf IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass(format('holdfast.%I', of_branch)) AND c.relname ~ '_\d{4}_\d{2}$'
    ORDER BY c.relname
  LOOP
    month := to_date(right(leaf, 7), 'YYYY_MM');
    CONTINUE WHEN month >= this_month OR ((month + interval '1 month') AT TIME ZONE 'UTC') > before;
    IF of_branch IN ('workflow_event_chained', 'workflow_event_plain') THEN
      PERFORM holdfast.leave_tombstones(of_branch, leaf, month, policy.days, moment);
    END IF;
    EXECUTE format('DROP TABLE holdfast.%I', leaf);
    INSERT INTO holdfast.partition_drop (partition, branch, month) VALUES (leaf, of_branch, month)
      ON CONFLICT (partition) DO UPDATE SET dropped_at = excluded.dropped_at;
    RETURN NEXT leaf;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_partitions TO holdfast_worker;
