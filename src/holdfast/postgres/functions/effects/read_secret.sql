-- The secret that an effect names, for the worker that has it in hand, still under lock and key. A tenant that wants to know who reads is told of
-- every use, also of one that comes to nothing.
CREATE OR REPLACE FUNCTION holdfast.read_secret(of_tenant uuid, made_at timestamptz, effect uuid, epoch bigint)
RETURNS TABLE (name text, hosts text[], key_id text, wrapped_key bytea, ciphertext bytea)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  SELECT s.name, s.hosts, s.key_id, s.wrapped_key, s.ciphertext INTO name, hosts, key_id, wrapped_key, ciphertext
    FROM holdfast.workflow_side_effects_outbox e
    JOIN holdfast.workflow_secrets s ON s.tenant = e.tenant AND s.name = e.payload_json ->> 'secret'
    WHERE e.tenant = of_tenant AND e.created_at = made_at AND e.id = effect AND e.lease_epoch = epoch AND e.status = 'processing';
  IF NOT FOUND THEN
    RETURN;
  END IF;
  INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data)
    SELECT of_tenant, 'read', of_tenant, 'secret.used', 'system:effects', jsonb_build_object('name', read_secret.name, 'effect', effect)
    FROM holdfast.tenants t WHERE t.tenant = of_tenant AND t.settings -> 'audit_reads' = 'true'::jsonb;
  RETURN NEXT;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.read_secret TO holdfast_worker;
