-- The credential of a hash, if it is in force, on api_tokens (tenant, hash).
CREATE OR REPLACE FUNCTION holdfast.find_token(wanted bytea, at timestamptz)
RETURNS TABLE (token_id uuid, user_name text, scopes text[], created_by text, stale boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT t.token_id, u.name, t.scopes, t.created_by,
           t.last_used_at IS NULL OR t.last_used_at < at - interval '1 minute'
    FROM holdfast.api_tokens t JOIN holdfast.users u ON u.tenant = t.tenant AND u.user_id = t.user_id
    WHERE t.tenant = holdfast.transaction_tenant() AND t.hash = wanted AND holdfast.is_in_force(t.tenant, t.token_id, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.find_token TO holdfast_app;
