CREATE OR REPLACE FUNCTION holdfast.drop_receipts(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM holdfast.workflow_action_receipt r USING holdfast.tenants t
    WHERE r.tenant = t.tenant AND r.created_at < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_receipts TO holdfast_worker;
