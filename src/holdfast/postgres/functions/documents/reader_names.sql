-- The names under which somebody may have been asked: their own, their roles', and those of people who handed over to them.
CREATE OR REPLACE FUNCTION holdfast.reader_names(
  own uuid, me text, roles text[], may_approve boolean, at timestamptz)
RETURNS TABLE (principal text, delegated boolean, only_type text)
LANGUAGE sql STABLE AS $$
  SELECT 'user:' || me, false, NULL::text
  UNION ALL SELECT 'role:' || r, false, NULL FROM unnest(roles) r
  UNION ALL SELECT 'anyone', false, NULL WHERE may_approve
  UNION ALL
  SELECT p.principal, true, g.entity_type
  FROM holdfast.approval_delegations g JOIN holdfast.users u ON u.tenant = g.tenant AND u.name = g.delegator
  CROSS JOIN LATERAL (
    SELECT 'user:' || g.delegator AS principal
    UNION ALL SELECT 'role:' || h.role FROM holdfast.user_roles h WHERE h.tenant = u.tenant AND h.user_id = u.user_id) p
  WHERE g.tenant = own AND g.delegate = me AND g.revoked_at IS NULL AND u.deactivated_at IS NULL AND may_approve
    AND at >= g.starts_at AND at < g.ends_at
$$;
GRANT EXECUTE ON FUNCTION holdfast.reader_names TO holdfast_app;
