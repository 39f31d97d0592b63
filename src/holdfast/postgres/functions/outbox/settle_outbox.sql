-- Records what became of leased lanes: which events were sent (`sent_lanes` counts the lanes given, from 1), and, where one
-- failed, which, why, how often it was tried, whether it is dead, and after what delay the lane comes back. Answers with the
-- lanes, counted from 1, that were no longer held: their epoch did not match, and nothing of them was written.
CREATE OR REPLACE FUNCTION holdfast.settle_outbox(
  dispatcher text, tenants uuid[], aggregate_types text[], aggregate_ids text[], epochs bigint[], tries integer[],
  delays interval[], failed_ids uuid[], errors text[], deads boolean[], takers text[], sent_lanes integer[],
  sent_ids uuid[], sent_tries integer[], hold_dead boolean, at timestamptz)
RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET lock_timeout = '250ms' AS $$
DECLARE
  mine integer[];
  empty integer[];
BEGIN
  IF cardinality(tenants) = 0 THEN
    RETURN;
  END IF;
  -- The fence. The lock keeps a lane from being taken over before we are done.
  SELECT array_agg(s.place) INTO mine FROM (
    SELECT o.place::integer FROM unnest(tenants, aggregate_types, aggregate_ids, epochs) WITH ORDINALITY
      o (tenant, kind, id, epoch, place) CROSS JOIN LATERAL (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = o.tenant AND l.aggregate_type = o.kind AND l.aggregate_id = o.id AND l.lease_epoch = o.epoch
          AND l.lease_until IS NOT NULL
        FOR NO KEY UPDATE) held
    ORDER BY o.tenant, o.kind, o.id) s;
  mine := coalesce(mine, '{}');
  IF cardinality(mine) < cardinality(tenants) THEN
    RETURN QUERY SELECT place FROM generate_series(1, cardinality(tenants)) place WHERE place <> ALL (mine);
  END IF;
  WITH sent AS (
    DELETE FROM holdfast.outbox_event_live e USING unnest(sent_lanes, sent_ids, sent_tries) s (lane, id, tried)
    WHERE s.lane = ANY (mine) AND e.tenant = tenants[s.lane] AND e.id = s.id AND e.status = 'pending'
    RETURNING e.*, s.tried
  )
  INSERT INTO holdfast.outbox_event_done
    (tenant, id, seq, event_type, aggregate_type, aggregate_id, subject, payload, attempts, last_error,
     delivered, trace_parent, created_by, created_at, published_at)
  SELECT s.tenant, s.id, s.seq, s.event_type, s.aggregate_type, s.aggregate_id, s.subject, s.payload,
         s.tried, s.last_error, '{}', s.trace_parent, s.created_by, s.created_at, at
  FROM sent s;
  IF EXISTS (SELECT FROM unnest(failed_ids) f WHERE f IS NOT NULL) THEN
    WITH failed AS (
      UPDATE holdfast.outbox_event_live e
      SET attempts = f.tried, last_error = f.error, status = CASE WHEN f.dead THEN 'dead' ELSE 'pending' END,
          delivered = coalesce((SELECT array_agg(name) FROM jsonb_array_elements_text(f.takers::jsonb) name), '{}')
      FROM unnest(tenants, failed_ids, tries, errors, deads, takers) WITH ORDINALITY
        f (tenant, id, tried, error, dead, takers, place)
      WHERE f.place = ANY (mine) AND e.tenant = f.tenant AND e.id = f.id AND e.status = 'pending'
      RETURNING e.tenant, e.id, e.event_type, e.aggregate_type, e.aggregate_id, e.attempts, e.last_error, e.trace_parent,
                f.dead
    )
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT f.tenant, 'outbox', f.id, 'outbox.dead', 'dispatcher:' || dispatcher,
           jsonb_build_object('type', f.event_type, 'aggregate', f.aggregate_type || '/' || f.aggregate_id,
                              'attempts', f.attempts, 'error', f.last_error), f.trace_parent, at
    FROM failed f WHERE f.dead;
  END IF;
  UPDATE holdfast.outbox_lane l
    SET lease_until = NULL, leased_by = NULL, due_at = at + coalesce(o.delay, interval '0'),
        attempts = CASE WHEN o.dead THEN 0 ELSE coalesce(o.tried, 0) END, blocked = coalesce(o.dead AND hold_dead, false)
    FROM unnest(tenants, aggregate_types, aggregate_ids, tries, delays, deads) WITH ORDINALITY
      o (tenant, kind, id, tried, delay, dead, place)
    WHERE o.place = ANY (mine) AND l.tenant = o.tenant AND l.aggregate_type = o.kind AND l.aggregate_id = o.id;
  -- Lanes that seem to have nothing left are locked against publishers. Whoever holds one with KEY SHARE is about to publish
  -- to it, and it stays.
  SELECT array_agg(s.place) INTO empty FROM (
    SELECT o.place::integer FROM unnest(tenants, aggregate_types, aggregate_ids) WITH ORDINALITY
      o (tenant, kind, id, place) CROSS JOIN LATERAL (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = o.tenant AND l.aggregate_type = o.kind AND l.aggregate_id = o.id AND NOT l.blocked
          AND NOT EXISTS (
            SELECT FROM holdfast.outbox_event_live e
            WHERE e.tenant = o.tenant AND e.aggregate_type = o.kind AND e.aggregate_id = o.id AND e.status = 'pending')
        FOR UPDATE SKIP LOCKED) locked
    WHERE o.place = ANY (mine)) s;
  IF empty IS NOT NULL THEN
    -- Now that nobody can publish to them, another look: what was committed since the one before is seen by this one.
    WITH gone AS (
      DELETE FROM holdfast.outbox_lane l
      USING unnest(tenants, aggregate_types, aggregate_ids) WITH ORDINALITY o (tenant, kind, id, place)
      WHERE o.place = ANY (empty) AND l.tenant = o.tenant AND l.aggregate_type = o.kind AND l.aggregate_id = o.id
        AND NOT EXISTS (
          SELECT FROM holdfast.outbox_event_live e
          WHERE e.tenant = o.tenant AND e.aggregate_type = o.kind AND e.aggregate_id = o.id AND e.status = 'pending')
      RETURNING l.tenant, l.aggregate_type, l.aggregate_id
    ), passed AS MATERIALIZED (
      SELECT p.spot FROM gone g CROSS JOIN LATERAL (
        SELECT q.ctid AS spot FROM holdfast.outbox_order q
        WHERE q.tenant = g.tenant AND q.aggregate_type = g.aggregate_type AND q.aggregate_id = g.aggregate_id
        FOR UPDATE SKIP LOCKED) p
    )
    DELETE FROM holdfast.outbox_order q USING passed p WHERE q.ctid = p.spot;
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settle_outbox TO holdfast_worker;
