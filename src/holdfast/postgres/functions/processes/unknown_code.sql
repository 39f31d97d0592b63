-- What steps of any tenant wait for that nobody takes although it was due before `late`: how many, of how many tenants, since when.
CREATE OR REPLACE FUNCTION holdfast.unknown_code(late timestamptz, at timestamptz)
RETURNS TABLE (needs text, steps bigint, tenants bigint, since timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT o.needs, count(*), count(DISTINCT o.tenant), min(o.since) FROM (
      SELECT x.tenant, x.needs, x.created_at AS since FROM holdfast.workflow_events_outbox x
      WHERE x.status IN ('pending', 'failed') AND x.needs IS NOT NULL AND x.next_retry_at < late
      UNION ALL
      SELECT x.tenant, x.needs, x.since FROM holdfast.idle_runs(late, at) x) o
    GROUP BY o.needs ORDER BY o.needs;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.unknown_code TO holdfast_worker;
