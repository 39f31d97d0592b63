CREATE OR REPLACE FUNCTION holdfast.data_get(own uuid, in_namespace text, in_key text, at timestamptz)
RETURNS TABLE (key text, value text, value_type text, revision bigint, expires_at timestamptz, created_by_run_id uuid,
               created_at timestamptz, updated_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  RETURN QUERY
    SELECT s.key, s.value::text, s.value_type, s.revision, s.expires_at, s.created_by_run_id, s.created_at, s.updated_at
    FROM holdfast.workflow_data_store s
    WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key AND (s.expires_at IS NULL OR s.expires_at > at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_get TO holdfast_app;
