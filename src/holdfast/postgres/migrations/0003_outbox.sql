-- The outbox: events for other systems, written in the transaction of the change they tell of, sent afterwards, in order.
--
-- Model
--   outbox_event  every event. Two branches: outbox_event_live (pending, dead) stays as small as what is still to be sent;
--                 outbox_event_done (published) is cut by the month of publication, so that retention drops partitions.
--   outbox_lane   one row for each aggregate that has something to send: what dispatchers lease. It goes with the last event.
--   outbox_order  one row for each aggregate that has a lane: publishers of one aggregate pass here one after the other, so
--                 that the numbers of its events (seq) are in the order in which their transactions commit.
--
-- States of an event
--
--   pending ──sent──▶ published          shown as `processing` while its lane is leased
--      │ ▲               │
--      │ └───────────────┘ replay
--      └──▶ dead ──replay──▶ pending
--
-- Order. A dispatcher leases a lane, sends its events by seq, and stops at the first that fails; the next holder begins with
-- that one. Nobody else sends for the aggregate meanwhile. A claim draws lease_epoch from a sequence: whatever a holder does
-- later names it, and one that lost its lease finds no row, even if the lane has gone and come back in between.
--
-- Publishers and dispatchers never wait for each other: a publisher holds a lane with KEY SHARE, which leasing it does not
-- mind; only taking the lane away does, and that is done only when nobody is publishing to it.

CREATE SEQUENCE holdfast.outbox_event_seq;
CREATE SEQUENCE holdfast.outbox_lease_epoch;

CREATE TABLE holdfast.outbox_event (
  tenant          uuid NOT NULL,
  id              uuid NOT NULL,
  done            boolean NOT NULL DEFAULT false,
  seq             bigint NOT NULL,
  event_type      text COLLATE "C" NOT NULL
                  CHECK (length(event_type) <= 256 AND event_type ~ '^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$'),
  aggregate_type  text COLLATE "C" NOT NULL
                  CHECK (length(aggregate_type) <= 128 AND aggregate_type ~ '^[A-Za-z0-9_.-]+$'),
  aggregate_id    text COLLATE "C" NOT NULL CHECK (length(aggregate_id) BETWEEN 1 AND 512),
  subject         text CHECK (length(subject) BETWEEN 1 AND 1024),
  payload         jsonb NOT NULL,
  status          text COLLATE "C" NOT NULL DEFAULT 'pending' CONSTRAINT outbox_event_status_check
                  CHECK (status IN ('pending', 'published', 'dead')),
  attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  last_error      text,
  delivered       text[] NOT NULL DEFAULT '{}',
  trace_parent    text CHECK (length(trace_parent) BETWEEN 1 AND 256),
  created_by      text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  published_at    timestamptz,
  CONSTRAINT outbox_event_published CHECK (
    done = (status = 'published') AND done = (published_at IS NOT NULL))
) PARTITION BY LIST (done);
SELECT holdfast.protect_tenant_table('holdfast.outbox_event');

CREATE TABLE holdfast.outbox_event_live PARTITION OF holdfast.outbox_event (PRIMARY KEY (tenant, id))
  FOR VALUES IN (false)
  WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
SELECT holdfast.protect_tenant_table('holdfast.outbox_event_live');

CREATE TABLE holdfast.outbox_event_done PARTITION OF holdfast.outbox_event (PRIMARY KEY (tenant, id, published_at))
  FOR VALUES IN (true) PARTITION BY RANGE (published_at);
SELECT holdfast.protect_tenant_table('holdfast.outbox_event_done');
CREATE TABLE holdfast.outbox_event_done_default PARTITION OF holdfast.outbox_event_done DEFAULT;
SELECT holdfast.protect_tenant_table('holdfast.outbox_event_done_default');

-- The events of one aggregate that are still to be sent, in the order in which they are.
CREATE INDEX outbox_event_pending ON holdfast.outbox_event_live (tenant, aggregate_type, aggregate_id, seq)
  WHERE status = 'pending';
CREATE INDEX outbox_event_dead ON holdfast.outbox_event_live (tenant, id) WHERE status = 'dead';
-- The history of one aggregate.
CREATE INDEX outbox_event_history ON holdfast.outbox_event_done (tenant, aggregate_type, aggregate_id, seq);

