-- Events from outside that expired before a time.
CREATE OR REPLACE FUNCTION holdfast.drop_expired_events(before timestamptz, at_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dropped bigint;
BEGIN
  DELETE FROM holdfast.workflow_inbound_events e USING (
    SELECT x.tenant, x.id FROM holdfast.workflow_inbound_events x WHERE x.expires_at < before LIMIT at_most) old
    WHERE e.tenant = old.tenant AND e.id = old.id;
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_expired_events TO holdfast_worker;
