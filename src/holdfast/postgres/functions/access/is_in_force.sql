-- Whether a token counts: it, every token it descends from, and everybody they stand for.
CREATE OR REPLACE FUNCTION holdfast.is_in_force(of_tenant uuid, wanted uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  next_id uuid := wanted;
BEGIN
  WHILE next_id IS NOT NULL LOOP
    SELECT t.parent_id INTO next_id
      FROM holdfast.api_tokens t JOIN holdfast.users u ON u.tenant = t.tenant AND u.user_id = t.user_id
      WHERE t.tenant = of_tenant AND t.token_id = next_id AND t.revoked_at IS NULL AND u.deactivated_at IS NULL
        AND (t.expires_at IS NULL OR t.expires_at > at);
    IF NOT FOUND THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN wanted IS NOT NULL;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.is_in_force TO holdfast_app;
