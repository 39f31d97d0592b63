CREATE OR REPLACE FUNCTION holdfast.find_tenant(wanted text)
RETURNS TABLE (tenant uuid, slug text, name text, settings jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT t.tenant, t.slug, t.name, t.settings FROM holdfast.tenants t WHERE t.slug = wanted;
END
$$;
COMMENT ON FUNCTION holdfast.find_tenant IS 'The tenant of a slug: what a transaction needs before it can have a tenant.';
GRANT EXECUTE ON FUNCTION holdfast.find_tenant TO holdfast_worker;
