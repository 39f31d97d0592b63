-- The secret that an effect names, for the worker that has it in hand, still under lock and key.
CREATE OR REPLACE FUNCTION holdfast.read_secret(of_tenant uuid, made_at timestamptz, effect uuid, epoch bigint)
RETURNS TABLE (name text, hosts text[], key_id text, wrapped_key bytea, ciphertext bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT s.name, s.hosts, s.key_id, s.wrapped_key, s.ciphertext
    FROM holdfast.workflow_side_effects_outbox e
    JOIN holdfast.workflow_secrets s ON s.tenant = e.tenant AND s.name = e.payload_json ->> 'secret'
    WHERE e.tenant = of_tenant AND e.created_at = made_at AND e.id = effect AND e.lease_epoch = epoch AND e.status = 'processing';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.read_secret TO holdfast_worker;
