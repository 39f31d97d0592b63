-- When a handler begins is an event too, for those who want all of them: a lease may be some moments older, and a run of
-- which nobody here knows the type is leased and never started.

-- Writes down that the holder of a run begins with it; nothing when it is not held at that epoch, or somebody is at it.
CREATE OR REPLACE FUNCTION holdfast.note_started(worker text, run_tenant uuid, run uuid, epoch bigint, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH held AS MATERIALIZED (
    -- Until this is written nobody takes the run over: what its next holder does comes after.
    SELECT r.tenant, r.id, r.lease_epoch, r.attempt, r.trace_parent FROM holdfast.workflow_run_live r
    WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = note_started.epoch AND r.lease_until IS NOT NULL
    FOR SHARE SKIP LOCKED
  )
  INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT h.tenant, 'run', h.id, 'run.started', 'worker:' || worker,
           jsonb_build_object('epoch', h.lease_epoch, 'attempt', h.attempt), h.trace_parent, at
    FROM held h;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.note_started TO holdfast_worker;
