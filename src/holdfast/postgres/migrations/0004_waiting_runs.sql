-- Runs that wait: for an event, for another run, for their turn among those with the same concurrency key, or for a type's
-- rate. And a shorter way through the functions that every run passes.
--
-- Model
--   workflow_run.concurrency_key, concurrency_limit   of the runs with one key, at most so many execute at once
--   workflow_run.blocked       a pending run that waits for its turn under its key; `ready` is false meanwhile
--   workflow_run.waiting_for   event:‹key› that a pending run waits for; run_at is then the time at which it gives up
--   workflow_run.parent_id     the run that started this one and may wait for it
--   workflow_awaited_event     events by key. An event happens once and stays: who waits later finds it at once
--   workflow_nudge             "look at this key again": consumed by tend_runs
--   workflow_rate              when the next run of a type with a limited rate may start
--
-- Who changes whom: a tenant's transaction may be long, so it must neither hold a lock a worker waits for nor wait for
-- one. What it does (enqueue with a key, emit, cancel) leaves a nudge; workers read nudges after they are committed, in
-- short transactions. A nudge is also left by a worker whose run begins to wait: whichever of the two, the event and the
-- wait, is committed last, its nudge finds the other.

ALTER TABLE holdfast.workflow_run
  ADD COLUMN concurrency_key text COLLATE "C" CHECK (length(concurrency_key) BETWEEN 1 AND 256),
  ADD COLUMN concurrency_limit integer CHECK (concurrency_limit BETWEEN 1 AND 10000),
  ADD COLUMN blocked boolean NOT NULL DEFAULT false,
  ADD COLUMN waiting_for text COLLATE "C",
  ADD COLUMN parent_id uuid,
  ADD CONSTRAINT workflow_run_waiting CHECK (
    (NOT blocked OR (status = 'pending' AND NOT ready AND concurrency_key IS NOT NULL))
    AND (waiting_for IS NULL OR (status = 'pending' AND NOT ready))),
  ADD CONSTRAINT workflow_run_limit CHECK ((concurrency_key IS NULL) = (concurrency_limit IS NULL));

DROP INDEX holdfast.workflow_run_delayed;
CREATE INDEX workflow_run_delayed ON holdfast.workflow_run_live (tenant, run_at)
  WHERE status = 'pending' AND NOT ready AND NOT blocked AND deleted_at IS NULL;
-- Those who wait for their turn under a key, in the order in which they get it.
CREATE INDEX workflow_run_blocked ON holdfast.workflow_run_live (tenant, concurrency_key, priority DESC, run_at, id)
  WHERE blocked AND deleted_at IS NULL;
-- Those who have it: ready ones, and those that execute. A deleted run keeps its turn only as long as it executes.
CREATE INDEX workflow_run_admitted ON holdfast.workflow_run_live (tenant, concurrency_key)
  WHERE concurrency_key IS NOT NULL AND ready AND (deleted_at IS NULL OR lease_until IS NOT NULL);
CREATE INDEX workflow_run_waiting ON holdfast.workflow_run_live (tenant, waiting_for) WHERE waiting_for IS NOT NULL;
CREATE INDEX workflow_run_children ON holdfast.workflow_run_live (tenant, parent_id) WHERE parent_id IS NOT NULL;

CREATE TABLE holdfast.workflow_awaited_event (
  tenant      uuid NOT NULL,
  key         text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 520),
  payload     jsonb NOT NULL,
  created_by  text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, key)
);
CREATE INDEX workflow_awaited_event_age ON holdfast.workflow_awaited_event (tenant, created_at);
SELECT holdfast.protect_tenant_table('holdfast.workflow_awaited_event');

CREATE TABLE holdfast.workflow_nudge (
  tenant  uuid NOT NULL,
  id      uuid NOT NULL DEFAULT gen_random_uuid(),
  kind    text COLLATE "C" NOT NULL CHECK (kind IN ('key', 'event')),
  key     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);
SELECT holdfast.protect_tenant_table('holdfast.workflow_nudge');

-- The limit of a type for all tenants together is kept under the tenant of zeros.
CREATE TABLE holdfast.workflow_rate (
  tenant  uuid NOT NULL,
  type    text COLLATE "C" NOT NULL,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, type)
);
SELECT holdfast.protect_tenant_table('holdfast.workflow_rate');

