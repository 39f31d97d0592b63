-- What steps gave that is older than twelve months and not packed yet, of every tenant: some of one month at a time, the oldest first. A
-- month in which nothing is left is not looked at again; what is not worth it stays as it is, and so do steps that are open.
CREATE OR REPLACE FUNCTION holdfast.steps_to_pack(at timestamptz, most integer)
RETURNS TABLE (tenant uuid, created_at timestamptz, id uuid, output text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  month text;
  given integer;
BEGIN
  FOR month IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'holdfast.workflow_step_executions'::regclass AND c.relname ~ '_[0-9]{4}_[0-9]{2}$'
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= at - interval '12 months'
      AND c.relname NOT IN (SELECT p.partition FROM holdfast.step_month_packed p)
    ORDER BY c.relname
  LOOP
    RETURN QUERY EXECUTE format(
      'SELECT s.tenant, s.created_at, s.id, s.output_json::text FROM holdfast.%I s
       WHERE s.settled_seq IS NOT NULL AND s.output_packed IS NULL AND length(s.output_json::text) > 200 LIMIT $1', month)
      USING most;
    GET DIAGNOSTICS given = ROW_COUNT;
    IF given > 0 THEN
      RETURN;
    END IF;
    INSERT INTO holdfast.step_month_packed (partition) VALUES (month) ON CONFLICT DO NOTHING;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.steps_to_pack TO holdfast_worker;
