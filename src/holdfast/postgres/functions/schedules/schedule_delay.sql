-- By how many seconds the most overdue schedule is late.
CREATE OR REPLACE FUNCTION holdfast.schedule_delay(at timestamptz) RETURNS double precision
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  RETURN (SELECT greatest(0, extract(epoch FROM at - min(s.next_fire_at)))::double precision
          FROM holdfast.tenants t CROSS JOIN LATERAL (
            SELECT x.next_fire_at FROM holdfast.workflow_schedule x
            WHERE x.tenant = t.tenant AND x.next_fire_at IS NOT NULL ORDER BY x.next_fire_at LIMIT 1) s);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.schedule_delay TO holdfast_worker;
