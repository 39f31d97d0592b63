-- Offers events to every worker again, whatever they need: those of an instance, or those that need one thing.
CREATE OR REPLACE FUNCTION holdfast.offer_events(instance uuid, needed text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_events_outbox o SET needs = NULL, next_retry_at = at
    WHERE o.tenant = holdfast.transaction_tenant() AND o.status IN ('pending', 'failed') AND o.needs IS NOT NULL
      AND (instance IS NULL OR o.instance_id = instance) AND (needed IS NULL OR o.needs = needed);
  IF FOUND THEN
    PERFORM pg_notify('holdfast_processes', holdfast.transaction_tenant()::text);
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.offer_events TO holdfast_app;
