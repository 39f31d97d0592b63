-- What was posted for an instance while it was paused is due at once.
CREATE OR REPLACE FUNCTION holdfast.wake_events(instance uuid, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_events_outbox o SET next_retry_at = at
    WHERE o.tenant = holdfast.transaction_tenant() AND o.instance_id = instance AND o.status IN ('pending', 'failed');
  PERFORM pg_notify('holdfast_processes', holdfast.transaction_tenant()::text);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.wake_events TO holdfast_app;
