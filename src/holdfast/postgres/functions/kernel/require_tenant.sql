-- Functions of tenants name the tenant, and must name the transaction's own.
CREATE OR REPLACE FUNCTION holdfast.require_tenant(own uuid) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF own IS DISTINCT FROM nullif(current_setting('holdfast.tenant', true), '')::uuid THEN
    RAISE EXCEPTION 'this transaction has another tenant, or none' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
