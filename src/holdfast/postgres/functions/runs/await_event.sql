-- Looks for an event on behalf of a run that is still held at that epoch. If it has happened, it becomes the result of the step; if not, the step
-- begins to wait, and the answer says for how many seconds it has by now. Where nothing is known of the end of another run, the run itself is:
-- finished, deleted, or dropped with its month.
CREATE OR REPLACE FUNCTION holdfast.await_event(
  run_tenant uuid, run uuid, epoch bigint, step text, event_key text, at timestamptz)
RETURNS TABLE (state text, payload text, age double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  found_payload jsonb;
  other uuid;
BEGIN
  PERFORM FROM holdfast.workflow_run_live r
    WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = await_event.epoch AND r.lease_until IS NOT NULL FOR SHARE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'lost', NULL::text, NULL::double precision;
    RETURN;
  END IF;
  IF starts_with(event_key, 'run:') THEN
    other := substr(event_key, 5)::uuid;
    -- One look at both: a run that ends now has left the one and told of it in the other.
    SELECT coalesce(
        (SELECT e.payload FROM holdfast.workflow_awaited_event e WHERE e.tenant = run_tenant AND e.key = event_key),
        (SELECT CASE WHEN r.done THEN jsonb_build_object('status', r.status, 'result', r.result, 'error', r.error)
                     WHEN r.deleted_at IS NOT NULL THEN jsonb_build_object('status', 'deleted') END
         FROM holdfast.workflow_run r WHERE r.tenant = run_tenant AND r.id = other),
        CASE WHEN NOT EXISTS (SELECT FROM holdfast.workflow_run r WHERE r.tenant = run_tenant AND r.id = other)
             THEN jsonb_build_object('status', 'forgotten') END)
      INTO found_payload;
  ELSE
    SELECT e.payload INTO found_payload FROM holdfast.workflow_awaited_event e
      WHERE e.tenant = run_tenant AND e.key = event_key;
  END IF;
  IF found_payload IS NOT NULL THEN
    INSERT INTO holdfast.workflow_run_step (tenant, run_id, name, result, created_at)
      VALUES (run_tenant, run, step, jsonb_build_object('event', found_payload), at);
    RETURN QUERY SELECT 'happened', jsonb_build_object('event', found_payload)::text, NULL::double precision;
    RETURN;
  END IF;
  INSERT INTO holdfast.workflow_run_step (tenant, run_id, name, created_at) VALUES (run_tenant, run, step || ' since', at)
    ON CONFLICT DO NOTHING;
  RETURN QUERY
    SELECT 'waiting', NULL::text, extract(epoch FROM at - s.created_at)::double precision
    FROM holdfast.workflow_run_step s
    WHERE s.tenant = run_tenant AND s.run_id = run AND s.name = step || ' since';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.await_event TO holdfast_worker;
