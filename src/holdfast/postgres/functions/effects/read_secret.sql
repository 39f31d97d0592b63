CREATE OR REPLACE FUNCTION holdfast.read_secret(of_tenant uuid, wanted text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (SELECT s.secret FROM holdfast.workflow_secrets s WHERE s.tenant = of_tenant AND s.name = wanted);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.read_secret TO holdfast_worker;
