-- Open requests of every tenant that want a reminder or an escalation.
CREATE OR REPLACE FUNCTION holdfast.requests_to_tend(at timestamptz, most integer) RETURNS TABLE (tenant uuid, id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT t.tenant, d.id FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT r.id FROM holdfast.approval_requests r
      WHERE r.tenant = t.tenant AND r.status = 'open' AND r.tend_at IS NOT NULL AND r.tend_at <= at
      ORDER BY r.tend_at LIMIT most) d
    LIMIT most;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.requests_to_tend TO holdfast_worker;
