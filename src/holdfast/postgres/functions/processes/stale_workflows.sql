-- Published workflows of any tenant that an older compiler made: for a worker of a newer version, which compiles them anew.
CREATE OR REPLACE FUNCTION holdfast.stale_workflows(current text)
RETURNS TABLE (tenant uuid, entity_type text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT d.tenant, d.entity_type::text FROM holdfast.workflow_definitions d
    WHERE d.definition_kind = 'effective' AND d.status = 'published' AND d.compiler_version ~ '^[0-9]+([.][0-9]+)*$'
      AND string_to_array(d.compiler_version, '.')::integer[] < string_to_array(current, '.')::integer[]
    ORDER BY d.tenant, d.entity_type;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.stale_workflows TO holdfast_worker;
