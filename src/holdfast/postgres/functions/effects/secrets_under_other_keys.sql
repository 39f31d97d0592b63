-- The secrets of all tenants whose keys are not under the current one, to be put under it: for whoever rotates.
CREATE OR REPLACE FUNCTION holdfast.secrets_under_other_keys(than text)
RETURNS TABLE (tenant uuid, name text, hosts text[], key_id text, wrapped_key bytea, ciphertext bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT s.tenant, s.name, s.hosts, s.key_id, s.wrapped_key, s.ciphertext FROM holdfast.workflow_secrets s
    WHERE s.key_id <> than ORDER BY s.tenant, s.name;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.secrets_under_other_keys TO holdfast_worker;
