-- The names a person goes by in inboxes: their own, their roles', and those of the people they stand in for, some of them in matters of one
-- type only; with whose seat it is, how they came to it, and which counts first. Read as part of the statement that asks.
CREATE OR REPLACE FUNCTION holdfast.inbox_names(own uuid, me text, roles text[], may_approve boolean, at timestamptz)
RETURNS TABLE (principal text, seat text, how text, only_type text, rank integer)
LANGUAGE sql STABLE AS $$
  SELECT 'user:' || me, me, 'mine', NULL::text, 1
  UNION ALL SELECT 'role:' || r, me, 'role', NULL, 2 FROM unnest(roles) r
  UNION ALL SELECT 'anyone', me, 'role', NULL, 2 WHERE may_approve
  UNION ALL
  SELECT p.principal, g.delegator, 'delegated', g.entity_type, 3
  FROM holdfast.approval_delegations g JOIN holdfast.users u ON u.tenant = g.tenant AND u.name = g.delegator
  CROSS JOIN LATERAL (
    SELECT 'user:' || g.delegator AS principal
    UNION ALL SELECT 'role:' || h.role FROM holdfast.user_roles h WHERE h.tenant = u.tenant AND h.user_id = u.user_id) p
  WHERE g.tenant = own AND g.delegate = me AND g.revoked_at IS NULL AND u.deactivated_at IS NULL
    AND at >= g.starts_at AND at < g.ends_at
$$;
GRANT EXECUTE ON FUNCTION holdfast.inbox_names TO holdfast_app;
