-- A run that is over soon is settled where it lies.
--
-- A claim says where in the table each run lies now. Settling a run there takes no search through an index; whether it is
-- that run, and still held, is asked all the same. A heartbeat moves a run: those that take longer are found by their id.

-- As before. With `briefly`, the answer does not repeat the tenant and the type where there was one lane to ask.
DROP FUNCTION holdfast.claim_runs(text, uuid[], text[], integer[], interval[], boolean, text, timestamptz);
CREATE FUNCTION holdfast.claim_runs(
  worker text, tenants uuid[], types text[], quotas integer[], leases interval[], by_age boolean, event_level text,
  at timestamptz, briefly boolean DEFAULT false)
RETURNS TABLE (tenant uuid, id uuid, type text, lease_epoch bigint, attempt integer, max_attempts integer, payload text,
               trace_parent text, concurrency_key text, place tid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  IF cardinality(tenants) = 0 THEN
    RETURN;
  END IF;
  IF cardinality(tenants) = 1 AND NOT by_age THEN
    IF EXISTS (SELECT FROM holdfast.workflow_pause p WHERE p.tenant = tenants[1] AND starts_with(types[1], p.prefix)) THEN
      RETURN;
    END IF;
    IF event_level <> 'all' THEN
      RETURN QUERY
        WITH picked AS MATERIALIZED (
          SELECT x.ctid AS place FROM holdfast.workflow_run_live x
          WHERE x.tenant = tenants[1] AND x.type = types[1] AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
          ORDER BY x.priority DESC, x.run_at, x.id LIMIT quotas[1] FOR UPDATE SKIP LOCKED
        )
        UPDATE holdfast.workflow_run_live u
        SET status = 'leased', lease_epoch = u.lease_epoch + 1, attempt = u.attempt + 1, lease_until = at + leases[1],
            leased_by = worker, updated_at = at
        FROM picked p WHERE u.ctid = p.place -- locked above, so it stays in its place
        RETURNING CASE WHEN NOT briefly THEN u.tenant END, u.id, CASE WHEN NOT briefly THEN u.type END, u.lease_epoch,
                  u.attempt, u.max_attempts, u.payload::text, u.trace_parent, u.concurrency_key, u.ctid;
      RETURN;
    END IF;
  END IF;
  RETURN QUERY
    WITH lane AS (
      SELECT l.tenant, l.type, l.quota, l.lease FROM unnest(tenants, types, quotas, leases) l (tenant, type, quota, lease)
      WHERE NOT EXISTS (SELECT FROM holdfast.workflow_pause p WHERE p.tenant = l.tenant AND starts_with(l.type, p.prefix))
    ), head AS (
      SELECT l.*, h.priority, h.run_at FROM lane l CROSS JOIN LATERAL (
        SELECT r.priority, r.run_at FROM holdfast.workflow_run_live r
        WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
        ORDER BY r.priority DESC, r.run_at, r.id LIMIT 1) h
      WHERE NOT by_age
      UNION ALL
      SELECT l.*, h.priority, h.run_at FROM lane l CROSS JOIN LATERAL (
        SELECT level.priority, level.run_at FROM holdfast.priority_levels(l.tenant, l.type) level
        ORDER BY level.run_at LIMIT 1) h
      WHERE by_age
    ), ranked AS (
      SELECT h.*, rank() OVER (PARTITION BY h.tenant ORDER BY CASE WHEN by_age THEN 0 ELSE -h.priority END) AS place
      FROM head h
    ), first AS (
      SELECT r.*, row_number() OVER (PARTITION BY r.tenant ORDER BY r.run_at, r.type) AS number,
             count(*) OVER (PARTITION BY r.tenant) AS lanes, max(r.quota) OVER (PARTITION BY r.tenant) AS places
      FROM ranked r WHERE r.place = 1
    ), chosen AS (
      -- A tenant's places, shared evenly between its lanes; what does not divide goes to those that waited longest.
      SELECT f.*, least(f.quota, f.places / f.lanes + CASE WHEN f.number <= f.places % f.lanes THEN 1 ELSE 0 END) AS share
      FROM first f
    ), picked AS MATERIALIZED (
      SELECT r.place, c.lease FROM chosen c CROSS JOIN LATERAL (
        SELECT x.ctid AS place FROM holdfast.workflow_run_live x
        WHERE x.tenant = c.tenant AND x.type = c.type AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
          AND (NOT by_age OR x.priority = c.priority)
        ORDER BY x.priority DESC, x.run_at, x.id LIMIT c.share FOR UPDATE SKIP LOCKED) r
    ), taken AS (
      UPDATE holdfast.workflow_run_live u
      SET status = 'leased', lease_epoch = u.lease_epoch + 1, attempt = u.attempt + 1, lease_until = at + p.lease,
          leased_by = worker, updated_at = at
      FROM picked p WHERE u.ctid = p.place -- locked above, so it stays in its place
      RETURNING u.tenant, u.id, u.type, u.lease_epoch, u.attempt, u.max_attempts, u.payload::text, u.trace_parent,
                u.concurrency_key, u.ctid
    ), told AS (
      INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      SELECT t.tenant, 'run', t.id, 'run.leased', 'worker:' || worker,
             jsonb_build_object('epoch', t.lease_epoch, 'attempt', t.attempt), t.trace_parent, at
      FROM taken t WHERE event_level = 'all'
    )
    SELECT * FROM taken;
END
$$;

-- As before, but by place: a run that lies elsewhere by now is left to who finds it by its id.
DROP FUNCTION holdfast.keep_successes(uuid[], uuid[], bigint[], text[], text, timestamptz);
CREATE FUNCTION holdfast.keep_successes(
  tenants uuid[], ids uuid[], epochs bigint[], places tid[], results text[], by text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  kept integer;
  children integer;
BEGIN
  WITH ended AS (
    -- The fence, as in settle_outcomes.
    DELETE FROM holdfast.workflow_run_live r
    USING unnest(ids, places, results, tenants, epochs) o (id, place, result, tenant, epoch)
    WHERE r.ctid = o.place AND r.id = o.id AND r.tenant = coalesce(o.tenant, tenants[1])
      AND r.lease_epoch = coalesce(o.epoch, epochs[1]) AND r.lease_until IS NOT NULL
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
      JOIN holdfast.workflow_run_done d
        ON d.tenant = coalesce(o.tenant, tenants[1]) AND d.id = o.id AND d.finished_at = at
      WHERE d.parent_id IS NOT NULL
      HAVING count(*) > 0;
  END IF;
  RETURN kept;
END
$$;

-- As before; `tenants`, `epochs` and `statuses` with one element mean it for every run. A worker of an earlier version
-- names no places: for it, everything is found by id.
DROP FUNCTION holdfast.settle_runs(
  text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[], text[], text[], text, text,
  timestamptz);
CREATE FUNCTION holdfast.settle_runs(
  worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[],
  last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[],
  event_level text, publishes text, at timestamptz, places tid[] DEFAULT '{}')
RETURNS TABLE (lost_tenant uuid, lost_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN;
  END IF;
  IF 'succeeded' = ALL (statuses) AND cardinality(events) = 0 AND cardinality(keys) = 0 AND publishes <> 'outcomes'
     AND NOT holdfast.wants_event(event_level, 'run.succeeded')
     AND holdfast.keep_successes(tenants, ids, epochs, places, results, 'worker:' || worker, at) = cardinality(ids) THEN
    RETURN;
  END IF;
  IF cardinality(tenants) = 1 THEN
    tenants := array_fill(tenants[1], ARRAY[cardinality(ids)]);
  END IF;
  IF cardinality(epochs) = 1 THEN
    epochs := array_fill(epochs[1], ARRAY[cardinality(ids)]);
  END IF;
  IF cardinality(statuses) = 1 THEN
    statuses := array_fill(statuses[1], ARRAY[cardinality(ids)]);
  END IF;
  RETURN QUERY SELECT * FROM holdfast.settle_outcomes(
    worker, tenants, ids, epochs, statuses, results, errors, last_errors, delays, attempts_back, events, waits, keys,
    event_level, publishes, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settle_runs(
  text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[], text[], text[], text, text,
  timestamptz, tid[]) TO holdfast_worker;
GRANT EXECUTE ON FUNCTION
  holdfast.claim_runs(text, uuid[], text[], integer[], interval[], boolean, text, timestamptz, boolean) TO holdfast_worker;
