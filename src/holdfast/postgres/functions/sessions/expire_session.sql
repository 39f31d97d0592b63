-- Ends a session whose time is over, or one of whose open prompts is.
CREATE OR REPLACE FUNCTION holdfast.expire_session(for_tenant uuid, session uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one holdfast.workflow_sessions;
  late text;
BEGIN
  SELECT * INTO one FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = session;
  IF one.status IN ('pending', 'running') AND one.timeout_at <= at THEN
    PERFORM set_config('holdfast.tenant', for_tenant::text, true);
    PERFORM holdfast.cancel_run(one.run_id, 'timed out', 'system:janitor', 'nothing', at);
    IF FOUND THEN
      RETURN true;
    END IF;
  END IF;
  SELECT * INTO one FROM holdfast.workflow_sessions s
    WHERE s.tenant = for_tenant AND s.id = session AND s.status = 'waiting_for_input' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF one.timeout_at <= at THEN
    RETURN holdfast.fail_session(for_tenant, session, 'timed out', 'error', at);
  END IF;
  WITH closed AS (
    UPDATE holdfast.session_prompts p SET status = 'expired', closed_at = at
      WHERE p.tenant = for_tenant AND p.workflow_session_id = session AND p.status = 'open' AND p.expires_at <= at
      RETURNING p.prompt_id
  )
  SELECT min(c.prompt_id) INTO late FROM closed c;
  RETURN late IS NOT NULL AND
    holdfast.fail_session(for_tenant, session, 'the prompt ' || late || ' was not answered in time', 'error', at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.expire_session TO holdfast_worker;
