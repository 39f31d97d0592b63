-- The last active administrator of a tenant keeps role and access.
CREATE OR REPLACE FUNCTION holdfast.keep_an_administrator() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM holdfast.users u WHERE u.tenant = OLD.tenant AND u.user_id = OLD.user_id
      AND CASE TG_TABLE_NAME WHEN 'users' THEN EXISTS (
            SELECT FROM holdfast.user_roles r WHERE r.tenant = u.tenant AND r.user_id = u.user_id AND r.role = 'admin')
          ELSE u.deactivated_at IS NULL END) THEN
    RETURN NULL;  -- was none, or one without access
  END IF;
  -- Two transactions that each take away another's would each still see the other's: the second one waits here.
  PERFORM FROM holdfast.users u
    WHERE u.tenant = OLD.tenant AND u.deactivated_at IS NULL AND EXISTS (
      SELECT FROM holdfast.user_roles r WHERE r.tenant = u.tenant AND r.user_id = u.user_id AND r.role = 'admin')
    ORDER BY u.user_id FOR UPDATE;
  IF NOT EXISTS (
    SELECT FROM holdfast.users u JOIN holdfast.user_roles r ON r.tenant = u.tenant AND r.user_id = u.user_id
    WHERE u.tenant = OLD.tenant AND u.deactivated_at IS NULL AND r.role = 'admin') THEN
    RAISE EXCEPTION '% is the tenant''s last administrator',
        (SELECT quote_literal(u.name) FROM holdfast.users u WHERE u.tenant = OLD.tenant AND u.user_id = OLD.user_id)
      USING ERRCODE = 'HF001', HINT = 'make somebody else one first';
  END IF;
  RETURN NULL;
END
$$;
