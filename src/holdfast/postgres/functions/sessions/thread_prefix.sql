CREATE OR REPLACE FUNCTION holdfast.thread_prefix() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- Slugs hold no colon, so no tenant's prefix begins another's.
  RETURN (SELECT 'project-' || t.slug || ':' FROM holdfast.tenants t
          WHERE t.tenant = nullif(current_setting('holdfast.tenant', true), '')::uuid);
END
$$;
COMMENT ON FUNCTION holdfast.thread_prefix IS 'How threads of the transaction''s tenant begin; NULL without a tenant.';
GRANT EXECUTE ON FUNCTION holdfast.thread_prefix TO holdfast_app;
