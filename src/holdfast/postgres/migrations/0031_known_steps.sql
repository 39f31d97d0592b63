-- Steps wait for code that knows them, paused processes for their operator; lists are in the order things began, and an
-- instance says why it was rejected.
--
-- A step whose action, rule or node type the program at hand does not know is left open, and an event `take_step` is posted
-- for it that says what it needs. A worker claims such an event only if its own code has that, so whoever lacks it neither
-- fails the step nor comes back to it again and again.

ALTER TABLE holdfast.workflow_events_outbox ADD COLUMN needs text COLLATE "C" CHECK (length(needs) BETWEEN 1 AND 300);
COMMENT ON COLUMN holdfast.workflow_events_outbox.needs IS
  'What a worker must know to take it: action:‹name›, rule:‹name›, custom:‹node type›. NULL: any worker takes it.';
-- What nobody can take must not lie in the way of what anybody can.
DROP INDEX holdfast.workflow_events_outbox_due;
CREATE INDEX workflow_events_outbox_due ON holdfast.workflow_events_outbox (tenant, next_retry_at, created_at)
  WHERE status IN ('pending', 'failed') AND needs IS NULL;
CREATE INDEX workflow_events_outbox_needing ON holdfast.workflow_events_outbox (tenant, needs, next_retry_at, created_at)
  WHERE status IN ('pending', 'failed') AND needs IS NOT NULL;

-- Newest first is by the time an instance began: an id may be the caller's own, and then says nothing about time.
DROP INDEX holdfast.workflow_instances_alive;
CREATE INDEX workflow_instances_alive ON holdfast.workflow_instances (tenant, workflow_id, started_at, id)
  WHERE status IN ('running', 'paused');
CREATE INDEX workflow_instances_started ON holdfast.workflow_instances (tenant, started_at, id);

-- Why a document went back is read where its process stands, not only in the steps.
ALTER TABLE holdfast.workflow_instances ADD COLUMN rejection jsonb;
COMMENT ON COLUMN holdfast.workflow_instances.rejection IS
  'The latest decision against: node, by, reason, entity_version, at. Gone when a gate is passed after it.';
GRANT UPDATE (rejection) ON holdfast.workflow_instances TO holdfast_app;

