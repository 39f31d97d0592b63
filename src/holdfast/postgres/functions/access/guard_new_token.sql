-- Nobody makes a token that acts as another person, and none that is more than the token it was made with.
CREATE OR REPLACE FUNCTION holdfast.guard_new_token() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  owner holdfast.users;
  parent holdfast.api_tokens;
BEGIN
  SELECT * INTO owner FROM holdfast.users u WHERE u.tenant = NEW.tenant AND u.user_id = NEW.user_id;
  -- What acts as the system has the database's login: the trail names it as the maker.
  IF owner.kind = 'user' AND NEW.created_by <> 'user:' || owner.name AND NOT starts_with(NEW.created_by, 'system:') THEN
    RAISE EXCEPTION '% cannot make a token that acts as %', NEW.created_by, owner.name
      USING ERRCODE = 'HF002', HINT = 'people make their own; a program gets a service account';
  END IF;
  IF NEW.parent_id IS NULL THEN
    RETURN NEW;
  END IF;
  SELECT * INTO parent FROM holdfast.api_tokens t WHERE t.tenant = NEW.tenant AND t.token_id = NEW.parent_id;
  IF NOT FOUND OR NOT holdfast.is_in_force(NEW.tenant, NEW.parent_id, NEW.created_at) THEN
    RAISE EXCEPTION 'the token it is made with has ended' USING ERRCODE = 'HF001', HINT = 'sign in again';
  END IF;
  IF parent.expires_at IS NOT NULL AND (NEW.expires_at IS NULL OR NEW.expires_at > parent.expires_at) THEN
    RAISE EXCEPTION 'a token cannot outlive the one it is made with' USING ERRCODE = 'HF002', HINT = 'let it expire earlier';
  END IF;
  IF parent.scopes IS NOT NULL AND (NEW.scopes IS NULL OR NOT NEW.scopes <@ parent.scopes) THEN
    RAISE EXCEPTION 'a token cannot exceed the one it is made with' USING ERRCODE = 'HF002', HINT = 'give it fewer scopes';
  END IF;
  IF NEW.depth <> parent.depth + 1 THEN
    RAISE EXCEPTION 'the depth of the token is wrong' USING ERRCODE = 'HF001';
  END IF;
  RETURN NEW;
END
$$;
