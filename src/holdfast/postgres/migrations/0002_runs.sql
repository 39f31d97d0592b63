-- Runs: durable units of work, leased by workers, retried, fenced.
--
-- Model
--   workflow_run      every run. Two branches: workflow_run_live (pending, leased) stays small whatever happens;
--                     workflow_run_done (succeeded, failed, cancelled) is cut by the month in which runs finished, so that
--                     retention drops partitions.
--   workflow_run_key  idempotency keys; apart from the runs, because their uniqueness must span both branches
--   workflow_lane     which types each tenant ever enqueued: what a claim looks through, instead of the runs
--   workflow_run_step results of the durable steps of runs
--   workflow_pause    prefixes of types that a tenant has paused
--
-- States, enforced by the triggers legal_transition
--
--   pending ──claim──▶ leased ──▶ succeeded | failed | cancelled
--      │ ▲               │
--      │ └───────────────┘ retry, snooze, hand-back, lease expired
--      └──▶ cancelled
--
-- A claim bumps lease_epoch and counts the attempt. Whatever the holder does later names (id, epoch): a holder that lost
-- its lease finds no row. `ready` is false for a pending run whose time has not come: such runs are not in the index that
-- claims read, and cost claims nothing.

CREATE TABLE holdfast.workflow_run (
  tenant           uuid NOT NULL,
  id               uuid NOT NULL,
  done             boolean NOT NULL DEFAULT false,
  type             text COLLATE "C" NOT NULL CHECK (length(type) BETWEEN 1 AND 256),
  status           text COLLATE "C" NOT NULL DEFAULT 'pending' CONSTRAINT workflow_run_status_check
                   CHECK (status IN ('pending', 'leased', 'succeeded', 'failed', 'cancelled')),
  priority         integer NOT NULL DEFAULT 0 CHECK (priority BETWEEN -1000 AND 1000),
  ready            boolean NOT NULL DEFAULT true,
  idempotency_key  text CHECK (length(idempotency_key) BETWEEN 1 AND 512),
  payload          jsonb NOT NULL,
  result           jsonb,
  error            jsonb,
  last_error       text,
  attempt          integer NOT NULL DEFAULT 0 CHECK (attempt >= 0),
  max_attempts     integer NOT NULL DEFAULT 3 CHECK (max_attempts BETWEEN 1 AND 1000),
  run_at           timestamptz NOT NULL,
  lease_epoch      bigint NOT NULL DEFAULT 0,
  lease_until      timestamptz,
  leased_by        text,
  trace_parent     text,
  created_by       text NOT NULL,
  created_at       timestamptz NOT NULL DEFAULT now(),
  updated_at       timestamptz NOT NULL DEFAULT now(),
  finished_at      timestamptz,
  deleted_at       timestamptz,
  delete_reason    text,
  CONSTRAINT workflow_run_finished CHECK (
    done = (status IN ('succeeded', 'failed', 'cancelled')) AND done = (finished_at IS NOT NULL)),
  CONSTRAINT workflow_run_lease CHECK (
    (status = 'leased') = (lease_until IS NOT NULL) AND (status = 'leased') = (leased_by IS NOT NULL))
) PARTITION BY LIST (done);
SELECT holdfast.protect_tenant_table('holdfast.workflow_run');

CREATE TABLE holdfast.workflow_run_live PARTITION OF holdfast.workflow_run (PRIMARY KEY (tenant, id))
  FOR VALUES IN (false)
  -- Every run leaves two dead rows here: vacuum must come by often, and finds little to do each time.
  WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
SELECT holdfast.protect_tenant_table('holdfast.workflow_run_live');

CREATE TABLE holdfast.workflow_run_done PARTITION OF holdfast.workflow_run (PRIMARY KEY (tenant, id, finished_at))
  FOR VALUES IN (true) PARTITION BY RANGE (finished_at);
SELECT holdfast.protect_tenant_table('holdfast.workflow_run_done');
CREATE TABLE holdfast.workflow_run_done_default PARTITION OF holdfast.workflow_run_done DEFAULT;
SELECT holdfast.protect_tenant_table('holdfast.workflow_run_done_default');

-- The order in which runs are claimed, whole: a claim reads exactly the rows it takes.
CREATE INDEX workflow_run_ready ON holdfast.workflow_run_live (tenant, type, priority DESC, run_at, id)
  WHERE status = 'pending' AND ready AND deleted_at IS NULL;
