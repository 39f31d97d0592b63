CREATE OR REPLACE FUNCTION holdfast.data_sweep(own uuid, most integer, actor text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  RETURN holdfast.data_sweep_tenant(own, NULL, most, actor, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_sweep TO holdfast_app;