CREATE TABLE holdfast.outbox_lane (
  tenant          uuid NOT NULL,
  aggregate_type  text COLLATE "C" NOT NULL,
  aggregate_id    text COLLATE "C" NOT NULL,
  due_at          timestamptz NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  held            boolean NOT NULL DEFAULT false,
  lease_epoch     bigint NOT NULL DEFAULT 0,
  lease_until     timestamptz,
  leased_by       text,
  PRIMARY KEY (tenant, aggregate_type, aggregate_id),
  CONSTRAINT outbox_lane_lease CHECK ((lease_until IS NULL) = (leased_by IS NULL) AND NOT (held AND lease_until IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);
SELECT holdfast.protect_tenant_table('holdfast.outbox_lane');
COMMENT ON COLUMN holdfast.outbox_lane.attempts IS 'how often the event that is next has been tried';
COMMENT ON COLUMN holdfast.outbox_lane.held IS 'a dead event stops the lane until somebody replays or skips it';

-- The lanes that may be claimed, the one that has waited longest first.
CREATE INDEX outbox_lane_ready ON holdfast.outbox_lane (tenant, due_at) WHERE lease_until IS NULL AND NOT held;
-- What is in flight. Without lease_until, so that a heartbeat touches no index.
CREATE INDEX outbox_lane_leased ON holdfast.outbox_lane (tenant, aggregate_type, aggregate_id)
  WHERE lease_until IS NOT NULL;
CREATE INDEX outbox_lane_held ON holdfast.outbox_lane (tenant) WHERE held;

CREATE TABLE holdfast.outbox_order (
  tenant          uuid NOT NULL,
  aggregate_type  text COLLATE "C" NOT NULL,
  aggregate_id    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, aggregate_type, aggregate_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);
SELECT holdfast.protect_tenant_table('holdfast.outbox_order');

SELECT holdfast.add_event_kind('outbox', chained => false);

-- --------------------------------------------------------------------------------------------------------- publishing

-- A time-ordered id (UUID version 7) for events that are published from SQL.
CREATE FUNCTION holdfast.time_ordered_id() RETURNS uuid
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  stamp text := lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000 * 4096)::bigint), 15, '0');
BEGIN
  RETURN (left(stamp, 12) || '7' || right(stamp, 3)
          || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid;
END
$$;

-- Publishes events of any tenants, in the order given. Not for the application: it is what functions of ours call when they
-- change something others want to hear of. An event without an aggregate stands alone and waits for no other.
CREATE FUNCTION holdfast.publish_events_for(
  tenants uuid[], ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[],
  trace_parents text[], actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid;
  wanted bigint;
  held bigint;
BEGIN
  -- Whoever published for one of these aggregates and has not committed yet is waited for; in one order, so that two who
  -- publish for the same ones cannot deadlock here. The WHERE makes it a lock without a write.
  INSERT INTO holdfast.outbox_order AS o (tenant, aggregate_type, aggregate_id)
    SELECT DISTINCT n.tenant, n.kind, n.id FROM unnest(tenants, aggregate_types, aggregate_ids) n (tenant, kind, id)
    WHERE n.id IS NOT NULL ORDER BY 1, 2, 3
    ON CONFLICT (tenant, aggregate_type, aggregate_id) DO UPDATE SET tenant = excluded.tenant WHERE false;
  INSERT INTO holdfast.outbox_event_live
    (tenant, id, seq, event_type, aggregate_type, aggregate_id, subject, payload, trace_parent, created_by, created_at)
    SELECT n.tenant, n.id, nextval('holdfast.outbox_event_seq'), n.type,
           CASE WHEN n.aggregate_id IS NULL THEN 'event' ELSE n.aggregate_type END, coalesce(n.aggregate_id, n.id::text),
           n.subject, n.payload::jsonb, n.trace, actor, at
    FROM (SELECT * FROM unnest(tenants, ids, types, payloads, aggregate_types, aggregate_ids, subjects, trace_parents)
            WITH ORDINALITY u (tenant, id, type, payload, aggregate_type, aggregate_id, subject, trace, place)
          ORDER BY u.place) n;
  LOOP
    INSERT INTO holdfast.outbox_lane (tenant, aggregate_type, aggregate_id, due_at)
      SELECT DISTINCT n.tenant, CASE WHEN n.aggregate_id IS NULL THEN 'event' ELSE n.aggregate_type END,
             coalesce(n.aggregate_id, n.id::text), at
      FROM unnest(tenants, ids, aggregate_types, aggregate_ids) n (tenant, id, aggregate_type, aggregate_id)
      ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING;
    -- A lane that was there must stay until we commit, or nobody would ever look for our event. One that is just being
    -- taken away is waited for and made anew.
    WITH lane AS (
      SELECT DISTINCT n.tenant, n.kind, n.id FROM unnest(tenants, aggregate_types, aggregate_ids) n (tenant, kind, id)
      WHERE n.id IS NOT NULL
    ), kept AS (
      SELECT FROM lane n CROSS JOIN LATERAL (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = n.tenant AND l.aggregate_type = n.kind AND l.aggregate_id = n.id FOR KEY SHARE) mine
    )
    SELECT (SELECT count(*) FROM lane), (SELECT count(*) FROM kept) INTO wanted, held;
    EXIT WHEN held = wanted;
  END LOOP;
  FOR own IN SELECT DISTINCT t FROM unnest(tenants) t LOOP
    PERFORM pg_notify('holdfast_outbox', own::text);
  END LOOP;
END
$$;

-- Publishes events of the transaction's tenant.
CREATE FUNCTION holdfast.publish_events(
  ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[],
  trace_parents text[], actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.publish_events_for(
    array_fill(holdfast.transaction_tenant(), ARRAY[cardinality(ids)]), ids, types, payloads, aggregate_types, aggregate_ids,
    subjects, trace_parents, actor, at);
END
$$;

-- Publishes one event from SQL, a trigger for instance, and answers with its id.
CREATE FUNCTION holdfast.publish_event(
  event_type text, payload jsonb, aggregate_type text DEFAULT NULL, aggregate_id text DEFAULT NULL,
  subject text DEFAULT NULL, trace_parent text DEFAULT NULL, actor text DEFAULT 'system:sql', at timestamptz DEFAULT now())
RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  made uuid := holdfast.time_ordered_id();
BEGIN
  IF (aggregate_type IS NULL) <> (aggregate_id IS NULL) THEN
    RAISE EXCEPTION 'an aggregate needs both its type and its id' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM holdfast.publish_events_for(
    ARRAY[holdfast.transaction_tenant()], ARRAY[made], ARRAY[event_type], ARRAY[payload::text], ARRAY[aggregate_type],
    ARRAY[aggregate_id], ARRAY[coalesce(subject, aggregate_type || '/' || aggregate_id)], ARRAY[trace_parent], actor, at);
  RETURN made;
END
$$;

-- ------------------------------------------------------------------------------------------------ dispatchers' functions
--
-- As with runs: rows are read one by one through an index, so the ways to read a whole table are closed to the planner.

-- Leases up to `places` lanes and answers with the first events of each, in order, at most `per_lane` and about a megabyte;
-- with one only where something failed before, so that what is tried again is tried alone. Tenants take turns, beginning
-- after the one given: each gets its share of the places, and what others leave. A lane without events is a row without one.
CREATE FUNCTION holdfast.claim_outbox(
  dispatcher text, places integer, per_lane integer, lease interval, after_tenant uuid, at timestamptz)
RETURNS TABLE (tenant uuid, slug text, aggregate_type text, aggregate_id text, lease_epoch bigint, attempts integer,
               id uuid, seq bigint, event_type text, subject text, payload text, trace_parent text, delivered text[],
               created_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  waiting uuid[] := '{}';
  probe uuid := after_tenant;
  around boolean := false;
  found_tenant uuid;
  found_due timestamptz;
  room integer := places;
  share integer;
  own uuid;
  new_types text[];
  new_ids text[];
  taken_tenants uuid[] := '{}';
  taken_types text[] := '{}';
  taken_ids text[] := '{}';
BEGIN
  -- Who has something due: one look each at the lane that has waited longest.
  WHILE cardinality(waiting) < least(places, 64) LOOP
    SELECT l.tenant, l.due_at INTO found_tenant, found_due FROM holdfast.outbox_lane l
      WHERE l.tenant > probe AND l.lease_until IS NULL AND NOT l.held ORDER BY l.tenant, l.due_at LIMIT 1;
    IF NOT FOUND THEN
      EXIT WHEN around;
      around := true;
      -- The least uuid there is belongs to no tenant.
      probe := '00000000-0000-0000-0000-000000000000';
      CONTINUE;
    END IF;
    EXIT WHEN around AND found_tenant > after_tenant;
    probe := found_tenant;
    IF found_due <= at THEN
      waiting := waiting || found_tenant;
    END IF;
  END LOOP;
  FOR round IN 1 .. 2 LOOP
    FOR place IN 1 .. cardinality(waiting) LOOP
      EXIT WHEN room <= 0;
      own := waiting[place];
      share := CASE WHEN round = 1 THEN greatest(1, room / (cardinality(waiting) - place + 1)) ELSE room END;
      WITH picked AS MATERIALIZED (
        SELECT l.ctid AS spot FROM holdfast.outbox_lane l
        WHERE l.tenant = own AND l.lease_until IS NULL AND NOT l.held AND l.due_at <= at
        ORDER BY l.due_at LIMIT share FOR NO KEY UPDATE SKIP LOCKED
      ), leased AS (
        UPDATE holdfast.outbox_lane l
        SET lease_epoch = nextval('holdfast.outbox_lease_epoch'), attempts = l.attempts + 1, lease_until = at + lease,
            leased_by = dispatcher
        FROM picked p WHERE l.ctid = p.spot -- locked above, so it stays in its place
        RETURNING l.aggregate_type, l.aggregate_id
      )
      SELECT array_agg(k.aggregate_type), array_agg(k.aggregate_id) INTO new_types, new_ids FROM leased k;
      IF new_types IS NOT NULL THEN
        room := room - cardinality(new_types);
        taken_tenants := taken_tenants || array_fill(own, ARRAY[cardinality(new_types)]);
        taken_types := taken_types || new_types;
        taken_ids := taken_ids || new_ids;
      END IF;
    END LOOP;
  END LOOP;
  RETURN QUERY
    SELECT l.tenant, t.slug, l.aggregate_type, l.aggregate_id, l.lease_epoch, l.attempts, e.id, e.seq, e.event_type,
           e.subject, e.payload, e.trace_parent, e.delivered, e.created_at
    FROM unnest(taken_tenants, taken_types, taken_ids) WITH ORDINALITY k (tenant, kind, id, place)
    JOIN holdfast.outbox_lane l ON l.tenant = k.tenant AND l.aggregate_type = k.kind AND l.aggregate_id = k.id
    JOIN holdfast.tenants t ON t.tenant = k.tenant
    LEFT JOIN LATERAL (
      SELECT w.* FROM (
        SELECT x.*, sum(octet_length(x.payload)) OVER (ORDER BY x.seq) - octet_length(x.payload) AS before FROM (
          SELECT y.id, y.seq, y.event_type, y.subject, y.payload::text AS payload, y.trace_parent, y.delivered, y.created_at
          FROM holdfast.outbox_event_live y
          WHERE y.tenant = l.tenant AND y.aggregate_type = l.aggregate_type AND y.aggregate_id = l.aggregate_id
            AND y.status = 'pending'
          ORDER BY y.seq LIMIT CASE WHEN l.attempts > 1 THEN 1 ELSE per_lane END) x) w
      WHERE w.before < 1048576) e ON true
    ORDER BY k.place, e.seq;
END
$$;

-- Records what became of leased lanes: which events were sent (`sent_lanes` counts the lanes given, from 1), and, where one
-- failed, which, why, how often it was tried, whether it is dead, and after what delay the lane comes back. Answers with the
-- lanes, counted from 1, that were no longer held: their epoch did not match, and nothing of them was written.
CREATE FUNCTION holdfast.settle_outbox(
  dispatcher text, tenants uuid[], aggregate_types text[], aggregate_ids text[], epochs bigint[], tries integer[],
  delays interval[], failed_ids uuid[], errors text[], deads boolean[], takers text[], sent_lanes integer[],
  sent_ids uuid[], sent_tries integer[], hold_dead boolean, at timestamptz)
RETURNS SETOF integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
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
    (tenant, id, done, seq, event_type, aggregate_type, aggregate_id, subject, payload, status, attempts, last_error,
     delivered, trace_parent, created_by, created_at, published_at)
  SELECT s.tenant, s.id, true, s.seq, s.event_type, s.aggregate_type, s.aggregate_id, s.subject, s.payload, 'published',
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
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
    SELECT f.tenant, 'outbox', f.id, 'outbox.dead', 'dispatcher:' || dispatcher,
           jsonb_build_object('type', f.event_type, 'aggregate', f.aggregate_type || '/' || f.aggregate_id,
                              'attempts', f.attempts, 'error', f.last_error), f.trace_parent, at
    FROM failed f WHERE f.dead;
  END IF;
  UPDATE holdfast.outbox_lane l
    SET lease_until = NULL, leased_by = NULL, due_at = at + coalesce(o.delay, interval '0'),
        attempts = CASE WHEN o.dead THEN 0 ELSE coalesce(o.tried, 0) END, held = coalesce(o.dead AND hold_dead, false)
    FROM unnest(tenants, aggregate_types, aggregate_ids, tries, delays, deads) WITH ORDINALITY
      o (tenant, kind, id, tried, delay, dead, place)
    WHERE o.place = ANY (mine) AND l.tenant = o.tenant AND l.aggregate_type = o.kind AND l.aggregate_id = o.id;
  -- Lanes that seem to have nothing left are locked against publishers. Whoever holds one with KEY SHARE is about to publish
  -- to it, and it stays.
  SELECT array_agg(s.place) INTO empty FROM (
    SELECT o.place::integer FROM unnest(tenants, aggregate_types, aggregate_ids) WITH ORDINALITY
      o (tenant, kind, id, place) CROSS JOIN LATERAL (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = o.tenant AND l.aggregate_type = o.kind AND l.aggregate_id = o.id AND NOT l.held
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

-- Extends the leases of lanes that are still held; answers with those that are not. A lane goes by ‹type›/‹id› here.
CREATE FUNCTION holdfast.heartbeat_outbox(
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
    ), extended AS (
      UPDATE holdfast.outbox_lane l SET lease_until = at + h.lease FROM claimed h
      WHERE l.tenant = h.tenant AND l.aggregate_type = h.kind AND l.aggregate_id = h.id AND l.lease_epoch = h.epoch
        AND l.lease_until IS NOT NULL
      RETURNING l.tenant, h.lane
    )
    SELECT h.tenant, h.lane FROM claimed h
    WHERE NOT EXISTS (SELECT FROM extended e WHERE e.tenant = h.tenant AND e.lane = h.lane);
END
$$;

-- What somebody must do every second or so: take back lanes whose lease expired. The event that was next has used an attempt;
-- with the last one it is dead. Answers with when the next lane is due, if any is waiting. One caller at a time works; others
-- only get the answer.
CREATE FUNCTION holdfast.tend_outbox(max_attempts integer, hold_dead boolean, at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  expired record;
  victim uuid;
  victim_type text;
  victim_trace text;
  probe uuid := '00000000-0000-0000-0000-000000000000';
  found_due timestamptz;
  soonest timestamptz;
BEGIN
  IF pg_try_advisory_xact_lock(hashtextextended('holdfast.tend_outbox', 0)) THEN
    FOR expired IN
      SELECT l.tenant, l.aggregate_type, l.aggregate_id, l.attempts, l.leased_by FROM holdfast.outbox_lane l
      WHERE l.lease_until IS NOT NULL AND l.lease_until < at LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED
    LOOP
      victim := NULL;
      IF expired.attempts >= max_attempts THEN
        UPDATE holdfast.outbox_event_live e
          SET status = 'dead', attempts = expired.attempts, last_error = 'lease_expired'
          WHERE e.tenant = expired.tenant AND e.id = (
            SELECT h.id FROM holdfast.outbox_event_live h
            WHERE h.tenant = expired.tenant AND h.aggregate_type = expired.aggregate_type
              AND h.aggregate_id = expired.aggregate_id AND h.status = 'pending'
            ORDER BY h.seq LIMIT 1)
          RETURNING e.id, e.event_type, e.trace_parent INTO victim, victim_type, victim_trace;
        INSERT INTO holdfast.workflow_event
          (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
          SELECT expired.tenant, 'outbox', victim, 'outbox.dead', 'system:janitor',
                 jsonb_build_object('type', victim_type, 'attempts', expired.attempts, 'error', 'lease_expired',
                                    'aggregate', expired.aggregate_type || '/' || expired.aggregate_id),
                 victim_trace, at
          WHERE victim IS NOT NULL;
      END IF;
      UPDATE holdfast.outbox_lane l
        SET lease_until = NULL, leased_by = NULL, held = victim IS NOT NULL AND hold_dead,
            attempts = CASE WHEN victim IS NULL THEN l.attempts ELSE 0 END,
            due_at = at + random() * least(power(2, l.attempts - 1), 60) * interval '0.5 s'
        WHERE l.tenant = expired.tenant AND l.aggregate_type = expired.aggregate_type
          AND l.aggregate_id = expired.aggregate_id;
    END LOOP;
  END IF;
  FOR number IN 1 .. 1000 LOOP
    SELECT l.tenant, l.due_at INTO probe, found_due FROM holdfast.outbox_lane l
      WHERE l.tenant > probe AND l.lease_until IS NULL AND NOT l.held ORDER BY l.tenant, l.due_at LIMIT 1;
    EXIT WHEN NOT FOUND;
    soonest := least(soonest, found_due);
  END LOOP;
  RETURN soonest;
END
$$;

-- ------------------------------------------------------------------------------------------------- tenants' functions

-- Sends an event again, whatever became of it: a dead one goes to the sinks that did not take it, a published one to all of
-- them, one that waits for its next attempt goes at once. Answers with what it was, or NULL when there is no such event.
CREATE FUNCTION holdfast.replay_event(wanted uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  kind text;
  aggregate text;
  was text;
BEGIN
  SELECT e.aggregate_type, e.aggregate_id, e.status INTO kind, aggregate, was FROM holdfast.outbox_event e
    WHERE e.tenant = own AND e.id = wanted FOR UPDATE;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  IF was = 'dead' THEN
    UPDATE holdfast.outbox_event_live e SET status = 'pending', attempts = 0 WHERE e.tenant = own AND e.id = wanted;
  ELSIF was = 'published' THEN
    WITH back AS (DELETE FROM holdfast.outbox_event_done e WHERE e.tenant = own AND e.id = wanted RETURNING e.*)
    INSERT INTO holdfast.outbox_event_live
      (tenant, id, seq, event_type, aggregate_type, aggregate_id, subject, payload, last_error, trace_parent, created_by,
       created_at)
    SELECT b.tenant, b.id, b.seq, b.event_type, b.aggregate_type, b.aggregate_id, b.subject, b.payload, b.last_error,
           b.trace_parent, b.created_by, b.created_at
    FROM back b;
  END IF;
  INSERT INTO holdfast.outbox_lane AS l (tenant, aggregate_type, aggregate_id, due_at) VALUES (own, kind, aggregate, at)
    ON CONFLICT (tenant, aggregate_type, aggregate_id) DO UPDATE
    SET held = false, due_at = least(l.due_at, excluded.due_at),
        attempts = CASE WHEN l.lease_until IS NULL THEN 0 ELSE l.attempts END;
  PERFORM pg_notify('holdfast_outbox', own::text);
  RETURN was;
END
$$;

-- Replays dead events, of one type or of all, oldest first; answers with which.
CREATE FUNCTION holdfast.replay_dead_events(wanted_type text, most integer, at timestamptz) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dead uuid;
BEGIN
  FOR dead IN
    SELECT e.id FROM holdfast.outbox_event_live e
    WHERE e.tenant = holdfast.transaction_tenant() AND e.status = 'dead'
      AND (wanted_type IS NULL OR e.event_type = wanted_type)
    ORDER BY e.id LIMIT most
  LOOP
    PERFORM holdfast.replay_event(dead, at);
    RETURN NEXT dead;
  END LOOP;
END
$$;

-- Lets the events after a dead one go on without it. It stays dead, and can still be replayed.
CREATE FUNCTION holdfast.skip_event(wanted uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  UPDATE holdfast.outbox_lane l SET held = false, due_at = at, attempts = 0
    FROM holdfast.outbox_event_live e
    WHERE e.tenant = own AND e.id = wanted AND e.status = 'dead' AND l.held
      AND l.tenant = own AND l.aggregate_type = e.aggregate_type AND l.aggregate_id = e.aggregate_id;
  IF FOUND THEN
    PERFORM pg_notify('holdfast_outbox', own::text);
    RETURN true;
  END IF;
  RETURN false;
END
$$;

-- ---------------------------------------------------------------------------------------------------------- grants

GRANT SELECT ON holdfast.outbox_event, holdfast.outbox_lane, holdfast.outbox_order TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.publish_events(uuid[], text[], text[], text[], text[], text[], text[], text, timestamptz),
  holdfast.publish_event(text, jsonb, text, text, text, text, text, timestamptz),
  holdfast.replay_event(uuid, timestamptz), holdfast.replay_dead_events(text, integer, timestamptz),
  holdfast.skip_event(uuid, timestamptz)
  TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.claim_outbox(text, integer, integer, interval, uuid, timestamptz),
  holdfast.settle_outbox(text, uuid[], text[], text[], bigint[], integer[], interval[], uuid[], text[], boolean[], text[],
                         integer[], uuid[], integer[], boolean, timestamptz),
  holdfast.heartbeat_outbox(uuid[], text[], bigint[], interval[], timestamptz),
  holdfast.tend_outbox(integer, boolean, timestamptz)
  TO holdfast_worker;

SELECT holdfast.create_partitions(now(), 3);
