-- Lets effects that waited for an operator be tried at once: the secret they lacked may be there now.
CREATE OR REPLACE FUNCTION holdfast.retry_waiting_effects(at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_side_effects_outbox e SET next_retry_at = at
    WHERE e.tenant = holdfast.transaction_tenant() AND e.status = 'failed' AND holdfast.lacked_by_effect(e.error) IS NOT NULL
      AND e.next_retry_at > at;
  IF FOUND THEN
    PERFORM pg_notify('holdfast_effects', holdfast.transaction_tenant()::text);
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.retry_waiting_effects TO holdfast_app;
