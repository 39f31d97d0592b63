-- Nobody waits for ever, and nobody waits for a tenant's long transaction.
--
-- A tenant's transaction that cancels or deletes a run, or replays an event, keeps its row locked until it ends. Whoever
-- works for everybody passes such a row by: heartbeats leave that lease for the next beat, nudges for it are left again,
-- and what settles runs and lanes or stores steps gives up after a moment, so that the worker can deal with the others first.
--
-- What a run may still ask for is kept: the outcome of a run that it started, for as long as it lives itself. And should an
-- outcome be gone, the run that it was the outcome of is asked, instead of waiting for an event that will not come.

ALTER FUNCTION holdfast.keep_successes(uuid[], uuid[], bigint[], tid[], text[], text, timestamptz) SET lock_timeout = '250ms';
ALTER FUNCTION holdfast.settle_outcomes(
  text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[], text[], text[], text, text,
  timestamptz) SET lock_timeout = '250ms';
ALTER FUNCTION holdfast.record_steps(uuid[], uuid[], bigint[], text[], text[], timestamptz) SET lock_timeout = '250ms';
ALTER FUNCTION holdfast.settle_outbox(
  text, uuid[], text[], text[], bigint[], integer[], interval[], uuid[], text[], boolean[], text[], integer[], uuid[],
  integer[], boolean, timestamptz) SET lock_timeout = '250ms';