-- Runs whose time has not come.
CREATE INDEX workflow_run_delayed ON holdfast.workflow_run_live (tenant, run_at)
  WHERE status = 'pending' AND NOT ready AND deleted_at IS NULL;
-- What is in flight: as many rows as the workers have places. Without lease_until, so that a heartbeat touches no index.
CREATE INDEX workflow_run_leased ON holdfast.workflow_run_live (tenant, id) WHERE status = 'leased';
-- Lists, newest first, need no index of their own: ids are made in the order of time, and lead the primary keys.

CREATE FUNCTION holdfast.refuse_transition() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a run cannot go from % to %', OLD.status, NEW.status
    USING ERRCODE = 'HF001', HINT = 'a finished run stays as it is; enqueue a new one';
END
$$;
-- The conditions are evaluated without calling a function, so that legal transitions cost nothing.
CREATE TRIGGER legal_transition BEFORE UPDATE ON holdfast.workflow_run_live FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT (
    (OLD.status = 'pending' AND NEW.status IN ('leased', 'cancelled'))
    OR (OLD.status = 'leased' AND NEW.status IN ('pending', 'succeeded', 'failed', 'cancelled'))))
  EXECUTE FUNCTION holdfast.refuse_transition();
CREATE TRIGGER legal_transition BEFORE UPDATE ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION holdfast.refuse_transition();
CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_run FOR EACH ROW
  WHEN (OLD.updated_at = NEW.updated_at) EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TABLE holdfast.workflow_run_key (
  tenant           uuid NOT NULL,
  idempotency_key  text COLLATE "C" NOT NULL,
  run_id           uuid NOT NULL,
  fingerprint      bytea NOT NULL,
  PRIMARY KEY (tenant, idempotency_key)
);
CREATE INDEX workflow_run_key_run ON holdfast.workflow_run_key (tenant, run_id);
SELECT holdfast.protect_tenant_table('holdfast.workflow_run_key');

CREATE TABLE holdfast.workflow_lane (
  tenant  uuid NOT NULL,
  type    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, type)
);
SELECT holdfast.protect_tenant_table('holdfast.workflow_lane');

CREATE TABLE holdfast.workflow_run_step (
  tenant      uuid NOT NULL,
  run_id      uuid NOT NULL,
  name        text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  result      jsonb,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, run_id, name)
);
SELECT holdfast.protect_tenant_table('holdfast.workflow_run_step');

CREATE TABLE holdfast.workflow_pause (
  tenant     uuid NOT NULL,
  prefix     text COLLATE "C" NOT NULL CHECK (length(prefix) BETWEEN 1 AND 256),
  paused_at  timestamptz NOT NULL DEFAULT now(),
  paused_by  text NOT NULL,
  PRIMARY KEY (tenant, prefix)
);
SELECT holdfast.protect_tenant_table('holdfast.workflow_pause');

-- ------------------------------------------------------------------------------------------------ workers' functions
--
-- These read rows one by one through an index. The planner, who cannot know how few they are, would rather read a whole
-- table when the backlog is long; so the ways to do that are closed to them. And one plan serves every call: making a new
-- one takes longer than carrying it out.

