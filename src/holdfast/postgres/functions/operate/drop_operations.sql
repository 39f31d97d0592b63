-- Retention: operations that ended before a time, with their items.
CREATE OR REPLACE FUNCTION holdfast.drop_operations(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  WITH dropped AS (
    DELETE FROM holdfast.workflow_operation o USING holdfast.tenants t
    WHERE o.tenant = t.tenant AND o.finished_at < before RETURNING o.id)
  SELECT count(*) INTO gone FROM dropped;
  RETURN gone;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_operations TO holdfast_worker;
