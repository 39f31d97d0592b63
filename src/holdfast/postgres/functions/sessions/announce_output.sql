-- Says, before it is written, that an object may be there from now on. False when the session is no longer the caller's.
CREATE OR REPLACE FUNCTION holdfast.announce_output(
  for_tenant uuid, session uuid, run uuid, epoch bigint, new_object text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN false;
  END IF;
  INSERT INTO holdfast.session_outputs (tenant, workflow_session_id, object, created_at)
    VALUES (for_tenant, session, new_object, at) ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.announce_output TO holdfast_worker;
