-- A namespace's own rules. What it holds is counted here, and again by the janitor: who was writing while it was counted for
-- the first time may not be in it.
CREATE OR REPLACE FUNCTION holdfast.data_configure(
  own uuid, in_namespace text, new_id uuid, new_schema text, keys_at_most bigint, bytes_at_most bigint, at timestamptz)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  INSERT INTO holdfast.workflow_data_namespace AS n
    (tenant, namespace, namespace_id, json_schema, schema_version, max_keys, max_bytes, updated_at)
    VALUES (own, in_namespace, new_id, new_schema::jsonb,
            CASE WHEN new_schema IS NULL THEN 0 ELSE nextval('holdfast.data_revision') END, keys_at_most, bytes_at_most, at)
    ON CONFLICT (tenant, namespace) DO UPDATE SET
      json_schema = excluded.json_schema,
      schema_version = CASE WHEN n.json_schema IS NOT DISTINCT FROM excluded.json_schema THEN n.schema_version
                            ELSE excluded.schema_version END,
      max_keys = excluded.max_keys, max_bytes = excluded.max_bytes, warned_at = NULL, updated_at = excluded.updated_at;
  PERFORM holdfast.data_recount(own, in_namespace);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_configure TO holdfast_app;
