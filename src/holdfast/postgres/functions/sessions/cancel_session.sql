-- Cancels a session that waits or has not begun. One that is executed is cancelled through its run.
CREATE OR REPLACE FUNCTION holdfast.cancel_session(session uuid, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  PERFORM FROM holdfast.workflow_sessions s
    WHERE s.tenant = own AND s.id = session AND s.status = 'waiting_for_input' FOR UPDATE;
  RETURN FOUND AND holdfast.fail_session(own, session, reason, 'system', at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.cancel_session TO holdfast_app;
