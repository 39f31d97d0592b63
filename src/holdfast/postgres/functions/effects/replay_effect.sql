-- A dead letter gets as many attempts again as it had. Answers whether there was one.
CREATE OR REPLACE FUNCTION holdfast.replay_effect(wanted uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  done boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'pending', attempts = 0, next_retry_at = at, error = NULL
    WHERE e.tenant = holdfast.transaction_tenant() AND e.id = wanted AND e.status = 'dead_letter';
  done := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  RETURN done;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.replay_effect TO holdfast_app;
