-- Prunes one session of the transaction's tenant: only what nobody executes, so that nothing is taken from under a step.
CREATE OR REPLACE FUNCTION holdfast.prune_session(session uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  thread text;
BEGIN
  SELECT holdfast.thread_of(s.project_name, s.session_name) INTO thread FROM holdfast.workflow_sessions s
    WHERE s.tenant = holdfast.transaction_tenant() AND s.id = session AND s.status NOT IN ('pending', 'running') FOR UPDATE;
  RETURN CASE WHEN thread IS NOT NULL THEN holdfast.keep_latest_checkpoint(thread, NULL) END;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.prune_session TO holdfast_app;
