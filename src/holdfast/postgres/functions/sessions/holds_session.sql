-- Whether a session is held by a run at an epoch; locks it.
CREATE OR REPLACE FUNCTION holdfast.holds_session(for_tenant uuid, session uuid, run uuid, epoch bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM holdfast.workflow_sessions s JOIN holdfast.workflow_run_live r ON r.tenant = s.tenant AND r.id = s.run_id
    WHERE s.tenant = for_tenant AND s.id = session AND s.run_id = run AND s.run_epoch = epoch AND s.status = 'running'
      AND r.lease_epoch = epoch AND r.lease_until IS NOT NULL
    FOR UPDATE OF s;
  RETURN FOUND;
END
$$;
