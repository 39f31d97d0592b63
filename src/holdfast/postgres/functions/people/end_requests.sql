-- The one statement that ends requests; those that are closed already stay as they are. (Asked for their status, the planner would rather go
-- through all that are open.) Their events are the caller's to write, so nobody else may call it.
CREATE OR REPLACE FUNCTION holdfast.end_requests(own uuid, ending jsonb, at timestamptz) RETURNS SETOF holdfast.approval_requests
LANGUAGE plpgsql AS $$
BEGIN
  RETURN QUERY
    UPDATE holdfast.approval_requests r
    SET status = n.status, outcome = n.outcome, reason = n.reason, changed_fields = n.changed_fields, closed_at = at
    FROM jsonb_to_recordset(ending) n (id uuid, status text, outcome text, reason text, changed_fields text[])
    WHERE r.tenant = own AND r.id = n.id AND r.closed_at IS NULL RETURNING r.*;
END
$$;
