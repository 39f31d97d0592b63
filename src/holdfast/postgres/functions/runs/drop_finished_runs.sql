-- Drops the months of finished runs that ended before a time, with the steps and idempotency keys of their runs; and runs that were deleted before
-- they were finished, which never leave the live table by themselves.
CREATE OR REPLACE FUNCTION holdfast.drop_finished_runs(before timestamptz, at timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last timestamptz := date_trunc('month', before AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
BEGIN
  DELETE FROM holdfast.workflow_run_key k USING holdfast.workflow_run_done d
    WHERE d.finished_at < last AND d.idempotency_key IS NOT NULL AND k.tenant = d.tenant AND k.run_id = d.id;
  DELETE FROM holdfast.workflow_run_step s USING holdfast.workflow_run_done d
    WHERE d.finished_at < last AND s.tenant = d.tenant AND s.run_id = d.id;
  DELETE FROM holdfast.workflow_run_step s USING holdfast.workflow_run_live r
    WHERE r.deleted_at < before AND r.status = 'pending' AND s.tenant = r.tenant AND s.run_id = r.id;
  DELETE FROM holdfast.workflow_run_live r USING holdfast.tenants t
    WHERE r.tenant = t.tenant AND r.deleted_at < before AND r.status = 'pending';
  RETURN QUERY SELECT holdfast.drop_partitions('workflow_run_done', last, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_finished_runs TO holdfast_worker;
