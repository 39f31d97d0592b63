-- Closes the open requests of steps that ended without a decision.
CREATE OR REPLACE FUNCTION holdfast.close_requests(step_keys text[], statuses text[], reasons text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  FOR n IN 1 .. cardinality(step_keys) LOOP
    UPDATE holdfast.approval_requests r SET status = statuses[n], reason = reasons[n], closed_at = at
      WHERE r.tenant = own AND r.step_key = step_keys[n] AND r.status = 'open';
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.close_requests TO holdfast_app;
