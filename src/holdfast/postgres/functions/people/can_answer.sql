-- Whether anybody is left who could decide on a request: an active person who is asked, did not make it (four eyes), and has no seat beside it.
CREATE OR REPLACE FUNCTION holdfast.can_answer(r holdfast.approval_requests) RETURNS boolean
LANGUAGE sql STABLE AS $$
  SELECT EXISTS (
    SELECT FROM holdfast.approval_assignees a
    WHERE a.tenant = r.tenant AND a.request_id = r.id AND a.is_open AND (
      a.principal = 'anyone' OR EXISTS (
        SELECT FROM holdfast.users u
        WHERE u.tenant = r.tenant AND u.deactivated_at IS NULL AND u.kind = 'user'
          AND NOT (r.four_eyes AND u.name = ANY (r.makers))
          AND (r.branches IS NULL OR NOT holdfast.seat_taken(
            r.tenant, r.instance_id, r.id, r.branches, r.in_parallel, ARRAY[u.name]))
          AND (a.principal = 'user:' || u.name OR EXISTS (
            SELECT FROM holdfast.user_roles h
            WHERE h.tenant = u.tenant AND h.user_id = u.user_id AND a.principal = 'role:' || h.role)))))
$$;
GRANT EXECUTE ON FUNCTION holdfast.can_answer TO holdfast_app;
