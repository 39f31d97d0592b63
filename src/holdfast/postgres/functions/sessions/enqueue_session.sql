-- Enqueues the run that executes a session, and makes it the session's.
CREATE OR REPLACE FUNCTION holdfast.enqueue_session(for_tenant uuid, session uuid, actor text, at timestamptz) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  run uuid := holdfast.time_ordered_id(at);
  workflow text;
  tries integer;
BEGIN
  UPDATE holdfast.workflow_sessions s SET run_id = run, run_epoch = NULL
    WHERE s.tenant = for_tenant AND s.id = session RETURNING s.workflow_name, s.max_attempts INTO workflow, tries;
  PERFORM holdfast.enqueue_run_for(
    for_tenant, run, 'session.execute.v1.' || workflow, jsonb_build_object('session', session)::text, 0, NULL::timestamptz,
    tries, NULL::text, actor, 'exceptions', at);
  RETURN run;
END
$$;
