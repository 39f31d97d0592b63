-- Row-level security by tenant: enabled, and forced on the owner too, whose functions need a policy of their own for it.
CREATE OR REPLACE FUNCTION holdfast.protect_tenant_table(target regclass) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant_isolation ON %s '
    'USING (tenant = nullif(current_setting(''holdfast.tenant'', true), '''')::uuid) '
    'WITH CHECK (tenant = nullif(current_setting(''holdfast.tenant'', true), '''')::uuid)', target);
  -- For SECURITY DEFINER functions: no role needs BYPASSRLS, which managed Postgres seldom grants.
  EXECUTE format('CREATE POLICY cross_tenant ON %s TO holdfast_owner USING (true) WITH CHECK (true)', target);
END
$$;
