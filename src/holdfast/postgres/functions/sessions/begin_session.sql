-- Takes a session up: from here on it is this run's, at this epoch. `outcome` says whether it is ours to execute.
CREATE OR REPLACE FUNCTION holdfast.begin_session(for_tenant uuid, session uuid, run uuid, epoch bigint, at timestamptz)
RETURNS TABLE (outcome text, project text, name text, workflow text, fresh boolean, interrupted boolean, input text,
               seconds_left double precision, answers text, queued text, party jsonb, revision integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  one holdfast.workflow_sessions;
BEGIN
  SELECT * INTO one FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = session FOR UPDATE;
  IF one.id IS NULL OR one.run_id IS DISTINCT FROM run OR one.status NOT IN ('pending', 'running') THEN
    outcome := 'over';
    RETURN NEXT;
    RETURN;
  END IF;
  PERFORM FROM holdfast.workflow_run_live r
    WHERE r.tenant = for_tenant AND r.id = run AND r.lease_epoch = epoch AND r.lease_until IS NOT NULL;
  IF NOT FOUND THEN
    outcome := 'lost';
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE holdfast.workflow_sessions s
    SET run_epoch = epoch, status = 'running', started_at = coalesce(s.started_at, at)
    WHERE s.tenant = for_tenant AND s.id = session;
  IF one.status = 'pending' THEN
    PERFORM holdfast.add_messages(
      for_tenant, session, ARRAY['system'], ARRAY[jsonb_build_object('message', 'Session started')], at);
  END IF;
  RETURN QUERY SELECT
    'ours'::text, one.project_name, one.session_name, one.workflow_name,
    one.status = 'pending' AND one.forked_from IS NULL, one.interrupted, one.input_data::text,
    extract(epoch FROM one.timeout_at - at)::double precision,
    (SELECT jsonb_object_agg(p.prompt_id, p.answer)::text FROM holdfast.session_prompts p
     WHERE p.tenant = for_tenant AND p.workflow_session_id = session AND p.status = 'answered'),
    holdfast.next_input(for_tenant, session), one.party, one.definition_revision;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.begin_session TO holdfast_worker;
