-- Whether some people (who decides, and in whose seat) have decided in a branch beside that of a request: one person fills one seat of
-- parallel approvals, unless both allow more. The same as `barred` of the core. On approval_requests_instance and approval_decisions_person.
CREATE OR REPLACE FUNCTION holdfast.seat_taken(
  own uuid, instance uuid, request uuid, own_branches jsonb, own_in_parallel boolean, people text[]) RETURNS boolean
LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN own_branches IS NOT NULL AND EXISTS (
    SELECT FROM holdfast.approval_requests o
    JOIN holdfast.approval_decisions d ON d.tenant = o.tenant AND d.request_id = o.id
    WHERE o.tenant = own AND o.instance_id = instance AND o.id <> request AND o.branches IS NOT NULL
      AND NOT (o.in_parallel AND own_in_parallel) AND d.voided_at IS NULL AND d.decision <> 'abstained'
      AND (d.decided_by = ANY (people) OR d.seat = ANY (people))
      AND EXISTS (
        SELECT FROM jsonb_each(own_branches) b (split, branch)
        WHERE o.branches ? b.split AND o.branches -> b.split <> b.branch));
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.seat_taken TO holdfast_app;
