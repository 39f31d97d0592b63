-- Withdraws what was enqueued for steps that are no longer wanted and has not left yet.
CREATE OR REPLACE FUNCTION holdfast.withdraw_effects(own_instance uuid, keys text[], why text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'cancelled', error = why, lease_until = NULL, leased_by = NULL
    WHERE e.tenant = holdfast.transaction_tenant() AND e.instance_id = own_instance AND e.step_key = ANY (keys)
      AND e.status IN ('pending', 'failed', 'processing');
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.withdraw_effects TO holdfast_app;
