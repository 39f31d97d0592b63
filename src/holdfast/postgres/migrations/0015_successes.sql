-- Runs that succeed cost less.
--
-- Nearly every run does nothing but succeed. Such outcomes are kept by a function of their own, which reads each row once;
-- what used to be settle_runs is called for all the others.

-- Moves leased runs to the finished ones as succeeded, and tells parents of it. Answers how many were still held.
CREATE FUNCTION holdfast.keep_successes(tenants uuid[], ids uuid[], epochs bigint[], results text[], by text, at timestamptz)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  kept integer;
  children integer;
BEGIN
  WITH ended AS (
    -- The fence, as in settle_outcomes.
    DELETE FROM holdfast.workflow_run_live r USING unnest(tenants, ids, epochs, results) o (tenant, id, epoch, result)
    WHERE r.tenant = o.tenant AND r.id = o.id AND r.lease_epoch = o.epoch AND r.lease_until IS NOT NULL
    RETURNING r.*, o.result AS new_result
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done AS d
      (tenant, id, done, type, status, priority, ready, idempotency_key, payload, result, error, last_error, attempt,
       max_attempts, run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at,
       delete_reason, concurrency_key, concurrency_limit, parent_id)
    SELECT e.tenant, e.id, true, e.type, 'succeeded', e.priority, false, e.idempotency_key, e.payload, e.new_result::jsonb,
           e.error, e.last_error, e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by,
           e.created_at, at, at, e.deleted_at, e.delete_reason, e.concurrency_key, e.concurrency_limit, e.parent_id
    FROM ended e
    RETURNING d.parent_id
  )
  SELECT count(*), count(m.parent_id) INTO kept, children FROM moved m;
  IF children > 0 THEN
    PERFORM holdfast.tell_parents(
      array_agg(d.tenant), array_agg(d.id),
      array_agg(jsonb_build_object('status', d.status, 'result', d.result, 'error', d.error)), by, at)
      FROM unnest(tenants, ids) o (tenant, id)
      JOIN holdfast.workflow_run_done d ON d.tenant = o.tenant AND d.id = o.id AND d.finished_at = at
      WHERE d.parent_id IS NOT NULL
      HAVING count(*) > 0;
  END IF;
  RETURN kept;
END
$$;

ALTER FUNCTION holdfast.settle_runs(
  text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[], text[], text[], text, text,
  timestamptz) RENAME TO settle_outcomes;

-- Records what became of leased runs, as settle_outcomes does. Where every run of a call just succeeded, with no event to
-- write, no place to give away and nothing to publish, the short way is taken. If some of them were not held any more, the
-- long way finds the others kept, changes nothing, and says which were lost.
CREATE FUNCTION holdfast.settle_runs(
  worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[],
  last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[],
  event_level text, publishes text, at timestamptz)
RETURNS TABLE (lost_tenant uuid, lost_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN;
  END IF;
  IF 'succeeded' = ALL (statuses) AND cardinality(events) = 0 AND cardinality(keys) = 0 AND publishes <> 'outcomes'
     AND NOT holdfast.wants_event(event_level, 'run.succeeded')
     AND holdfast.keep_successes(tenants, ids, epochs, results, 'worker:' || worker, at) = cardinality(ids) THEN
    RETURN;
  END IF;
  RETURN QUERY SELECT * FROM holdfast.settle_outcomes(
    worker, tenants, ids, epochs, statuses, results, errors, last_errors, delays, attempts_back, events, waits, keys,
    event_level, publishes, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settle_runs(
  text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[], text[], text[], text, text,
  timestamptz) TO holdfast_worker;
