-- Ends a session, unless it has ended already.
CREATE OR REPLACE FUNCTION holdfast.fail_session(for_tenant uuid, session uuid, reason text, kind text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_sessions s SET status = 'failed', error_message = reason, completed_at = at
    WHERE s.tenant = for_tenant AND s.id = session AND s.status NOT IN ('completed', 'failed');
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM holdfast.add_messages(
    for_tenant, session, ARRAY[kind],
    ARRAY[CASE WHEN kind = 'error' THEN jsonb_build_object('error', reason)
               ELSE jsonb_build_object('message', 'Session failed', 'reason', reason) END], at);
  RETURN true;
END
$$;
