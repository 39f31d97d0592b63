-- The janitor's round over all tenants: expired keys go, quotas are counted anew.
CREATE OR REPLACE FUNCTION holdfast.data_tidy(most integer, recount boolean, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one record;
  swept integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('holdfast.data_tidy', 0)) THEN
    RETURN 0;
  END IF;
  FOR one IN SELECT t.tenant FROM holdfast.tenants t ORDER BY t.tenant LOOP
    swept := swept + holdfast.data_sweep_tenant(one.tenant, NULL, most, 'system:janitor', at);
  END LOOP;
  IF recount THEN
    FOR one IN SELECT n.tenant, n.namespace FROM holdfast.workflow_data_namespace n
      WHERE n.max_keys IS NOT NULL OR n.max_bytes IS NOT NULL ORDER BY n.tenant, n.namespace
    LOOP
      PERFORM holdfast.data_recount(one.tenant, one.namespace);
    END LOOP;
  END IF;
  RETURN swept;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_tidy TO holdfast_worker;