-- As before. A lease whose row somebody has locked is neither extended nor lost.
CREATE OR REPLACE FUNCTION holdfast.heartbeat_runs(
  tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, status text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH claimed AS (
      SELECT * FROM unnest(tenants, ids, epochs, leases) h (tenant, id, epoch, lease)
    ), mine AS MATERIALIZED (
      SELECT h.lease, held.place FROM claimed h CROSS JOIN LATERAL (
        SELECT r.ctid AS place FROM holdfast.workflow_run_live r
        WHERE r.tenant = h.tenant AND r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_until IS NOT NULL
        FOR NO KEY UPDATE SKIP LOCKED) held
    ), extended AS (
      UPDATE holdfast.workflow_run_live r SET lease_until = at + m.lease, updated_at = at
      FROM mine m WHERE r.ctid = m.place -- locked above, so it stays in its place
      RETURNING r.tenant, r.id, r.lease_epoch
    )
    SELECT h.tenant, h.id, (SELECT r.status FROM holdfast.workflow_run r WHERE r.tenant = h.tenant AND r.id = h.id)
    FROM claimed h
    WHERE NOT EXISTS (
        SELECT FROM extended e WHERE e.tenant = h.tenant AND e.id = h.id AND e.lease_epoch = h.epoch)
      AND NOT EXISTS (
        SELECT FROM holdfast.workflow_run_live r
        WHERE r.tenant = h.tenant AND r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_until IS NOT NULL);
END
$$;

CREATE OR REPLACE FUNCTION holdfast.heartbeat_outbox(
  tenants uuid[], lanes text[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, lane text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH claimed AS (
      SELECT h.tenant, h.lane, split_part(h.lane, '/', 1) AS kind, substr(h.lane, strpos(h.lane, '/') + 1) AS id, h.epoch,
             h.lease
      FROM unnest(tenants, lanes, epochs, leases) h (tenant, lane, epoch, lease)
    ), mine AS MATERIALIZED (
      SELECT h.lease, held.place FROM claimed h CROSS JOIN LATERAL (
        SELECT l.ctid AS place FROM holdfast.outbox_lane l
        WHERE l.tenant = h.tenant AND l.aggregate_type = h.kind AND l.aggregate_id = h.id AND l.lease_epoch = h.epoch
          AND l.lease_until IS NOT NULL
        FOR NO KEY UPDATE SKIP LOCKED) held
    ), extended AS (
      UPDATE holdfast.outbox_lane l SET lease_until = at + m.lease
      FROM mine m WHERE l.ctid = m.place -- locked above, so it stays in its place
      RETURNING l.tenant, l.aggregate_type, l.aggregate_id, l.lease_epoch
    )
    SELECT h.tenant, h.lane FROM claimed h
    WHERE NOT EXISTS (
        SELECT FROM extended e
        WHERE e.tenant = h.tenant AND e.aggregate_type = h.kind AND e.aggregate_id = h.id AND e.lease_epoch = h.epoch)
      AND NOT EXISTS (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = h.tenant AND l.aggregate_type = h.kind AND l.aggregate_id = h.id AND l.lease_epoch = h.epoch
          AND l.lease_until IS NOT NULL);
END
$$;

-- As before, but whom somebody has locked is woken by the next look.
CREATE OR REPLACE FUNCTION holdfast.heed_nudges(at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  tenants uuid[];
  kinds text[];
  keys text[];
  woken record;
  admit_tenants uuid[];
  admit_keys text[];
BEGIN
  WITH read AS (
    DELETE FROM holdfast.workflow_nudge n
    WHERE n.ctid = ANY (ARRAY(SELECT m.ctid FROM holdfast.workflow_nudge m LIMIT 1000 FOR UPDATE SKIP LOCKED))
    RETURNING n.tenant, n.kind, n.key
  )
  SELECT array_agg(r.tenant), array_agg(r.kind), array_agg(r.key) INTO tenants, kinds, keys
    FROM (SELECT DISTINCT * FROM read) r;
  IF tenants IS NULL THEN
    RETURN;
  END IF;
  SELECT array_agg(n.tenant), array_agg(n.key) INTO admit_tenants, admit_keys
    FROM unnest(tenants, kinds, keys) n (tenant, kind, key) WHERE n.kind = 'key';
  FOR woken IN
    WITH waiting AS MATERIALIZED (
      SELECT w.place FROM unnest(tenants, kinds, keys) n (tenant, kind, key)
      JOIN holdfast.workflow_awaited_event e ON e.tenant = n.tenant AND e.key = n.key
      CROSS JOIN LATERAL (
        SELECT r.ctid AS place FROM holdfast.workflow_run_live r
        WHERE r.tenant = n.tenant AND r.waiting_for = n.key AND r.waiting_for IS NOT NULL
        FOR UPDATE SKIP LOCKED) w
      WHERE n.kind = 'event'
    )
    UPDATE holdfast.workflow_run_live r
    SET waiting_for = NULL, run_at = at, ready = r.concurrency_key IS NULL, blocked = r.concurrency_key IS NOT NULL,
        updated_at = at
    FROM waiting w WHERE r.ctid = w.place -- locked above, so it stays in its place
    RETURNING r.tenant, r.type, r.concurrency_key
  LOOP
    IF woken.concurrency_key IS NULL THEN
      PERFORM pg_notify('holdfast_runs', woken.tenant || ':' || woken.type);
    ELSE
      admit_tenants := admit_tenants || woken.tenant;
      admit_keys := admit_keys || woken.concurrency_key;
    END IF;
  END LOOP;
  INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT n.tenant, n.kind, n.key FROM unnest(tenants, kinds, keys) n (tenant, kind, key)
    JOIN holdfast.workflow_awaited_event e ON e.tenant = n.tenant AND e.key = n.key
    WHERE n.kind = 'event' AND EXISTS (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = n.tenant AND r.waiting_for = n.key AND r.waiting_for IS NOT NULL);
  IF admit_keys IS NOT NULL THEN
    PERFORM holdfast.admit_runs(admit_tenants, admit_keys, at);
  END IF;
END
$$;

-- As before. Where nothing is known of the end of another run, the run itself is: finished, deleted, or dropped with its month.
CREATE OR REPLACE FUNCTION holdfast.await_event(
  run_tenant uuid, run uuid, epoch bigint, step text, event_key text, at timestamptz)
RETURNS TABLE (state text, payload text, age double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  found_payload jsonb;
  other uuid;
BEGIN
  PERFORM FROM holdfast.workflow_run_live r
    WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = await_event.epoch AND r.lease_until IS NOT NULL FOR SHARE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'lost', NULL::text, NULL::double precision;
    RETURN;
  END IF;
  IF starts_with(event_key, 'run:') THEN
    other := substr(event_key, 5)::uuid;
    -- One look at both: a run that ends now has left the one and told of it in the other.
    SELECT coalesce(
        (SELECT e.payload FROM holdfast.workflow_awaited_event e WHERE e.tenant = run_tenant AND e.key = event_key),
        (SELECT CASE WHEN r.done THEN jsonb_build_object('status', r.status, 'result', r.result, 'error', r.error)
                     WHEN r.deleted_at IS NOT NULL THEN jsonb_build_object('status', 'deleted') END
         FROM holdfast.workflow_run r WHERE r.tenant = run_tenant AND r.id = other),
        CASE WHEN NOT EXISTS (SELECT FROM holdfast.workflow_run r WHERE r.tenant = run_tenant AND r.id = other)
             THEN jsonb_build_object('status', 'forgotten') END)
      INTO found_payload;
  ELSE
    SELECT e.payload INTO found_payload FROM holdfast.workflow_awaited_event e
      WHERE e.tenant = run_tenant AND e.key = event_key;
  END IF;
  IF found_payload IS NOT NULL THEN
    INSERT INTO holdfast.workflow_run_step (tenant, run_id, name, result, created_at)
      VALUES (run_tenant, run, step, jsonb_build_object('event', found_payload), at);
    RETURN QUERY SELECT 'happened', jsonb_build_object('event', found_payload)::text, NULL::double precision;
    RETURN;
  END IF;
  INSERT INTO holdfast.workflow_run_step (tenant, run_id, name, created_at) VALUES (run_tenant, run, step || ' since', at)
    ON CONFLICT DO NOTHING;
  RETURN QUERY
    SELECT 'waiting', NULL::text, extract(epoch FROM at - s.created_at)::double precision
    FROM holdfast.workflow_run_step s
    WHERE s.tenant = run_tenant AND s.run_id = run AND s.name = step || ' since';
END
$$;

-- Forgets events that nobody can be waiting for any more. The end of a run is kept for the one that started it.
CREATE OR REPLACE FUNCTION holdfast.drop_awaited_events(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dropped bigint;
BEGIN
  WITH wanted AS MATERIALIZED (
    -- What was started by runs that are older than what is dropped, and still live; there are few.
    SELECT s.tenant, 'run:' || (s.result #>> '{}') AS key FROM holdfast.workflow_run_live r
    JOIN holdfast.workflow_run_step s ON s.tenant = r.tenant AND s.run_id = r.id
    WHERE r.created_at < before AND r.lease_epoch > 0 AND starts_with(s.name, 'start ') AND jsonb_typeof(s.result) = 'string'
  )
  DELETE FROM holdfast.workflow_awaited_event e USING holdfast.tenants t
    WHERE e.tenant = t.tenant AND e.created_at < before
      AND NOT EXISTS (SELECT FROM wanted w WHERE w.tenant = e.tenant AND w.key = e.key);
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END
$$;
