-- The heads of all chains that moved after a time; NULL: all of them.
CREATE OR REPLACE FUNCTION holdfast.heads_since(since timestamptz)
RETURNS TABLE (tenant uuid, object_kind text, object_id uuid, seq bigint, hash bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  RETURN QUERY SELECT h.tenant, h.object_kind, h.object_id, h.seq, h.hash FROM holdfast.audit_head h
    WHERE since IS NULL OR h.moved_at > since ORDER BY h.tenant, h.object_kind, h.object_id;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.heads_since TO holdfast_worker;
