-- Lets an instance follow another version of its definition, if it is still as it was read. Its event is the caller's to write.
CREATE OR REPLACE FUNCTION holdfast.migrate_instance(
  wanted uuid, read_version integer, new_definition uuid, new_version integer, new_hash text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_instances i
    SET definition_id = new_definition, definition_version = new_version, compiled_hash = new_hash, version = i.version + 1,
        updated_at = at
    WHERE i.tenant = holdfast.transaction_tenant() AND i.id = wanted AND i.version = read_version;
  RETURN FOUND;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.migrate_instance TO holdfast_app;
