-- Enqueues the run that executes a session, and makes it the session's. Whoever let it go on: it acts as who started it.
CREATE OR REPLACE FUNCTION holdfast.enqueue_session(for_tenant uuid, session uuid, actor text, at timestamptz) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  run uuid := holdfast.time_ordered_id(at);
  workflow text;
  tries integer;
  party jsonb;
BEGIN
  UPDATE holdfast.workflow_sessions s SET run_id = run, run_epoch = NULL
    WHERE s.tenant = for_tenant AND s.id = session RETURNING s.workflow_name, s.max_attempts, s.party INTO workflow, tries, party;
  PERFORM holdfast.enqueue_run_for(
    for_tenant, run, 'session.execute.v1.' || workflow, jsonb_build_object('session', session)::text, 0, NULL::timestamptz,
    tries, NULL::text, actor, 'exceptions', at, party);
  RETURN run;
END
$$;
