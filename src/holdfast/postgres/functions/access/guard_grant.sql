-- Nobody grants themselves a role; where the tenant wants four eyes on it, one person asks and another grants.
CREATE OR REPLACE FUNCTION holdfast.guard_grant() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  grantee text;
BEGIN
  SELECT u.kind || ':' || u.name INTO grantee FROM holdfast.users u WHERE u.tenant = NEW.tenant AND u.user_id = NEW.user_id;
  IF NEW.granted_by = grantee THEN
    RAISE EXCEPTION '% cannot grant themselves a role', grantee USING ERRCODE = 'HF002', HINT = 'somebody else has to';
  END IF;
  IF NOT starts_with(NEW.granted_by, 'system:')
     AND EXISTS (SELECT FROM holdfast.tenants t WHERE t.tenant = NEW.tenant AND t.settings -> 'four_eyes_on_grants' = 'true')
     AND NOT EXISTS (SELECT FROM holdfast.role_requests r WHERE r.tenant = NEW.tenant AND r.user_id = NEW.user_id
                       AND r.role = NEW.role AND r.requested_by NOT IN (NEW.granted_by, grantee)) THEN
    RAISE EXCEPTION 'nobody else has asked for this grant' USING ERRCODE = 'HF001', HINT = 'it takes two people (four eyes)';
  END IF;
  RETURN NEW;
END
$$;