-- ------------------------------------------------------------------------------------------------------- admission

-- (Where a way to read a table is closed, reading it that way all the same, when there is no other, looks so dear to the
-- planner that it would compile the statement first; hence jit = off.)
--
-- Gives the turn under some keys to those who are next. The lock makes it one decision at a time for a key; only workers'
-- short transactions hold it. A run that somebody else has locked is passed over, and the key looked at again.
CREATE FUNCTION holdfast.admit_runs(tenants uuid[], keys text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  one record;
  next record;
  admitted integer;
BEGIN
  FOR one IN
    SELECT DISTINCT k.tenant, k.key FROM unnest(tenants, keys) k (tenant, key) WHERE k.key IS NOT NULL ORDER BY 1, 2
  LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.admit:' || one.tenant || ':' || one.key, 0));
    SELECT count(*) INTO admitted FROM (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = one.tenant AND r.concurrency_key = one.key AND r.concurrency_key IS NOT NULL AND r.ready
        AND (r.deleted_at IS NULL OR r.lease_until IS NOT NULL)
      LIMIT 10000) here;
    LOOP
      SELECT r.id, r.type, r.concurrency_limit INTO next FROM holdfast.workflow_run_live r
        WHERE r.tenant = one.tenant AND r.concurrency_key = one.key AND r.blocked AND r.deleted_at IS NULL
        ORDER BY r.priority DESC, r.run_at, r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        IF EXISTS (SELECT FROM holdfast.workflow_run_live r
                   WHERE r.tenant = one.tenant AND r.concurrency_key = one.key AND r.blocked AND r.deleted_at IS NULL) THEN
          INSERT INTO holdfast.workflow_nudge (tenant, kind, key) VALUES (one.tenant, 'key', one.key);
        END IF;
        EXIT;
      END IF;
      EXIT WHEN admitted >= next.concurrency_limit;
      UPDATE holdfast.workflow_run_live r SET ready = true, blocked = false, updated_at = at
        WHERE r.tenant = one.tenant AND r.id = next.id;
      admitted := admitted + 1;
      PERFORM pg_notify('holdfast_runs', one.tenant || ':' || next.type);
    END LOOP;
  END LOOP;
END
$$;

-- Consumes nudges: wakes those whose event has happened, admits those whose key has a place.
CREATE FUNCTION holdfast.heed_nudges(at timestamptz) RETURNS void
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
    UPDATE holdfast.workflow_run_live r
    SET waiting_for = NULL, run_at = at, ready = r.concurrency_key IS NULL, blocked = r.concurrency_key IS NOT NULL,
        updated_at = at
    FROM unnest(tenants, kinds, keys) n (tenant, kind, key)
    JOIN holdfast.workflow_awaited_event e ON e.tenant = n.tenant AND e.key = n.key
    WHERE n.kind = 'event' AND r.tenant = n.tenant AND r.waiting_for = n.key AND r.waiting_for IS NOT NULL
    RETURNING r.tenant, r.type, r.concurrency_key
  LOOP
    IF woken.concurrency_key IS NULL THEN
      PERFORM pg_notify('holdfast_runs', woken.tenant || ':' || woken.type);
    ELSE
      admit_tenants := admit_tenants || woken.tenant;
      admit_keys := admit_keys || woken.concurrency_key;
    END IF;
  END LOOP;
  IF admit_keys IS NOT NULL THEN
    PERFORM holdfast.admit_runs(admit_tenants, admit_keys, at);
  END IF;
END
$$;

-- How many runs of each type may start now, of those wanted, and otherwise after how long one may. Starts are `step` apart
-- on the average; up to `slack` worth of them may come together. A negative wish gives back what was not used.
CREATE FUNCTION holdfast.take_rate(
  tenants uuid[], types text[], wanted integer[], steps interval[], slacks interval[], at timestamptz)
RETURNS TABLE (place bigint, granted integer, wait interval)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one record;
  due timestamptz;
BEGIN
  FOR one IN
    SELECT * FROM unnest(tenants, types, wanted, steps, slacks) WITH ORDINALITY w (tenant, type, want, step, slack, place)
    ORDER BY w.tenant, w.type
  LOOP
    INSERT INTO holdfast.workflow_rate AS r (tenant, type, next_at) VALUES (one.tenant, one.type, at)
      ON CONFLICT (tenant, type) DO UPDATE SET next_at = r.next_at RETURNING r.next_at INTO due;
    IF one.want >= 0 THEN
      due := greatest(due, at);
    END IF;
    place := one.place;
    granted := one.want;
    wait := interval '0';
    IF one.want > 0 THEN
      granted := CASE WHEN due > at + one.slack THEN 0
        ELSE least(one.want, 1 + floor(extract(epoch FROM at + one.slack - due) / extract(epoch FROM one.step))) END;
      IF granted = 0 THEN
        wait := due - one.slack - at;
      END IF;
    END IF;
    UPDATE holdfast.workflow_rate r SET next_at = due + granted * one.step
      WHERE r.tenant = one.tenant AND r.type = one.type;
    RETURN NEXT;
  END LOOP;
END
$$;

-- ------------------------------------------------------------------------------------------------ workers' functions

-- As before, and with a short way for one lane, which is all there is to ask when a worker is idle or has one type.
DROP FUNCTION holdfast.claim_runs(text, uuid[], text[], integer[], interval[], boolean, text, timestamptz);
CREATE FUNCTION holdfast.claim_runs(
  worker text, tenants uuid[], types text[], quotas integer[], leases interval[], by_age boolean, event_level text,
  at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, type text, lease_epoch bigint, attempt integer, max_attempts integer, payload text,
               trace_parent text, concurrency_key text)
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
        RETURNING u.tenant, u.id, u.type, u.lease_epoch, u.attempt, u.max_attempts, u.payload::text, u.trace_parent,
                  u.concurrency_key;
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
                u.concurrency_key
    ), told AS (
      INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      SELECT t.tenant, 'run', t.id, 'run.leased', 'worker:' || worker,
             jsonb_build_object('epoch', t.lease_epoch, 'attempt', t.attempt), t.trace_parent, at
      FROM taken t WHERE event_level = 'all'
    )
    SELECT * FROM taken;
