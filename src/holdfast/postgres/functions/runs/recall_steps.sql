-- What a run's earlier attempts stored, with how long ago in seconds; nothing when the run is not held at that epoch.
CREATE OR REPLACE FUNCTION holdfast.recall_steps(run_tenant uuid, run uuid, epoch bigint, at timestamptz)
RETURNS TABLE (name text, result text, age double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT s.name, s.result::text, extract(epoch FROM at - s.created_at)::double precision
    FROM holdfast.workflow_run_step s
    WHERE s.tenant = run_tenant AND s.run_id = run AND EXISTS (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = recall_steps.epoch AND r.status = 'leased');
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.recall_steps TO holdfast_worker;
