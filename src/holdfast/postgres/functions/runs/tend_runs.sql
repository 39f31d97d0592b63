-- What a tenant's long transaction has locked does not keep workers awake.
--
-- A run that is due and locked is passed by, and was then told of as the next that is due: whoever was told so looked again
-- at once, and again, for as long as the lock was held. Now the next is one that is not due yet, unless there are more due
-- ones than were taken.

CREATE OR REPLACE FUNCTION holdfast.tend_runs(event_level text, publishes text, at timestamptz)
RETURNS TABLE (tenant uuid, type text, due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  key_tenants uuid[];
  keys text[];
  child_tenants uuid[];
  child_ids uuid[];
  failed_tenants uuid[];
  failed_ids uuid[];
  most bigint;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('holdfast.tend_runs', 0)) THEN
    RETURN;
  END IF;
  WITH due AS MATERIALIZED (
    SELECT t.tenant, d.id FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) t CROSS JOIN LATERAL (
      SELECT r.id FROM holdfast.workflow_run_live r
      WHERE r.tenant = t.tenant AND r.status = 'pending' AND NOT r.ready AND NOT r.blocked AND r.deleted_at IS NULL
        AND r.run_at <= at
      ORDER BY r.run_at LIMIT 1000 FOR UPDATE SKIP LOCKED) d
  ), woken AS (
    UPDATE holdfast.workflow_run_live r
    SET ready = r.concurrency_key IS NULL, blocked = r.concurrency_key IS NOT NULL, waiting_for = NULL, updated_at = at
    FROM due d WHERE r.tenant = d.tenant AND r.id = d.id RETURNING r.tenant, r.concurrency_key
  )
  SELECT array_agg(w.tenant) FILTER (WHERE w.concurrency_key IS NOT NULL),
         array_agg(w.concurrency_key) FILTER (WHERE w.concurrency_key IS NOT NULL),
         (SELECT max(c.runs) FROM (SELECT count(*) AS runs FROM due d GROUP BY d.tenant) c)
    INTO key_tenants, keys, most FROM woken w;
  WITH expired AS MATERIALIZED (
    SELECT r.tenant, r.id, r.attempt < r.max_attempts AS again FROM holdfast.workflow_run_live r
    WHERE r.status = 'leased' AND r.lease_until < at LIMIT 1000 FOR UPDATE SKIP LOCKED
  ), back AS (
    UPDATE holdfast.workflow_run_live r
    SET status = 'pending', ready = false, run_at = at + random() * least(power(2, r.attempt - 1), 60) * interval '1 s',
        lease_until = NULL, leased_by = NULL, last_error = 'lease_expired', updated_at = at
    FROM expired e WHERE e.again AND r.tenant = e.tenant AND r.id = e.id
    RETURNING r.tenant, r.id, r.lease_epoch, r.attempt, r.trace_parent, r.concurrency_key, r.party
  ), ended AS (
    DELETE FROM holdfast.workflow_run_live r USING expired e
    WHERE NOT e.again AND r.tenant = e.tenant AND r.id = e.id RETURNING r.*
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done
      (tenant, id, type, status, priority, idempotency_key, payload, result, error, last_error, attempt,
       max_attempts, run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at,
       delete_reason, concurrency_key, concurrency_limit, parent_id, party)
    SELECT e.tenant, e.id, e.type, 'failed', e.priority, e.idempotency_key, e.payload, NULL,
           '{"code": "lease_expired"}', 'lease_expired', e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent,
           e.created_by, e.created_at, at, at, e.deleted_at, e.delete_reason, e.concurrency_key, e.concurrency_limit,
           e.parent_id, e.party
    FROM ended e
  ), recorded AS (
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT s.tenant, 'run', s.id, s.event, 'system:janitor',
           jsonb_strip_nulls(jsonb_build_object('epoch', s.lease_epoch, 'attempt', s.attempt, 'error', 'lease_expired',
                                                'party', holdfast.behalf_of(s.party))), s.trace_parent, at
    FROM (SELECT b.tenant, b.id, b.lease_epoch, b.attempt, b.trace_parent, b.party, 'run.lease_expired' AS event
          FROM back b
          UNION ALL SELECT e.tenant, e.id, e.lease_epoch, e.attempt, e.trace_parent, e.party, 'run.failed' FROM ended e) s
  ), freed AS (
    SELECT b.tenant, b.concurrency_key FROM back b WHERE b.concurrency_key IS NOT NULL
    UNION ALL SELECT e.tenant, e.concurrency_key FROM ended e WHERE e.concurrency_key IS NOT NULL
  )
  SELECT key_tenants || (SELECT array_agg(f.tenant) FROM freed f), keys || (SELECT array_agg(f.concurrency_key) FROM freed f),
         (SELECT array_agg(e.tenant) FROM ended e WHERE e.parent_id IS NOT NULL),
         (SELECT array_agg(e.id) FROM ended e WHERE e.parent_id IS NOT NULL),
         (SELECT array_agg(e.tenant) FROM ended e), (SELECT array_agg(e.id) FROM ended e)
    INTO key_tenants, keys, child_tenants, child_ids, failed_tenants, failed_ids;
  IF publishes <> 'nothing' AND failed_ids IS NOT NULL THEN
    PERFORM holdfast.publish_outcomes(failed_tenants, failed_ids, publishes, 'system:janitor', at);
  END IF;
  IF child_ids IS NOT NULL THEN
    PERFORM holdfast.tell_parents(
      child_tenants, child_ids, array_fill('{"status": "failed", "error": {"code": "lease_expired"}}'::jsonb,
                                           ARRAY[cardinality(child_ids)]), 'system:janitor', at);
  END IF;
  IF keys IS NOT NULL THEN
    PERFORM holdfast.admit_runs(key_tenants, keys, at);
  END IF;
  PERFORM holdfast.heed_nudges(at);
  RETURN QUERY
    SELECT NULL::uuid, NULL::text, CASE WHEN most = 1000 THEN at ELSE min(d.run_at) END
    FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) t CROSS JOIN LATERAL (
      SELECT r.run_at FROM holdfast.workflow_run_live r
      WHERE r.tenant = t.tenant AND r.status = 'pending' AND NOT r.ready AND NOT r.blocked AND r.deleted_at IS NULL
        AND r.run_at > at
      ORDER BY r.run_at LIMIT 1) d
    HAVING most = 1000 OR min(d.run_at) IS NOT NULL;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.tend_runs TO holdfast_worker;