END
$$;

-- The end of a run that another started is an event that the other may wait for.
CREATE FUNCTION holdfast.tell_parents(tenants uuid[], ids uuid[], outcomes jsonb[], by text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO holdfast.workflow_awaited_event (tenant, key, payload, created_by, created_at)
    SELECT o.tenant, 'run:' || o.id, o.outcome, by, at FROM unnest(tenants, ids, outcomes) o (tenant, id, outcome)
    ON CONFLICT DO NOTHING;
  INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT o.tenant, 'event', 'run:' || o.id FROM unnest(tenants, ids) o (tenant, id);
  PERFORM pg_notify('holdfast_runs', '');
END
$$;

-- Makes outbox events of runs that ended at a time, which is that of the caller's transaction.
CREATE FUNCTION holdfast.publish_outcomes(tenants uuid[], ids uuid[], publishes text, actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.publish_events_for(
    array_agg(d.tenant), array_agg(holdfast.time_ordered_id()), array_agg('holdfast.run.' || d.status),
    array_agg(jsonb_strip_nulls(jsonb_build_object(
      'run', d.id, 'type', d.type, 'status', d.status, 'attempt', d.attempt, 'error', d.last_error, 'result', d.result,
      'finished_at', d.finished_at))::text),
    array_agg('run'::text), array_agg(d.id::text), array_agg('runs/' || d.id), array_agg(d.trace_parent), actor, at)
    FROM unnest(tenants, ids) r (tenant, id)
    JOIN holdfast.workflow_run_done d ON d.tenant = r.tenant AND d.id = r.id AND d.finished_at = at
    WHERE publishes = 'outcomes' OR d.status <> 'succeeded'
    HAVING count(*) > 0;
END
$$;

-- Records what became of leased runs. `status` says where each goes: succeeded or failed, or back to pending after `delay`,
-- with the attempt given back where it did not count; with `waits`, until that event happens, if it does before. Without an
-- event of its own it is run.‹status›. `keys` are the concurrency keys of these runs, whose places become free. Answers with
-- the runs that were no longer held: (id, epoch) did not match, and nothing of them was written.
DROP FUNCTION holdfast.settle_runs(
  text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[], text, timestamptz);
CREATE FUNCTION holdfast.settle_runs(
  worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[],
  last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[],
  event_level text, publishes text, at timestamptz)
RETURNS TABLE (lost_tenant uuid, lost_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
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
      (tenant, id, done, type, status, priority, ready, idempotency_key, payload, result, error, last_error, attempt,
       max_attempts, run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at,
       delete_reason, concurrency_key, concurrency_limit, parent_id)
    SELECT e.tenant, e.id, true, e.type, e.new_status, e.priority, false, e.idempotency_key, e.payload,
           e.new_result::jsonb, coalesce(e.new_error::jsonb, e.error), coalesce(e.new_last_error, e.last_error), e.attempt,
           e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by, e.created_at, at, at, e.deleted_at,
           e.delete_reason, e.concurrency_key, e.concurrency_limit, e.parent_id
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
    RETURNING r.tenant, r.id, r.lease_epoch, r.attempt, r.last_error, r.trace_parent, r.run_at, r.waiting_for, o.event
  ), nudged AS (
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT r.tenant, 'event', r.waiting_for FROM returned r WHERE r.waiting_for IS NOT NULL
  ), told AS (
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT s.tenant, 'run', s.id, s.event, 'worker:' || worker,
           jsonb_strip_nulls(jsonb_build_object('epoch', s.lease_epoch, 'attempt', s.attempt, 'error', s.last_error,
                                                'run_at', s.run_at, 'waiting_for', s.waiting_for)), s.trace_parent, at
    FROM (SELECT e.tenant, e.id, e.event, e.lease_epoch, e.attempt, e.new_last_error AS last_error, e.trace_parent,
                 NULL::timestamptz AS run_at, NULL::text AS waiting_for FROM ended e
          UNION ALL
          SELECT r.tenant, r.id, r.event, r.lease_epoch, r.attempt, r.last_error, r.trace_parent, r.run_at, r.waiting_for
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

-- As before, and: runs with a key become ready through admission, those who gave up waiting are woken, nudges are heeded.
DROP FUNCTION holdfast.tend_runs(text, timestamptz);
CREATE FUNCTION holdfast.tend_runs(event_level text, publishes text, at timestamptz)
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
  SELECT array_agg(w.tenant), array_agg(w.concurrency_key) INTO key_tenants, keys
    FROM woken w WHERE w.concurrency_key IS NOT NULL;
  WITH expired AS MATERIALIZED (
    SELECT r.tenant, r.id, r.attempt < r.max_attempts AS again FROM holdfast.workflow_run_live r
    WHERE r.status = 'leased' AND r.lease_until < at LIMIT 1000 FOR UPDATE SKIP LOCKED
  ), back AS (
    UPDATE holdfast.workflow_run_live r
    SET status = 'pending', ready = false, run_at = at + random() * least(power(2, r.attempt - 1), 60) * interval '1 s',
        lease_until = NULL, leased_by = NULL, last_error = 'lease_expired', updated_at = at
    FROM expired e WHERE e.again AND r.tenant = e.tenant AND r.id = e.id
    RETURNING r.tenant, r.id, r.lease_epoch, r.attempt, r.trace_parent, r.concurrency_key
  ), ended AS (
    DELETE FROM holdfast.workflow_run_live r USING expired e
    WHERE NOT e.again AND r.tenant = e.tenant AND r.id = e.id RETURNING r.*
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done
      (tenant, id, done, type, status, priority, ready, idempotency_key, payload, result, error, last_error, attempt,
       max_attempts, run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at,
       delete_reason, concurrency_key, concurrency_limit, parent_id)
    SELECT e.tenant, e.id, true, e.type, 'failed', e.priority, false, e.idempotency_key, e.payload, NULL,
           '{"code": "lease_expired"}', 'lease_expired', e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent,
           e.created_by, e.created_at, at, at, e.deleted_at, e.delete_reason, e.concurrency_key, e.concurrency_limit,
           e.parent_id
    FROM ended e
  ), told AS (
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT s.tenant, 'run', s.id, s.event, 'system:janitor',
           jsonb_build_object('epoch', s.lease_epoch, 'attempt', s.attempt, 'error', 'lease_expired'), s.trace_parent, at
    FROM (SELECT b.tenant, b.id, b.lease_epoch, b.attempt, b.trace_parent, 'run.lease_expired' AS event FROM back b
          UNION ALL SELECT e.tenant, e.id, e.lease_epoch, e.attempt, e.trace_parent, 'run.failed' FROM ended e) s
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
    SELECT NULL::uuid, NULL::text, min(d.run_at)
    FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) t CROSS JOIN LATERAL (
      SELECT r.run_at FROM holdfast.workflow_run_live r
      WHERE r.tenant = t.tenant AND r.status = 'pending' AND NOT r.ready AND NOT r.blocked AND r.deleted_at IS NULL
      ORDER BY r.run_at LIMIT 1) d
    HAVING min(d.run_at) IS NOT NULL;
END
$$;

-- Looks for an event on behalf of a run that is still held at that epoch. If it has happened, it becomes the result of the
-- step; if not, the step begins to wait, and the answer says for how many seconds it has by now.
CREATE FUNCTION holdfast.await_event(
  run_tenant uuid, run uuid, epoch bigint, step text, event_key text, at timestamptz)
RETURNS TABLE (state text, payload text, age double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  found_payload jsonb;
BEGIN
  PERFORM FROM holdfast.workflow_run_live r
    WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = await_event.epoch AND r.lease_until IS NOT NULL FOR SHARE;
  IF NOT FOUND THEN
    RETURN QUERY SELECT 'lost', NULL::text, NULL::double precision;
    RETURN;
  END IF;
  SELECT e.payload INTO found_payload FROM holdfast.workflow_awaited_event e
    WHERE e.tenant = run_tenant AND e.key = event_key;
  IF FOUND THEN
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

-- Enqueues a run on behalf of another that is still held at that epoch, and notes it as a step of that one, at once.
CREATE FUNCTION holdfast.start_child_run(
  run_tenant uuid, run uuid, epoch bigint, step text, child uuid, child_type text, child_payload text,
  child_priority integer, child_run_at timestamptz, tries integer, child_key text, child_limit integer, trace text,
  event_level text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM FROM holdfast.workflow_run_live r
    WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = start_child_run.epoch AND r.lease_until IS NOT NULL
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO holdfast.workflow_run_step (tenant, run_id, name, result, created_at)
    VALUES (run_tenant, run, step, to_jsonb(child::text), at);
  PERFORM holdfast.insert_runs(
    run_tenant, ARRAY[child], ARRAY[child_type], jsonb_build_array(child_payload::jsonb), ARRAY[child_priority],
    ARRAY[child_run_at], ARRAY[tries], '{}', '{}', ARRAY[trace], ARRAY[child_key], ARRAY[child_limit], run,
    'run:' || run, event_level, at);
  RETURN true;
END
$$;

-- Forgets events that nobody can be waiting for any more.
CREATE FUNCTION holdfast.drop_awaited_events(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dropped bigint;
BEGIN
  DELETE FROM holdfast.workflow_awaited_event e USING (SELECT t.tenant FROM holdfast.tenants t) t
    WHERE e.tenant = t.tenant AND e.created_at < before;
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END
$$;

-- ---------------------------------------------------------------------------------------------- tenants' functions

-- Makes runs. Arrays that say nothing may be empty, and one of a single element speaks for all. `known` are those
-- whose idempotency key was used before.
DROP FUNCTION holdfast.enqueue_runs_for(
  uuid, uuid[], text[], text[], integer[], timestamptz[], integer[], text[], bytea[], text[], text, text, timestamptz);
DROP FUNCTION holdfast.enqueue_runs(
  uuid[], text[], text[], integer[], timestamptz[], integer[], text[], bytea[], text[], text, text, timestamptz);
DROP FUNCTION holdfast.enqueue_run_for(
  uuid, uuid, text, text, integer, timestamptz, integer, text, text, text, timestamptz);

CREATE FUNCTION holdfast.insert_runs(
  own uuid, new_ids uuid[], types text[], payloads jsonb, priorities integer[], run_ats timestamptz[],
  max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[],
  concurrency_limits integer[], parent uuid, actor text, event_level text, at timestamptz)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  known uuid[] := '{}';
  clash text;
  lane text;
BEGIN
  IF cardinality(keys) > 0 THEN
    INSERT INTO holdfast.workflow_run_key (tenant, idempotency_key, run_id, fingerprint)
      SELECT own, n.key, n.id, n.fingerprint FROM unnest(new_ids, keys, fingerprints) n (id, key, fingerprint)
      WHERE n.key IS NOT NULL
      -- Those who use the same keys at once wait for each other here; in one order, so that they cannot deadlock.
      ORDER BY n.key
      ON CONFLICT DO NOTHING;
    SELECT n.key INTO clash FROM unnest(keys, fingerprints) n (key, fingerprint)
      JOIN holdfast.workflow_run_key k ON k.tenant = own AND k.idempotency_key = n.key
      WHERE k.fingerprint <> n.fingerprint LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'the idempotency key % belongs to a run with other content', quote_literal(clash)
        USING ERRCODE = 'HF001', HINT = 'use another key, or the same type and payload';
    END IF;
    RETURN QUERY
      SELECT n.place, k.run_id FROM unnest(new_ids, keys) WITH ORDINALITY n (id, key, place)
      JOIN holdfast.workflow_run_key k ON k.tenant = own AND k.idempotency_key = n.key
      WHERE k.run_id <> n.id;
    IF FOUND THEN
      SELECT array_agg(n.id) INTO known FROM unnest(new_ids, keys) n (id, key)
        JOIN holdfast.workflow_run_key k ON k.tenant = own AND k.idempotency_key = n.key
        WHERE k.run_id <> n.id;
    END IF;
  END IF;
  INSERT INTO holdfast.workflow_run_live
    (tenant, id, type, payload, priority, run_at, ready, max_attempts, idempotency_key, trace_parent, created_by, created_at,
     updated_at, concurrency_key, concurrency_limit, blocked, parent_id)
    SELECT own, n.id, coalesce(n.type, types[1]), n.payload, coalesce(n.priority, 0), coalesce(n.run_at, at),
           coalesce(n.run_at <= at, true) AND n.turn IS NULL, coalesce(n.tries, max_attempts[1], 3), n.key,
           CASE WHEN cardinality(trace_parents) = 1 THEN trace_parents[1] ELSE n.trace END, actor, at, at, n.turn, n.turns,
           coalesce(n.run_at <= at, true) AND n.turn IS NOT NULL, parent
    FROM ROWS FROM (
      unnest(new_ids), jsonb_array_elements(payloads), unnest(types), unnest(priorities), unnest(run_ats),
      unnest(max_attempts), unnest(keys), unnest(trace_parents), unnest(concurrency_keys), unnest(concurrency_limits))
      n (id, payload, type, priority, run_at, tries, key, trace, turn, turns)
    WHERE n.id <> ALL (known);
  IF event_level <> 'exceptions' THEN
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      SELECT own, 'run', n.id, 'run.created', insert_runs.actor, jsonb_build_object('type', coalesce(n.type, types[1])),
             CASE WHEN cardinality(trace_parents) = 1 THEN trace_parents[1] ELSE n.trace END, at
      FROM unnest(new_ids, types, trace_parents) n (id, type, trace) WHERE n.id <> ALL (known);
  END IF;
  IF cardinality(concurrency_keys) > 0 THEN
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
      SELECT DISTINCT own, 'key', k FROM unnest(concurrency_keys) k WHERE k IS NOT NULL;
  END IF;
  FOR lane IN SELECT DISTINCT t FROM unnest(types) t LOOP
    IF NOT EXISTS (SELECT FROM holdfast.workflow_lane l WHERE l.tenant = own AND l.type = lane) THEN
      INSERT INTO holdfast.workflow_lane (tenant, type) VALUES (own, lane) ON CONFLICT DO NOTHING;
    END IF;
    -- A hint for idle workers; Postgres sends it once for each lane, with the commit.
    PERFORM pg_notify('holdfast_runs', own || ':' || lane);
  END LOOP;
END
$$;

-- Enqueues runs in the tenant of the transaction. A run whose idempotency key is known is not made again: a row of the
-- answer says which it was (`place`, counted from 1) and names the run of that key. A known key with other content refuses
-- the whole call.
CREATE FUNCTION holdfast.enqueue_runs(
  new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamptz[], max_attempts integer[],
  keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[],
  actor text, event_level text, at timestamptz)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT * FROM holdfast.insert_runs(
    holdfast.transaction_tenant(), new_ids, types, payloads::jsonb, priorities, run_ats, max_attempts, keys, fingerprints,
    trace_parents, concurrency_keys, concurrency_limits, NULL, actor, event_level, at);
END
$$;

-- The same for workers and trusted code that name the tenant.
CREATE FUNCTION holdfast.enqueue_runs_for(
  for_tenant uuid, new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamptz[],
  max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[],
  concurrency_limits integer[], actor text, event_level text, at timestamptz)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT * FROM holdfast.insert_runs(
    for_tenant, new_ids, types, payloads::jsonb, priorities, run_ats, max_attempts, keys, fingerprints, trace_parents,
    concurrency_keys, concurrency_limits, NULL, actor, event_level, at);
END
$$;

-- One run without keys: the least that enqueueing can be.
CREATE FUNCTION holdfast.enqueue_run_for(
  for_tenant uuid, new_id uuid, new_type text, new_payload text, new_priority integer, new_run_at timestamptz,
  tries integer, trace text, actor text, event_level text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO holdfast.workflow_run_live
    (tenant, id, type, payload, priority, run_at, ready, max_attempts, trace_parent, created_by, created_at, updated_at)
    VALUES (for_tenant, new_id, new_type, new_payload::jsonb, new_priority, coalesce(new_run_at, at),
            coalesce(new_run_at <= at, true), tries, trace, actor, at, at);
  IF event_level <> 'exceptions' THEN
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      VALUES (for_tenant, 'run', new_id, 'run.created', enqueue_run_for.actor, jsonb_build_object('type', new_type), trace,
              at);
  END IF;
  IF NOT EXISTS (SELECT FROM holdfast.workflow_lane l WHERE l.tenant = for_tenant AND l.type = new_type) THEN
    INSERT INTO holdfast.workflow_lane (tenant, type) VALUES (for_tenant, new_type) ON CONFLICT DO NOTHING;
  END IF;
  PERFORM pg_notify('holdfast_runs', for_tenant || ':' || new_type);
END
$$;

-- An event happens once. False when it had happened already, with the same payload; with another it is refused.
CREATE FUNCTION holdfast.emit_event(event_key text, new_payload text, actor text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  known jsonb;
BEGIN
  INSERT INTO holdfast.workflow_awaited_event (tenant, key, payload, created_by, created_at)
    VALUES (own, 'event:' || event_key, new_payload::jsonb, actor, at) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key) VALUES (own, 'event', 'event:' || event_key);
    PERFORM pg_notify('holdfast_runs', '');
    RETURN true;
  END IF;
  SELECT e.payload INTO known FROM holdfast.workflow_awaited_event e
    WHERE e.tenant = own AND e.key = 'event:' || event_key;
  IF known IS DISTINCT FROM new_payload::jsonb THEN
    RAISE EXCEPTION 'the event % has happened already, with another payload', quote_literal(event_key)
      USING ERRCODE = 'HF001', HINT = 'an event happens once: use another key for another event';
  END IF;
  RETURN false;
END
$$;

-- Whether a run is still held at that epoch; if so, until the end of this transaction nobody can take it away.
CREATE FUNCTION holdfast.hold_run(run uuid, epoch bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- FOR KEY SHARE lets heartbeats through, and makes whoever would end or take back the run wait or pass by.
  PERFORM FROM holdfast.workflow_run_live r
    WHERE r.tenant = holdfast.transaction_tenant() AND r.id = run AND r.lease_epoch = hold_run.epoch
      AND r.lease_until IS NOT NULL FOR KEY SHARE;
  RETURN FOUND;
END
$$;

-- Cancels a live run and those it started, whoever holds them: the canceller owns the status, holders find out at their
-- next heartbeat. Answers with all that were cancelled, itself first.
DROP FUNCTION holdfast.cancel_run(uuid, text, timestamptz);
CREATE FUNCTION holdfast.cancel_run(wanted uuid, reason text, actor text, publishes text, at timestamptz)
RETURNS TABLE (id uuid, was text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  ended_ids uuid[];
  were text[];
BEGIN
  WITH RECURSIVE tree AS (
    SELECT r.id, 0 AS depth FROM holdfast.workflow_run_live r WHERE r.tenant = own AND r.id = wanted
    UNION ALL
    SELECT c.id, t.depth + 1 FROM tree t
    JOIN holdfast.workflow_run_live c ON c.tenant = own AND c.parent_id = t.id AND c.parent_id IS NOT NULL
  ), ended AS (
    DELETE FROM holdfast.workflow_run_live r USING tree t WHERE r.tenant = own AND r.id = t.id RETURNING r.*, t.depth
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done
      (tenant, id, done, type, status, priority, ready, idempotency_key, payload, error, last_error, attempt, max_attempts,
       run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at, delete_reason,
       concurrency_key, concurrency_limit, parent_id)
    SELECT e.tenant, e.id, true, e.type, 'cancelled', e.priority, false, e.idempotency_key, e.payload, e.error, reason,
           e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by, e.created_at, at, at,
           e.deleted_at, e.delete_reason, e.concurrency_key, e.concurrency_limit, e.parent_id
    FROM ended e
  ), happened AS (
    INSERT INTO holdfast.workflow_awaited_event (tenant, key, payload, created_by, created_at)
    SELECT own, 'run:' || e.id, '{"status": "cancelled"}', 'run:' || wanted, at FROM ended e WHERE e.parent_id IS NOT NULL
    ON CONFLICT DO NOTHING
  ), nudged AS (
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT own, 'event', 'run:' || e.id FROM ended e WHERE e.parent_id IS NOT NULL
    UNION ALL
    SELECT own, 'key', e.concurrency_key FROM ended e WHERE e.concurrency_key IS NOT NULL
  )
  SELECT array_agg(e.id ORDER BY e.depth, e.id), array_agg(e.status ORDER BY e.depth, e.id) INTO ended_ids, were
    FROM ended e;
  IF ended_ids IS NULL THEN
    RETURN;
  END IF;
  IF publishes <> 'nothing' THEN
    PERFORM holdfast.publish_outcomes(array_fill(own, ARRAY[cardinality(ended_ids)]), ended_ids, publishes, actor, at);
  END IF;
  PERFORM pg_notify('holdfast_runs', '');
  RETURN QUERY SELECT * FROM unnest(ended_ids, were);
END
$$;

-- Deletes softly: the run is never leased again, its idempotency key is free, the row stays until retention takes it.
CREATE OR REPLACE FUNCTION holdfast.delete_run(wanted uuid, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  gone record;
BEGIN
  UPDATE holdfast.workflow_run r SET deleted_at = at, delete_reason = reason, updated_at = at
    WHERE r.tenant = own AND r.id = wanted AND r.deleted_at IS NULL
    RETURNING r.status, r.concurrency_key, r.parent_id INTO gone;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM holdfast.workflow_run_key k WHERE k.tenant = own AND k.run_id = wanted;
  IF gone.status = 'pending' AND gone.concurrency_key IS NOT NULL THEN
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key) VALUES (own, 'key', gone.concurrency_key);
  END IF;
  IF gone.status = 'pending' AND gone.parent_id IS NOT NULL THEN
    -- It will never run, so nobody must wait for it.
    PERFORM holdfast.tell_parents(ARRAY[own], ARRAY[wanted], ARRAY['{"status": "deleted"}'::jsonb], 'run:' || wanted, at);
  END IF;
  PERFORM pg_notify('holdfast_runs', '');
  RETURN true;
END
$$;

-- ---------------------------------------------------------------------------------------------------------- grants

GRANT SELECT ON holdfast.workflow_awaited_event, holdfast.workflow_nudge, holdfast.workflow_rate TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.enqueue_runs(uuid[], text[], text, integer[], timestamptz[], integer[], text[], bytea[], text[], text[],
                        integer[], text, text, timestamptz),
  holdfast.emit_event(text, text, text, timestamptz), holdfast.hold_run(uuid, bigint),
  holdfast.cancel_run(uuid, text, text, text, timestamptz)
  TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.enqueue_runs_for(uuid, uuid[], text[], text, integer[], timestamptz[], integer[], text[], bytea[], text[],
                            text[], integer[], text, text, timestamptz),
  holdfast.enqueue_run_for(uuid, uuid, text, text, integer, timestamptz, integer, text, text, text, timestamptz),
  holdfast.claim_runs(text, uuid[], text[], integer[], interval[], boolean, text, timestamptz),
  holdfast.settle_runs(text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[],
                       text[], text[], text, text, timestamptz),
  holdfast.tend_runs(text, text, timestamptz),
  holdfast.take_rate(uuid[], text[], integer[], interval[], interval[], timestamptz),
  holdfast.await_event(uuid, uuid, bigint, text, text, timestamptz),
  holdfast.start_child_run(uuid, uuid, bigint, text, uuid, text, text, integer, timestamptz, integer, text, integer, text,
                           text, timestamptz),
  holdfast.drop_awaited_events(timestamptz)
  TO holdfast_worker;
