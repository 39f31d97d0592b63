-- The tombstones that this transaction left: those of another are not for it to sign.
CREATE OR REPLACE FUNCTION holdfast.new_tombstones() RETURNS TABLE (tenant uuid, seq bigint, hash bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT t.tenant, t.seq, t.hash FROM holdfast.audit_tombstone t
    WHERE t.signature IS NULL AND t.xmin = pg_current_xact_id()::xid;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.new_tombstones TO holdfast_worker;
