-- Enqueues a run on behalf of another that is still held at that epoch, and notes it as a step of that one, at once. It acts as that one does.
CREATE OR REPLACE FUNCTION holdfast.start_child_run(
  run_tenant uuid, run uuid, epoch bigint, step text, child uuid, child_type text, child_payload text,
  child_priority integer, child_run_at timestamptz, tries integer, child_key text, child_limit integer, trace text,
  event_level text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  party jsonb;
BEGIN
  SELECT r.party INTO party FROM holdfast.workflow_run_live r
    WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = start_child_run.epoch AND r.lease_until IS NOT NULL
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO holdfast.workflow_run_step (tenant, run_id, name, result, created_at)
    VALUES (run_tenant, run, step, to_jsonb(child::text), at);
  PERFORM holdfast.insert_runs(
    run_tenant, ARRAY[child], ARRAY[child_type], jsonb_build_array(child_payload::jsonb), ARRAY[child_priority],
    ARRAY[child_run_at], ARRAY[tries], '{}', '{}', ARRAY[trace], ARRAY[child_key], ARRAY[child_limit], run,
    'run:' || run, event_level, at, party);
  RETURN true;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.start_child_run TO holdfast_worker;
