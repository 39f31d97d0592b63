-- What the requests of some steps came to, the last stage of each. Spent: a decision on it is void or used up.
CREATE OR REPLACE FUNCTION holdfast.settled_requests(step_keys text[]) RETURNS TABLE (step_key text, outcome text, spent boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  request uuid;
BEGIN
  FOREACH step_key IN ARRAY step_keys LOOP
    SELECT r.id, r.outcome INTO request, outcome FROM holdfast.approval_requests r
      WHERE r.tenant = own AND r.step_key = settled_requests.step_key ORDER BY r.stage DESC LIMIT 1;
    CONTINUE WHEN NOT FOUND;
    spent := EXISTS (SELECT FROM holdfast.approval_decisions d
                     WHERE d.tenant = own AND d.request_id = request AND (d.voided_at IS NOT NULL OR d.applied));
    RETURN NEXT;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settled_requests TO holdfast_app;
