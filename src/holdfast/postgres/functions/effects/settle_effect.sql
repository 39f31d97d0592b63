-- Records what became of an effect, in the tenant's own transaction, so that whoever waits for it hears of it in the same
-- commit. Answers false when it is no longer held at that epoch; nothing was written then.
CREATE OR REPLACE FUNCTION holdfast.settle_effect(
  wanted uuid, made_at timestamptz, epoch bigint, new_status text, evidence jsonb, problem text, retry_at timestamptz,
  attempt_back integer, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_side_effects_outbox e
    SET status = new_status, response_json = evidence, error = problem, lease_until = NULL, leased_by = NULL,
        attempts = e.attempts - attempt_back, next_retry_at = coalesce(retry_at, e.next_retry_at),
        completed_at = CASE WHEN new_status = 'completed' THEN at END
    WHERE e.tenant = holdfast.transaction_tenant() AND e.created_at = made_at AND e.id = wanted
      AND e.lease_epoch = epoch AND e.status = 'processing';
  RETURN FOUND;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settle_effect TO holdfast_app;