-- Claims due events, the longest due first, at most `share` of each tenant; and as many of those that need something the
-- worker knows. Counting the attempt here means that an event that kills its worker runs out of attempts.
CREATE FUNCTION holdfast.claim_events(worker text, share integer, lease interval, at timestamptz, known text[])
RETURNS TABLE (
  tenant uuid, id uuid, created_at timestamptz, epoch bigint, instance_id uuid, entity_type text, entity_id uuid,
  entity_version integer, definition_version integer, event_type text, payload text, actor text, trace_id text,
  attempts integer, max_attempts integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH picked AS MATERIALIZED (
      SELECT o.leaf, o.place FROM holdfast.tenants t CROSS JOIN LATERAL (
        SELECT x.tableoid AS leaf, x.ctid AS place FROM holdfast.workflow_events_outbox x
        WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs IS NULL AND x.next_retry_at <= at
        ORDER BY x.next_retry_at, x.created_at LIMIT share FOR UPDATE SKIP LOCKED) o
      UNION ALL
      SELECT o.leaf, o.place FROM (
        -- Few tenants have any; the others are not asked for everything the worker knows.
        SELECT x.tenant FROM holdfast.tenants x WHERE EXISTS (
          SELECT FROM holdfast.workflow_events_outbox w
          WHERE w.tenant = x.tenant AND w.status IN ('pending', 'failed') AND w.needs IS NOT NULL) OFFSET 0) t
      CROSS JOIN LATERAL (
        SELECT n.leaf, n.place FROM unnest(known) k (name) CROSS JOIN LATERAL (
          SELECT x.tableoid AS leaf, x.ctid AS place FROM holdfast.workflow_events_outbox x
          WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs = k.name AND x.next_retry_at <= at
          ORDER BY x.next_retry_at, x.created_at LIMIT share FOR UPDATE SKIP LOCKED) n
        LIMIT share) o
    )
    UPDATE holdfast.workflow_events_outbox u
      SET status = 'processing', attempts = u.attempts + 1, lease_epoch = u.lease_epoch + 1, lease_until = at + lease,
          leased_by = worker
      FROM picked p WHERE u.tableoid = p.leaf AND u.ctid = p.place -- locked above, so it stays in its place
      RETURNING u.tenant, u.id, u.created_at, u.lease_epoch, u.instance_id, u.entity_type, u.entity_id, u.entity_version,
                u.definition_version, u.event_type, u.payload_json::text, u.actor::text, u.trace_id, u.attempts,
                u.max_attempts;
END
$$;

-- For workers of the version before, which know of nothing that they could say.
CREATE OR REPLACE FUNCTION holdfast.claim_events(worker text, share integer, lease interval, at timestamptz)
RETURNS TABLE (
  tenant uuid, id uuid, created_at timestamptz, epoch bigint, instance_id uuid, entity_type text, entity_id uuid,
  entity_version integer, definition_version integer, event_type text, payload text, actor text, trace_id text,
  attempts integer, max_attempts integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  RETURN QUERY SELECT * FROM holdfast.claim_events(worker, share, lease, at, '{}'::text[]);
END
$$;

-- Posts events for the engine, each at most once (WF-11); answers how many are new.
CREATE OR REPLACE FUNCTION holdfast.post_events(given jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  posted integer;
BEGIN
  WITH event AS (
    SELECT * FROM jsonb_to_recordset(given) n (
      id uuid, instance_id uuid, entity_type text, entity_id uuid, entity_version integer, definition_version integer,
      event_type text, payload jsonb, key text, actor jsonb, trace_id text, needs text)
  ), receipt AS (
    INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
    SELECT own, e.instance_id, 'events', e.key, at FROM event e ON CONFLICT DO NOTHING
    RETURNING workflow_outbox_receipts.instance_id, event_idempotency_key
  )
  INSERT INTO holdfast.workflow_events_outbox
    (tenant, created_at, id, instance_id, entity_type, entity_id, entity_version, definition_version, event_type,
     payload_json, event_idempotency_key, actor, trace_id, next_retry_at, needs)
    SELECT own, at, e.id, e.instance_id, e.entity_type, e.entity_id, e.entity_version, e.definition_version, e.event_type,
           e.payload, e.key, e.actor, e.trace_id, at, e.needs
    FROM event e JOIN receipt r ON r.instance_id = e.instance_id AND r.event_idempotency_key = e.key;
  GET DIAGNOSTICS posted = ROW_COUNT;
  IF posted > 0 THEN
    PERFORM pg_notify('holdfast_processes', own::text);
  END IF;
  RETURN posted;
END
$$;

-- Offers events to every worker again, whatever they need: those of an instance, or those that need one thing.
CREATE FUNCTION holdfast.offer_events(instance uuid, needed text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_events_outbox o SET needs = NULL, next_retry_at = at
    WHERE o.tenant = holdfast.transaction_tenant() AND o.status IN ('pending', 'failed') AND o.needs IS NOT NULL
      AND (instance IS NULL OR o.instance_id = instance) AND (needed IS NULL OR o.needs = needed);
  IF FOUND THEN
    PERFORM pg_notify('holdfast_processes', holdfast.transaction_tenant()::text);
  END IF;
END
$$;

-- What time has brought: events whose worker died come back or are buried, timers and timeouts become events, each once.
-- A paused instance has no time: what became due meanwhile is found when it is resumed. Answers with the earliest time at
-- which there is more to do.
CREATE OR REPLACE FUNCTION holdfast.tend_events(at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  row record;
  due text;
  mark text;
  soonest timestamptz;
BEGIN
  UPDATE holdfast.workflow_events_outbox o
    SET status = CASE WHEN o.attempts < o.max_attempts THEN 'failed' ELSE 'dead_letter' END, next_retry_at = at,
        lease_until = NULL, leased_by = NULL, error = coalesce(o.error, 'the worker stopped in the middle')
    FROM holdfast.tenants t
    WHERE o.tenant = t.tenant AND o.status = 'processing' AND o.lease_until <= at;
  FOR row IN
    SELECT i.tenant, i.id, i.entity_type, i.entity_id, i.entity_version, i.timeout_at, i.trace_id
    FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT x.* FROM holdfast.workflow_instances x
      WHERE x.tenant = t.tenant AND x.status IN ('running', 'paused') AND x.timeout_at <= at
        AND x.held_at IS NULL AND x.timer_sent_for IS DISTINCT FROM x.timeout_at
      ORDER BY x.timeout_at LIMIT 500 FOR UPDATE SKIP LOCKED) i
  LOOP
    -- The key is that of WF-11, written here by hand: canonical JSON of so little is easy.
    due := to_char(row.timeout_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"');
    mark := encode(sha256(convert_to(format('{"due":"%s"}', due), 'UTF8')), 'hex');
    mark := encode(sha256(convert_to(format('["%s","on_timer","%s",%s]', row.id, mark, row.entity_version), 'UTF8')), 'hex');
    INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
      VALUES (row.tenant, row.id, 'events', mark, at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO holdfast.workflow_events_outbox
        (tenant, created_at, id, instance_id, entity_type, entity_id, entity_version, event_type, payload_json,
         event_idempotency_key, actor, trace_id, next_retry_at)
        VALUES (row.tenant, at, gen_random_uuid(), row.id, row.entity_type, row.entity_id, row.entity_version, 'on_timer',
                jsonb_build_object('due', due), mark, '{"kind": "system", "name": "process"}', row.trace_id, at);
      PERFORM pg_notify('holdfast_processes', row.tenant::text);
    END IF;
    UPDATE holdfast.workflow_instances i SET timer_sent_for = row.timeout_at WHERE i.tenant = row.tenant AND i.id = row.id;
  END LOOP;
  SELECT min(next) INTO soonest FROM (
    SELECT (SELECT x.timeout_at FROM holdfast.workflow_instances x
            WHERE x.tenant = t.tenant AND x.status IN ('running', 'paused') AND x.timeout_at > at AND x.held_at IS NULL
            ORDER BY x.timeout_at LIMIT 1) AS next FROM holdfast.tenants t
    UNION ALL
    SELECT (SELECT x.next_retry_at FROM holdfast.workflow_events_outbox x
            WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs IS NULL AND x.next_retry_at > at
            ORDER BY x.next_retry_at LIMIT 1) FROM holdfast.tenants t
    UNION ALL
    SELECT (SELECT x.next_at FROM holdfast.workflow_triggers x
            WHERE x.tenant = t.tenant AND x.enabled AND x.trigger_type = 'on_timer' ORDER BY x.next_at LIMIT 1)
    FROM holdfast.tenants t) every_tenant;
  RETURN soonest;
END
$$;

GRANT EXECUTE ON FUNCTION holdfast.offer_events(uuid, text, timestamptz) TO holdfast_app;
GRANT EXECUTE ON FUNCTION holdfast.claim_events(text, integer, interval, timestamptz, text[]) TO holdfast_worker;
