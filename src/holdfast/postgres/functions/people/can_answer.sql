-- Whether anybody is left who could decide on a request: an active person with the right to, who is asked, has not decided yet, did not make it
-- (four eyes), and has no seat beside it. Whoever stands in for them is taken to have the right.
CREATE OR REPLACE FUNCTION holdfast.can_answer(r holdfast.approval_requests) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM holdfast.approval_assignees a
    JOIN holdfast.users u ON u.tenant = a.tenant AND u.deactivated_at IS NULL AND u.kind = 'user'
    WHERE a.tenant = r.tenant AND a.request_id = r.id AND a.is_open
      AND (a.principal IN ('anyone', 'user:' || u.name) OR EXISTS (
        SELECT FROM holdfast.user_roles h
        WHERE h.tenant = u.tenant AND h.user_id = u.user_id AND a.principal = 'role:' || h.role))
      AND NOT (r.four_eyes AND u.name = ANY (r.makers))
      AND NOT EXISTS (
        SELECT FROM holdfast.approval_decisions d
        WHERE d.tenant = r.tenant AND d.request_id = r.id AND u.name IN (d.decided_by, d.seat))
      AND (r.branches IS NULL OR NOT holdfast.seat_taken(
        r.tenant, r.instance_id, r.id, r.branches, r.in_parallel, ARRAY[u.name]))
      AND (EXISTS (
        SELECT FROM holdfast.user_roles h JOIN holdfast.roles o ON o.tenant = h.tenant AND o.role = h.role
        WHERE h.tenant = u.tenant AND h.user_id = u.user_id
          -- Built-in roles have theirs in the code, where a test holds these two.
          AND CASE WHEN o.permissions IS NULL THEN o.role IN ('approver', 'admin') ELSE 'processes:approve' = ANY (o.permissions) END)
        OR r.may_delegate AND EXISTS (
          SELECT FROM holdfast.approval_delegations g
          WHERE g.tenant = u.tenant AND g.delegator = u.name AND g.revoked_at IS NULL)))
$$;
GRANT EXECUTE ON FUNCTION holdfast.can_answer TO holdfast_app;
