-- Stores results of durable steps, of runs that are still held at that epoch; answers with those that were stored. The lock
-- on the run makes a takeover wait for us, or us see it: what a holder stored is there when the next one looks.
CREATE OR REPLACE FUNCTION holdfast.record_steps(
  tenants uuid[], ids uuid[], epochs bigint[], names text[], results text[], at timestamptz)
RETURNS TABLE (run_id uuid, name text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET lock_timeout = '250ms' AS $$
BEGIN
  RETURN QUERY
    WITH held AS MATERIALIZED (
      SELECT s.tenant, s.id, s.name, s.result
      FROM unnest(tenants, ids, epochs, names, results) s (tenant, id, epoch, name, result) CROSS JOIN LATERAL (
        SELECT FROM holdfast.workflow_run_live r
        WHERE r.tenant = s.tenant AND r.id = s.id AND r.lease_epoch = s.epoch AND r.lease_until IS NOT NULL
        FOR SHARE) mine
    )
    INSERT INTO holdfast.workflow_run_step AS stored (tenant, run_id, name, result, created_at)
    SELECT h.tenant, h.id, h.name, h.result::jsonb, at FROM held h
    RETURNING stored.run_id, stored.name;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.record_steps TO holdfast_worker;
