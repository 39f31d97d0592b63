-- Moves leased runs to the finished ones as succeeded, and tells parents of it; answers how many were still held. By address: a claim says where in
-- the table each run lies, and settling it there takes no search through an index. Whether it is that run, and still held, is asked all the same;
-- one that lies elsewhere by now (a heartbeat moves it) is left to settle_outcomes, which finds it by its id.
CREATE OR REPLACE FUNCTION holdfast.keep_successes(
  tenants uuid[], ids uuid[], epochs bigint[], addresses tid[], results text[], by text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off SET lock_timeout = '250ms' AS $$
DECLARE
  kept integer;
  children integer;
BEGIN
  WITH ended AS (
    -- The fence, as in settle_outcomes.
    DELETE FROM holdfast.workflow_run_live r
    USING unnest(ids, addresses, results, tenants, epochs) o (id, address, result, tenant, epoch)
    WHERE r.ctid = o.address AND r.id = o.id AND r.tenant = coalesce(o.tenant, tenants[1])
      AND r.lease_epoch = coalesce(o.epoch, epochs[1]) AND r.lease_until IS NOT NULL
    RETURNING r.*, o.result AS new_result
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done AS d
      (tenant, id, type, status, priority, idempotency_key, payload, result, error, last_error, attempt,
       max_attempts, run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at,
       delete_reason, concurrency_key, concurrency_limit, parent_id, party)
    SELECT e.tenant, e.id, e.type, 'succeeded', e.priority, e.idempotency_key, e.payload, e.new_result::jsonb,
           e.error, e.last_error, e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by,
           e.created_at, at, at, e.deleted_at, e.delete_reason, e.concurrency_key, e.concurrency_limit, e.parent_id,
           e.party
    FROM ended e
    RETURNING d.parent_id
  )
  SELECT count(*), count(m.parent_id) INTO kept, children FROM moved m;
  IF children > 0 THEN
    PERFORM holdfast.tell_parents(
      array_agg(d.tenant), array_agg(d.id),
      array_agg(jsonb_build_object('status', d.status, 'result', d.result, 'error', d.error)), by, at)
      FROM unnest(tenants, ids) o (tenant, id)
      JOIN holdfast.workflow_run_done d
        ON d.tenant = coalesce(o.tenant, tenants[1]) AND d.id = o.id AND d.finished_at = at
      WHERE d.parent_id IS NOT NULL
      HAVING count(*) > 0;
  END IF;
  RETURN kept;
END
$$;
