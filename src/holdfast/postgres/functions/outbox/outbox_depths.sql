-- How many events wait to be sent and how many are dead, counted up to a cap; how long the oldest has been due.
CREATE OR REPLACE FUNCTION holdfast.outbox_depths(cap integer, at timestamptz)
RETURNS TABLE (slug text, pending bigint, dead bigint, oldest double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT t.slug, waiting.events, lost.events, greatest(0, extract(epoch FROM at - due.since))::double precision
    FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT count(*) AS events FROM (
        SELECT FROM holdfast.outbox_event_live e WHERE e.tenant = t.tenant AND e.status = 'pending' LIMIT cap) counted) waiting
    CROSS JOIN LATERAL (
      SELECT count(*) AS events FROM (
        SELECT FROM holdfast.outbox_event_live e WHERE e.tenant = t.tenant AND e.status = 'dead' LIMIT cap) counted) lost
    CROSS JOIN LATERAL (
      SELECT min(l.due_at) AS since FROM holdfast.outbox_lane l
      WHERE l.tenant = t.tenant AND l.lease_until IS NULL AND NOT l.blocked) due
    WHERE waiting.events > 0 OR lost.events > 0;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.outbox_depths TO holdfast_worker;
