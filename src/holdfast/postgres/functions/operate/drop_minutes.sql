-- Retention of the minutes.
CREATE OR REPLACE FUNCTION holdfast.drop_minutes(before timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM holdfast.queue_minute m USING holdfast.tenants t WHERE m.tenant = t.tenant AND m.minute < before;
  DELETE FROM holdfast.queue_depth d USING holdfast.tenants t WHERE d.tenant = t.tenant AND d.minute < before;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_minutes TO holdfast_worker;
