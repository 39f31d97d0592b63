-- What a session needs of its definition. The lock keeps the definition from being deleted until the session is there.
CREATE OR REPLACE FUNCTION holdfast.use_definition(wanted text)
RETURNS TABLE (name text, revision integer, phase text, container_image text, input_schema jsonb, timeout_seconds double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY SELECT r.name, r.revision, r.phase, r.container_image, r.input_schema, r.timeout_seconds
    FROM holdfast.workflow_definition_registry r WHERE r.name = wanted FOR KEY SHARE;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.use_definition TO holdfast_app;
