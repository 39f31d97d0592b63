-- Lets events that waited for an operator be tried at once: what was wrong has been mended.
CREATE OR REPLACE FUNCTION holdfast.retry_waiting_events(at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  retried integer;
BEGIN
  UPDATE holdfast.workflow_events_outbox o SET next_retry_at = at
    WHERE o.tenant = holdfast.transaction_tenant() AND o.status = 'pending' AND o.error IS NOT NULL AND o.needs IS NULL
      AND o.next_retry_at > at;
  GET DIAGNOSTICS retried = ROW_COUNT;
  IF retried > 0 THEN
    PERFORM pg_notify('holdfast_processes', holdfast.transaction_tenant()::text);
  END IF;
  RETURN retried;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.retry_waiting_events TO holdfast_app;
