-- The credential of a hash, if it is in force: who operates the installation with it. When it was last used is noted once a minute.
CREATE OR REPLACE FUNCTION holdfast.use_installation_token(wanted bytea, at timestamptz) RETURNS TABLE (token_id uuid, name text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.installation_token t SET last_used_at = at
    WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at)
      AND (t.last_used_at IS NULL OR t.last_used_at < at - interval '1 minute');
  RETURN QUERY
    SELECT t.token_id, t.name FROM holdfast.installation_token t
    WHERE t.hash = wanted AND t.revoked_at IS NULL AND (t.expires_at IS NULL OR t.expires_at > at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.use_installation_token TO holdfast_worker;