-- Run events are written according to a level: 'all' of them, only 'outcomes', or only 'exceptions' to the happy path.
CREATE FUNCTION holdfast.wants_event(level text, event text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN event IN ('run.leased', 'run.started') THEN level = 'all'
    WHEN event IN ('run.created', 'run.succeeded') THEN level IN ('all', 'outcomes')
    ELSE true END;
END
$$;

-- Lanes with something to claim, for a worker's exact types or prefixes of types, with each tenant's weight.
CREATE FUNCTION holdfast.ready_lanes(prefixes text[], types text[]) RETURNS TABLE (tenant uuid, type text, weight integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT l.tenant, l.type,
           greatest(1, least(1000, coalesce((t.settings ->> 'weight')::numeric::integer, 1)))
    FROM holdfast.workflow_lane l JOIN holdfast.tenants t ON t.tenant = l.tenant
    -- One look into each lane. As EXISTS it would be a join, and read all that is ready to find out where something is.
    CROSS JOIN LATERAL (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
      LIMIT 1) something
    WHERE (l.type = ANY (types) OR EXISTS (SELECT FROM unnest(prefixes) p WHERE starts_with(l.type, p)))
      AND NOT EXISTS (SELECT FROM holdfast.workflow_pause p WHERE p.tenant = l.tenant AND starts_with(l.type, p.prefix));
END
$$;

-- Claims runs of some lanes. Each lane takes at most its quota; of one tenant's lanes those with the highest priority at
-- their head go first. With by_age, the priority whose oldest run has waited longest goes first instead: a worker asks for
-- that every so often, so that no priority starves.
CREATE FUNCTION holdfast.claim_runs(
  worker text, tenants uuid[], types text[], quotas integer[], leases interval[], by_age boolean, event_level text,
  at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, type text, lease_epoch bigint, attempt integer, max_attempts integer, payload text,
               trace_parent text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
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
      RETURNING u.tenant, u.id, u.type, u.lease_epoch, u.attempt, u.max_attempts, u.payload::text, u.trace_parent
    ), told AS (
      INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      SELECT t.tenant, 'run', t.id, 'run.leased', 'worker:' || worker,
             jsonb_build_object('epoch', t.lease_epoch, 'attempt', t.attempt), t.trace_parent, at
      FROM taken t WHERE event_level = 'all'
    )
    SELECT * FROM taken;
END
$$;

-- The priorities there are in a lane, each with the time of its oldest run: one index probe each.
CREATE FUNCTION holdfast.priority_levels(lane_tenant uuid, lane_type text)
RETURNS TABLE (priority integer, run_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  below integer := 2147483647;
BEGIN
  FOR probe IN 1 .. 100 LOOP
    SELECT r.priority, r.run_at INTO priority, run_at FROM holdfast.workflow_run_live r
      WHERE r.tenant = lane_tenant AND r.type = lane_type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
        AND r.priority < below
      ORDER BY r.priority DESC, r.run_at, r.id LIMIT 1;
    EXIT WHEN NOT FOUND;
    below := priority;
    RETURN NEXT;
  END LOOP;
END
$$;

-- Records what became of leased runs. `status` says where each goes: succeeded or failed, or back to pending after `delay`,
-- with the attempt given back where it did not count; without an event of its own it is run.‹status›. Answers with the runs that were no longer held: (id, epoch) did not
-- match, and nothing of them was written.
CREATE FUNCTION holdfast.settle_runs(
  worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[],
  last_errors text[], delays interval[], attempts_back integer[], events text[], event_level text, at timestamptz)
RETURNS TABLE (lost_tenant uuid, lost_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  settled integer;
BEGIN
  WITH outcome AS (
    SELECT o.tenant, o.id, o.epoch, o.status, o.result, o.error, o.last_error, o.delay, o.back,
           coalesce(o.event, 'run.' || o.status) AS event
    FROM unnest(tenants, ids, epochs, statuses, results, errors, last_errors, delays, attempts_back, events)
      o (tenant, id, epoch, status, result, error, last_error, delay, back, event)
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
       delete_reason)
    SELECT e.tenant, e.id, true, e.type, e.new_status, e.priority, false, e.idempotency_key, e.payload,
           e.new_result::jsonb, coalesce(e.new_error::jsonb, e.error), coalesce(e.new_last_error, e.last_error), e.attempt,
           e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by, e.created_at, at, at, e.deleted_at,
           e.delete_reason
    FROM ended e
  ), returned AS (
    UPDATE holdfast.workflow_run_live r
    SET status = 'pending', ready = o.delay <= interval '0', run_at = at + o.delay, lease_until = NULL, leased_by = NULL,
        attempt = r.attempt - coalesce(o.back, 0), error = coalesce(o.error::jsonb, r.error),
        last_error = coalesce(o.last_error, r.last_error), updated_at = at
    FROM outcome o
    WHERE o.status = 'pending'
      AND r.tenant = o.tenant AND r.id = o.id AND r.lease_epoch = o.epoch AND r.lease_until IS NOT NULL
    RETURNING r.tenant, r.id, r.lease_epoch, r.attempt, r.last_error, r.trace_parent, r.run_at, o.event
  ), told AS (
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT s.tenant, 'run', s.id, s.event, 'worker:' || worker,
           jsonb_strip_nulls(jsonb_build_object('epoch', s.lease_epoch, 'attempt', s.attempt, 'error', s.last_error,
                                                'run_at', s.run_at)), s.trace_parent, at
    FROM (SELECT e.tenant, e.id, e.event, e.lease_epoch, e.attempt, e.new_last_error AS last_error, e.trace_parent,
                 NULL::timestamptz AS run_at FROM ended e
          UNION ALL
          SELECT r.tenant, r.id, r.event, r.lease_epoch, r.attempt, r.last_error, r.trace_parent, r.run_at FROM returned r) s
    WHERE holdfast.wants_event(event_level, s.event)
  )
  SELECT (SELECT count(*) FROM ended) + (SELECT count(*) FROM returned) INTO settled;
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

-- Stores results of durable steps, of runs that are still held at that epoch; answers with those that were stored. The lock
-- on the run makes a takeover wait for us, or us see it: what a holder stored is there when the next one looks.
CREATE FUNCTION holdfast.record_steps(
  tenants uuid[], ids uuid[], epochs bigint[], names text[], results text[], at timestamptz)
RETURNS TABLE (run_id uuid, name text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
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

-- What a run's earlier attempts stored, with how long ago in seconds; nothing when the run is not held at that epoch.
CREATE FUNCTION holdfast.recall_steps(run_tenant uuid, run uuid, epoch bigint, at timestamptz)
RETURNS TABLE (name text, result text, age double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT s.name, s.result::text, extract(epoch FROM at - s.created_at)::double precision
    FROM holdfast.workflow_run_step s
    WHERE s.tenant = run_tenant AND s.run_id = run AND EXISTS (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = run_tenant AND r.id = run AND r.lease_epoch = recall_steps.epoch AND r.status = 'leased');
END
$$;

-- Extends leases that are still held; answers with those that are not, and what became of the run.
CREATE FUNCTION holdfast.heartbeat_runs(
  tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, status text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH claimed AS (
      SELECT * FROM unnest(tenants, ids, epochs, leases) h (tenant, id, epoch, lease)
    ), extended AS (
      UPDATE holdfast.workflow_run_live r SET lease_until = at + h.lease, updated_at = at
      FROM claimed h
      WHERE r.tenant = h.tenant AND r.id = h.id AND r.lease_epoch = h.epoch AND r.lease_until IS NOT NULL
      RETURNING r.tenant, r.id
    )
    SELECT h.tenant, h.id, (SELECT r.status FROM holdfast.workflow_run r WHERE r.tenant = h.tenant AND r.id = h.id)
    FROM claimed h WHERE NOT EXISTS (SELECT FROM extended e WHERE e.tenant = h.tenant AND e.id = h.id);
END
$$;

-- What somebody must do every second or so: make runs ready whose time has come, and take back those whose lease expired.
-- An expired run has used its attempt; it comes back after a short random pause, so that runs which died together with
-- their worker do not all die together again. Answers with the lanes that got something to do, and, as a row without a
-- lane, with the time at which the next delayed run is due. One caller at a time; others return at once.
CREATE FUNCTION holdfast.tend_runs(event_level text, at timestamptz)
RETURNS TABLE (tenant uuid, type text, due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('holdfast.tend_runs', 0)) THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH due AS MATERIALIZED (
      SELECT t.tenant, d.id FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) t CROSS JOIN LATERAL (
        SELECT r.id FROM holdfast.workflow_run_live r
        WHERE r.tenant = t.tenant AND r.status = 'pending' AND NOT r.ready AND r.deleted_at IS NULL AND r.run_at <= at
        ORDER BY r.run_at LIMIT 1000 FOR UPDATE SKIP LOCKED) d
    ), woken AS (
      UPDATE holdfast.workflow_run_live r SET ready = true, updated_at = at FROM due d
      WHERE r.tenant = d.tenant AND r.id = d.id RETURNING r.tenant, r.type
    )
    SELECT DISTINCT w.tenant, w.type, NULL::timestamptz FROM woken w;
  WITH expired AS MATERIALIZED (
    SELECT r.tenant, r.id, r.attempt < r.max_attempts AS again FROM holdfast.workflow_run_live r
    WHERE r.status = 'leased' AND r.lease_until < at LIMIT 1000 FOR UPDATE SKIP LOCKED
  ), back AS (
    UPDATE holdfast.workflow_run_live r
    SET status = 'pending', ready = false, run_at = at + random() * least(power(2, r.attempt - 1), 60) * interval '1 s',
        lease_until = NULL, leased_by = NULL, last_error = 'lease_expired', updated_at = at
    FROM expired e WHERE e.again AND r.tenant = e.tenant AND r.id = e.id
    RETURNING r.tenant, r.id, r.lease_epoch, r.attempt, r.trace_parent
  ), ended AS (
    DELETE FROM holdfast.workflow_run_live r USING expired e
    WHERE NOT e.again AND r.tenant = e.tenant AND r.id = e.id RETURNING r.*
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done
      (tenant, id, done, type, status, priority, ready, idempotency_key, payload, result, error, last_error, attempt,
       max_attempts, run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at,
       delete_reason)
    SELECT e.tenant, e.id, true, e.type, 'failed', e.priority, false, e.idempotency_key, e.payload, NULL,
           '{"code": "lease_expired"}', 'lease_expired', e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent,
           e.created_by, e.created_at, at, at, e.deleted_at, e.delete_reason
    FROM ended e
  )
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
  SELECT s.tenant, 'run', s.id, s.event, 'system:janitor',
         jsonb_build_object('epoch', s.lease_epoch, 'attempt', s.attempt, 'error', 'lease_expired'), s.trace_parent, at
  FROM (SELECT b.*, 'run.lease_expired' AS event FROM back b
        UNION ALL SELECT e.tenant, e.id, e.lease_epoch, e.attempt, e.trace_parent, 'run.failed' FROM ended e) s;
  RETURN QUERY
    SELECT NULL::uuid, NULL::text, min(d.run_at)
    FROM (SELECT DISTINCT l.tenant FROM holdfast.workflow_lane l) t CROSS JOIN LATERAL (
      SELECT r.run_at FROM holdfast.workflow_run_live r
      WHERE r.tenant = t.tenant AND r.status = 'pending' AND NOT r.ready AND r.deleted_at IS NULL
      ORDER BY r.run_at LIMIT 1) d
    HAVING min(d.run_at) IS NOT NULL;
END
$$;

-- Drops the months of finished runs that ended before a time, with the steps and idempotency keys of their runs.
CREATE FUNCTION holdfast.drop_finished_runs(before timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last timestamptz := date_trunc('month', before AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
BEGIN
  DELETE FROM holdfast.workflow_run_key k USING holdfast.workflow_run_done d
    WHERE d.finished_at < last AND d.idempotency_key IS NOT NULL AND k.tenant = d.tenant AND k.run_id = d.id;
  DELETE FROM holdfast.workflow_run_step s USING holdfast.workflow_run_done d
    WHERE d.finished_at < last AND s.tenant = d.tenant AND s.run_id = d.id;
  RETURN QUERY SELECT holdfast.drop_partitions('workflow_run_done', last);
END
$$;

-- ---------------------------------------------------------------------------------------------- tenants' functions
--
-- The application may read runs, but change them only through these; each acts in the tenant of the transaction.

CREATE FUNCTION holdfast.transaction_tenant() RETURNS uuid
LANGUAGE plpgsql STABLE AS $$
DECLARE
  tenant uuid := nullif(current_setting('holdfast.tenant', true), '')::uuid;
BEGIN
  IF tenant IS NULL THEN
    RAISE EXCEPTION 'this transaction has no tenant' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN tenant;
END
$$;

-- Enqueues runs. A run whose idempotency key is known is not made again: a row of the answer says which it was (`place`,
-- counted from 1) and names the run of that key. A known key with other content refuses the whole call. The notification is a hint for idle workers; Postgres sends one for each lane.
CREATE FUNCTION holdfast.enqueue_runs(
  new_ids uuid[], types text[], payloads text[], priorities integer[], run_ats timestamptz[], max_attempts integer[],
  keys text[], fingerprints bytea[], trace_parents text[], actor text, event_level text, at timestamptz)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  known jsonb := '{}';
  clash text;
  lane text;
BEGIN
  IF EXISTS (SELECT FROM unnest(keys) k WHERE k IS NOT NULL) THEN
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
    SELECT coalesce(jsonb_object_agg(n.id, true), '{}') INTO known
      FROM unnest(new_ids, keys) n (id, key)
      JOIN holdfast.workflow_run_key k ON k.tenant = own AND k.idempotency_key = n.key
      WHERE k.run_id <> n.id;
  END IF;
  INSERT INTO holdfast.workflow_run_live
    (tenant, id, type, payload, priority, run_at, ready, max_attempts, idempotency_key, trace_parent, created_by, created_at,
     updated_at)
    SELECT own, n.id, n.type, n.payload::jsonb, coalesce(n.priority, 0), coalesce(n.run_at, at),
           coalesce(n.run_at <= at, true), coalesce(n.tries, 3), n.key, n.trace, actor, at, at
    FROM unnest(new_ids, types, payloads, priorities, run_ats, max_attempts, keys, trace_parents)
      n (id, type, payload, priority, run_at, tries, key, trace)
    WHERE known = '{}' OR NOT known ? n.id::text;
  IF holdfast.wants_event(event_level, 'run.created') THEN
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      SELECT own, 'run', n.id, 'run.created', enqueue_runs.actor, jsonb_build_object('type', n.type), n.trace, at
      FROM unnest(new_ids, types, trace_parents) n (id, type, trace) WHERE known = '{}' OR NOT known ? n.id::text;
  END IF;
  FOR lane IN SELECT DISTINCT t FROM unnest(types) t LOOP
    IF NOT EXISTS (SELECT FROM holdfast.workflow_lane l WHERE l.tenant = own AND l.type = lane) THEN
      INSERT INTO holdfast.workflow_lane (tenant, type) VALUES (own, lane) ON CONFLICT DO NOTHING;
    END IF;
    PERFORM pg_notify('holdfast_runs', own || ':' || lane);
  END LOOP;
END
$$;

-- The same in a statement of its own, for workers and trusted code that name the tenant.
CREATE FUNCTION holdfast.enqueue_runs_for(
  for_tenant uuid, new_ids uuid[], types text[], payloads text[], priorities integer[], run_ats timestamptz[],
  max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], actor text, event_level text,
  at timestamptz)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM set_config('holdfast.tenant', for_tenant::text, true);
  RETURN QUERY SELECT * FROM holdfast.enqueue_runs(
    new_ids, types, payloads, priorities, run_ats, max_attempts, keys, fingerprints, trace_parents, actor, event_level, at);
END
$$;

-- One run without a key: the least that enqueueing can be.
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

-- Cancels a live run, whoever holds it: the canceller owns the status, the holder finds out at its next heartbeat.
CREATE FUNCTION holdfast.cancel_run(wanted uuid, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  WITH ended AS (
    DELETE FROM holdfast.workflow_run_live r WHERE r.tenant = holdfast.transaction_tenant() AND r.id = wanted RETURNING r.*
  )
  INSERT INTO holdfast.workflow_run_done
    (tenant, id, done, type, status, priority, ready, idempotency_key, payload, error, last_error, attempt, max_attempts,
     run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at, delete_reason)
  SELECT e.tenant, e.id, true, e.type, 'cancelled', e.priority, false, e.idempotency_key, e.payload, e.error, reason,
         e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by, e.created_at, at, at,
         e.deleted_at, e.delete_reason
  FROM ended e;
  RETURN FOUND;
END
$$;

-- Deletes softly: the run is never leased again, its idempotency key is free, the row stays until retention takes it.
CREATE FUNCTION holdfast.delete_run(wanted uuid, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_run r SET deleted_at = at, delete_reason = reason, updated_at = at
    WHERE r.tenant = holdfast.transaction_tenant() AND r.id = wanted AND r.deleted_at IS NULL;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM holdfast.workflow_run_key k WHERE k.tenant = holdfast.transaction_tenant() AND k.run_id = wanted;
  RETURN true;
END
$$;

-- ---------------------------------------------------------------------------------------------------------- grants

GRANT SELECT ON holdfast.workflow_run, holdfast.workflow_run_step, holdfast.workflow_run_key, holdfast.workflow_lane
  TO holdfast_app;
GRANT SELECT, INSERT, DELETE ON holdfast.workflow_pause TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.enqueue_runs(uuid[], text[], text[], integer[], timestamptz[], integer[], text[], bytea[], text[], text, text,
                        timestamptz),
  holdfast.cancel_run(uuid, text, timestamptz), holdfast.delete_run(uuid, text, timestamptz)
  TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.enqueue_runs_for(uuid, uuid[], text[], text[], integer[], timestamptz[], integer[], text[], bytea[], text[], text,
                            text, timestamptz),
  holdfast.enqueue_run_for(uuid, uuid, text, text, integer, timestamptz, integer, text, text, text, timestamptz),
  holdfast.ready_lanes(text[], text[]),
  holdfast.claim_runs(text, uuid[], text[], integer[], interval[], boolean, text, timestamptz),
  holdfast.settle_runs(text, uuid[], uuid[], bigint[], text[], text[], text[], text[], interval[], integer[], text[], text,
                       timestamptz),
  holdfast.heartbeat_runs(uuid[], uuid[], bigint[], interval[], timestamptz),
  holdfast.record_steps(uuid[], uuid[], bigint[], text[], text[], timestamptz),
  holdfast.recall_steps(uuid, uuid, bigint, timestamptz),
  holdfast.tend_runs(text, timestamptz), holdfast.drop_finished_runs(timestamptz)
  TO holdfast_worker;

SELECT holdfast.create_partitions(now(), 3);
