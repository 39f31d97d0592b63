CREATE OR REPLACE FUNCTION holdfast.list_tenants()
RETURNS TABLE (tenant uuid, slug text, name text, settings jsonb, created_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT t.tenant, t.slug, t.name, t.settings, t.created_at FROM holdfast.tenants t ORDER BY t.slug;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.list_tenants TO holdfast_worker;
