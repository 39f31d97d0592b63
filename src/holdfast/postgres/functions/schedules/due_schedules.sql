-- Which tenants have something due, and as a row without a tenant when the next fire is due.
CREATE OR REPLACE FUNCTION holdfast.due_schedules(at timestamptz)
RETURNS TABLE (tenant uuid, slug text, name text, due timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT t.tenant, t.slug, t.name, s.next_fire_at FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT x.next_fire_at FROM holdfast.workflow_schedule x
      WHERE x.tenant = t.tenant AND x.next_fire_at IS NOT NULL ORDER BY x.next_fire_at LIMIT 1) s
    WHERE s.next_fire_at <= at ORDER BY s.next_fire_at;
  RETURN QUERY
    SELECT NULL::uuid, NULL::text, NULL::text, min(s.next_fire_at) FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT x.next_fire_at FROM holdfast.workflow_schedule x
      WHERE x.tenant = t.tenant AND x.next_fire_at > at ORDER BY x.next_fire_at LIMIT 1) s
    HAVING min(s.next_fire_at) IS NOT NULL;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.due_schedules TO holdfast_worker;
