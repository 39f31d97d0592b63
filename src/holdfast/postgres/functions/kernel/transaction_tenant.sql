CREATE OR REPLACE FUNCTION holdfast.transaction_tenant() RETURNS uuid
LANGUAGE plpgsql STABLE AS $$
DECLARE
  tenant uuid := nullif(current_setting('holdfast.tenant', true), '')::uuid;
BEGIN
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'this transaction has no tenant' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN tenant;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.transaction_tenant TO holdfast_app;
