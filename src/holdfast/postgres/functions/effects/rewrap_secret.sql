-- Puts the key of a secret under another one, unless the secret was replaced meanwhile. Answers whether it did.
CREATE OR REPLACE FUNCTION holdfast.rewrap_secret(of_tenant uuid, wanted text, was_wrapped bytea, new_key_id text, new_wrapped bytea)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_secrets s SET key_id = new_key_id, wrapped_key = new_wrapped
    WHERE s.tenant = of_tenant AND s.name = wanted AND s.wrapped_key = was_wrapped;
  RETURN FOUND;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.rewrap_secret TO holdfast_worker;
