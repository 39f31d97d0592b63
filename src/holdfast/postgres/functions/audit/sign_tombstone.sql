-- Keeps the signature of a tombstone that this transaction left.
CREATE OR REPLACE FUNCTION holdfast.sign_tombstone(of_tenant uuid, of_seq bigint, by_key text, with_signature bytea) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.audit_tombstone t SET key_id = by_key, signature = with_signature
    WHERE t.tenant = of_tenant AND t.seq = of_seq AND t.signature IS NULL AND t.xmin = pg_current_xact_id()::xid;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the tombstone % was not left by this transaction', of_seq USING ERRCODE = 'HF002';
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.sign_tombstone TO holdfast_worker;
