-- The one statement that ends a request; NULL when it is closed already. (Asked for its status, the planner would rather go through all that are open.) Its event is the caller's to write, so nobody else may call it.
CREATE OR REPLACE FUNCTION holdfast.close_request(
  own uuid, request uuid, new_status text, new_outcome text, why text, changed text[], at timestamptz)
RETURNS holdfast.approval_requests
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  closed holdfast.approval_requests;
BEGIN
  UPDATE holdfast.approval_requests r
    SET status = new_status, outcome = new_outcome, reason = why, changed_fields = changed, closed_at = at
    WHERE r.tenant = own AND r.id = request AND r.closed_at IS NULL RETURNING r.* INTO closed;
  RETURN closed;
END
$$;
