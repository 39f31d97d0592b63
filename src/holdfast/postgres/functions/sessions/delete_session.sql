CREATE OR REPLACE FUNCTION holdfast.delete_session(session uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM holdfast.workflow_sessions s
    WHERE s.tenant = holdfast.transaction_tenant() AND s.id = session AND s.status IN ('completed', 'failed');
  RETURN FOUND;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.delete_session TO holdfast_app;
