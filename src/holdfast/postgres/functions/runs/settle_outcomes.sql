-- Records what became of leased runs. `status` says where each goes: succeeded or failed, or back to pending after `delay`, with the attempt given
-- back where it did not count; with `waits`, until that event happens, if it does before. Without an event of its own it is run.‹status›. `keys`
-- are the concurrency keys of these runs, whose slots become free. Answers with the runs that were no longer held: (id, epoch) did not match, and
-- nothing of them was written. Gives up after a moment when somebody has one locked, so that the worker can deal with the others first.
CREATE OR REPLACE FUNCTION holdfast.settle_outcomes(
  worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[],
  last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[],
  event_level text, publishes text, at timestamptz)
RETURNS TABLE (lost_tenant uuid, lost_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off SET lock_timeout = '250ms' AS $$
DECLARE
  settled integer;
  child_tenants uuid[];
  child_ids uuid[];
  child_outcomes jsonb[];
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN;
  END IF;
  WITH outcome AS (
    SELECT o.tenant, o.id, o.epoch, o.status, o.result, o.error, o.last_error, o.delay, o.back, o.wait,
           coalesce(o.event, 'run.' || o.status) AS event
    FROM unnest(tenants, ids, epochs, statuses, results, errors, last_errors, delays, attempts_back, events, waits)
      o (tenant, id, epoch, status, result, error, last_error, delay, back, event, wait)
  ), ended AS (
    -- The fence: (id, epoch), still leased. Said as lease_until, which a constraint ties to the status, because with the
    -- status the planner would go through everything in flight and compare each with every outcome.
    DELETE FROM holdfast.workflow_run_live r USING outcome o
    WHERE o.status <> 'pending'
      AND r.tenant = o.tenant AND r.id = o.id AND r.lease_epoch = o.epoch AND r.lease_until IS NOT NULL
    RETURNING r.*, o.status AS new_status, o.result AS new_result, o.error AS new_error, o.last_error AS new_last_error,
              o.event
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done
      (tenant, id, type, status, priority, idempotency_key, payload, result, error, last_error, attempt,
       max_attempts, run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at,
       delete_reason, concurrency_key, concurrency_limit, parent_id, party)
    SELECT e.tenant, e.id, e.type, e.new_status, e.priority, e.idempotency_key, e.payload,
           e.new_result::jsonb, coalesce(e.new_error::jsonb, e.error), coalesce(e.new_last_error, e.last_error), e.attempt,
           e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by, e.created_at, at, at, e.deleted_at,
           e.delete_reason, e.concurrency_key, e.concurrency_limit, e.parent_id, e.party
    FROM ended e
  ), returned AS (
    UPDATE holdfast.workflow_run_live r
    SET status = 'pending', run_at = at + o.delay, lease_until = NULL, leased_by = NULL,
        ready = o.delay <= interval '0' AND r.concurrency_key IS NULL,
        blocked = o.delay <= interval '0' AND r.concurrency_key IS NOT NULL,
        waiting_for = o.wait, attempt = r.attempt - coalesce(o.back, 0), error = coalesce(o.error::jsonb, r.error),
        last_error = coalesce(o.last_error, r.last_error), updated_at = at
    FROM outcome o
    WHERE o.status = 'pending'
      AND r.tenant = o.tenant AND r.id = o.id AND r.lease_epoch = o.epoch AND r.lease_until IS NOT NULL
    RETURNING r.tenant, r.id, r.lease_epoch, r.attempt, r.last_error, r.trace_parent, r.run_at, r.waiting_for, r.party,
              o.event
  ), nudged AS (
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT r.tenant, 'event', r.waiting_for FROM returned r WHERE r.waiting_for IS NOT NULL
  ), recorded AS (
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT s.tenant, 'run', s.id, s.event, 'worker:' || worker,
           jsonb_strip_nulls(jsonb_build_object('epoch', s.lease_epoch, 'attempt', s.attempt, 'error', s.last_error,
                                                'run_at', s.run_at, 'waiting_for', s.waiting_for, 'party', holdfast.behalf_of(s.party))),
           s.trace_parent, at
    FROM (SELECT e.tenant, e.id, e.event, e.lease_epoch, e.attempt, e.new_last_error AS last_error, e.trace_parent,
                 NULL::timestamptz AS run_at, NULL::text AS waiting_for, e.party FROM ended e
          UNION ALL
          SELECT r.tenant, r.id, r.event, r.lease_epoch, r.attempt, r.last_error, r.trace_parent, r.run_at, r.waiting_for,
                 r.party
          FROM returned r) s
    WHERE holdfast.wants_event(event_level, s.event)
  )
  SELECT (SELECT count(*) FROM ended) + (SELECT count(*) FROM returned), c.tenants, c.ids, c.outcomes
    INTO settled, child_tenants, child_ids, child_outcomes
    FROM (SELECT array_agg(e.tenant) AS tenants, array_agg(e.id) AS ids,
                 array_agg(jsonb_build_object('status', e.new_status, 'result', e.new_result::jsonb,
                                              'error', coalesce(e.new_error::jsonb, e.error))) AS outcomes
          FROM ended e WHERE e.parent_id IS NOT NULL) c;
  IF child_ids IS NOT NULL THEN
    PERFORM holdfast.tell_parents(child_tenants, child_ids, child_outcomes, 'worker:' || worker, at);
  END IF;
  IF cardinality(keys) > 0 THEN
    PERFORM holdfast.admit_runs(tenants, keys, at);
  END IF;
  IF publishes <> 'nothing' THEN
    PERFORM holdfast.publish_outcomes(tenants, ids, publishes, 'worker:' || worker, at);
  END IF;
  IF settled < cardinality(ids) THEN
    -- Rare: who asks pays. A run that this call settled has left the live branch, or is no longer leased at that epoch.
    RETURN QUERY
      SELECT o.tenant, o.id FROM unnest(tenants, ids, epochs, statuses) o (tenant, id, epoch, status)
      WHERE NOT EXISTS (
        SELECT FROM holdfast.workflow_run_done d
        WHERE d.tenant = o.tenant AND d.id = o.id AND d.lease_epoch = o.epoch AND d.status = o.status AND d.finished_at = at)
      AND NOT EXISTS (
        SELECT FROM holdfast.workflow_run_live r
        WHERE r.tenant = o.tenant AND r.id = o.id AND r.lease_epoch = o.epoch AND r.status = o.status
          AND r.updated_at = at);
  END IF;
END
$$;
