-- How the queues of tenants stand, some tenants at a time, by slug: counts, and nothing of what is in them.
CREATE OR REPLACE FUNCTION holdfast.installation_health(after text, most integer, cap integer, at timestamptz)
RETURNS TABLE (slug text, queue text, pending bigint, working bigint, waiting bigint, stuck bigint, dead bigint, oldest double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT t.slug, s.* FROM (
      SELECT n.tenant, n.slug FROM holdfast.tenants n WHERE after IS NULL OR n.slug > after ORDER BY n.slug LIMIT most) t
    CROSS JOIN LATERAL holdfast.queue_states(t.tenant, cap, at) s
    ORDER BY t.slug;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.installation_health TO holdfast_worker;
