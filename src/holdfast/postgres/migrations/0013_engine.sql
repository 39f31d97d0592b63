-- The engine: how processes advance, and what lets them.
--
-- Model
--   workflow_run_wait  steps that wait for a run to finish
--
-- An advance is two calls: `open_instances` takes the locks and reads, `write_advance` writes whatever followed: receipts
-- first, then rows of steps, then the projection; all of it or, when a receipt is there already, nothing (WF-02, WF-14).
-- What workers do beside that looks across tenants: claim, give back, bury, and make events of time that has passed.

CREATE TABLE holdfast.workflow_run_wait (
  tenant          uuid NOT NULL,
  run_id          uuid NOT NULL,
  instance_id     uuid NOT NULL,
  token_id        text NOT NULL,
  step_key        text COLLATE "C" NOT NULL CHECK (step_key ~ '^[0-9a-f]{64}$'),
  entity_version  integer NOT NULL,
  PRIMARY KEY (tenant, run_id, step_key)
);
CREATE INDEX workflow_run_wait_instance ON holdfast.workflow_run_wait (tenant, instance_id);
SELECT holdfast.protect_tenant_table('holdfast.workflow_run_wait');

-- An advance touches its instance once. Without updated_at in an index it touches no index at all (a heap-only update), as
-- long as the status stays; ids are made in the order of time, and serve for lists as well.
DROP INDEX holdfast.workflow_instances_status;
CREATE INDEX workflow_instances_status ON holdfast.workflow_instances (tenant, status, id);

-- The process of a document, whatever its type.
CREATE INDEX workflow_instances_document ON holdfast.workflow_instances (tenant, entity_id, id) WHERE entity_id IS NOT NULL;

-- ------------------------------------------------------------------------------------------------- reading and writing

-- WF-01: whoever holds this lock is the only writer of the instance until the transaction ends.
CREATE FUNCTION holdfast.lock_instance(instance uuid) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(instance::text, 0));
END
$$;

-- Takes the locks of some instances, in the order of their ids, and reads them as they are then: a statement that took the
-- lock and read in one would read what was there before it waited. With patience false, instances that somebody else holds
-- are left out.
CREATE FUNCTION holdfast.open_instances(ids uuid[], patience boolean)
RETURNS TABLE (
  id uuid, status text, version integer, definition_id uuid, definition_version integer, compiled_hash text,
  entity_type text, entity_id uuid, created_by text, trace_id text, held boolean, state text, active_tokens text,
  document_version integer, doc_status text, content_hash text, version_id uuid, document_by text, document text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  i holdfast.workflow_instances;
  e holdfast.entities;
BEGIN
  FOR id IN SELECT DISTINCT wanted FROM unnest(ids) wanted ORDER BY wanted LOOP
    IF patience THEN
      PERFORM pg_advisory_xact_lock(hashtextextended(id::text, 0));
    ELSIF NOT pg_try_advisory_xact_lock(hashtextextended(id::text, 0)) THEN
      CONTINUE;
    END IF;
    -- One look-up by primary key after the other: in a join the planner might rather read all documents of the tenant.
    SELECT * INTO i FROM holdfast.workflow_instances x WHERE x.tenant = own AND x.id = open_instances.id;
    status := i.status; version := i.version; definition_id := i.definition_id;
    definition_version := i.definition_version; compiled_hash := i.compiled_hash; entity_type := i.entity_type;
    entity_id := i.entity_id; created_by := i.created_by; trace_id := i.trace_id; held := i.held_at IS NOT NULL;
    state := i.state::text; active_tokens := i.active_tokens::text;
    document_version := NULL; doc_status := NULL; content_hash := NULL; version_id := NULL; document_by := NULL;
    document := NULL;
    IF i.entity_id IS NOT NULL THEN
      SELECT * INTO e FROM holdfast.entities x WHERE x.tenant = own AND x.id = i.entity_id;
      document_version := e.entity_version; doc_status := e.doc_status; content_hash := e.content_hash;
      version_id := e.version_id; document_by := e.created_by; document := e.data::text;
      IF document IS NULL THEN
        SELECT x.data::text INTO document FROM holdfast.entity_versions x WHERE x.tenant = own AND x.id = e.version_id;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

-- Writes what followed from a happening. Each argument is a JSON array, NULL when there is nothing of its kind:
--   steps     rows of steps that are new; each needs its receipt, and a join that fires needs one more (WF-16)
--   settled   what became of steps that were open
--   statuses  documents that come to another status
--   opened    instances that begin
--   moved     instances whose projection changes, with the version that was read
--   trail     audit events
--   events    transitions of documents, posted when a trigger waits for such
--   done      outbox events that are done with this
-- A receipt that is there already, an open step that is not, another version than was read: nothing at all is written.
CREATE FUNCTION holdfast.write_advance(
  steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, done jsonb,
  at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  wanted integer;
  written integer;
  one record;
BEGIN
  IF opened IS NOT NULL THEN
    INSERT INTO holdfast.workflow_instances
      (tenant, id, definition_id, definition_version, compiled_hash, entity_type, entity_id, entity_version, status, state,
       active_tokens, current_nodes, context_json, doc_status, edit_window, timeout_at, reason, partition_id, subject_id,
       created_by, trace_id, amended_from_instance, last_step_execution_id, started_at, created_at, updated_at,
       completed_at)
      SELECT own, n.id, n.definition_id, n.definition_version, n.compiled_hash, n.entity_type, n.entity_id,
             n.entity_version, n.status, n.state, n.active_tokens, n.current_nodes, n.context_json, n.doc_status,
             n.edit_window, n.timeout_at, n.reason, coalesce(n.partition_id, ''), n.subject_id, n.created_by, n.trace_id,
             n.amended_from_instance, n.last_step_execution_id, at, at, at, n.completed_at
      FROM jsonb_to_recordset(opened) n (
        id uuid, definition_id uuid, definition_version integer, compiled_hash text, entity_type text, entity_id uuid,
        entity_version integer, status text, state jsonb, active_tokens jsonb, current_nodes text[], context_json jsonb,
        doc_status text, edit_window text, timeout_at timestamptz, reason text, partition_id text, subject_id text,
        created_by text, trace_id text, amended_from_instance uuid, last_step_execution_id uuid, completed_at timestamptz);
  END IF;
  IF steps IS NOT NULL THEN
    -- Receipts first, and all of them, before anything is written for a step (WF-14).
    WITH wanted_receipt AS MATERIALIZED (
      SELECT n.instance_id, r.key, n.id
      FROM jsonb_to_recordset(steps) n (instance_id uuid, key text, id uuid, join_key text)
      CROSS JOIN LATERAL unnest(ARRAY[n.key, n.join_key]) r (key)
      WHERE r.key IS NOT NULL
    ), inserted AS (
      INSERT INTO holdfast.workflow_step_receipts (tenant, instance_id, idempotency_key, step_execution_id, created_at)
      SELECT own, r.instance_id, r.key, r.id, at FROM wanted_receipt r
      ON CONFLICT DO NOTHING RETURNING 1
    )
    SELECT (SELECT count(*) FROM wanted_receipt), (SELECT count(*) FROM inserted) INTO wanted, written;
    IF written < wanted THEN
      RAISE EXCEPTION 'a step was about to be done that has been done before'
        USING ERRCODE = 'HF010', HINT = 'the projection is behind its steps: rebuild it';
    END IF;
    INSERT INTO holdfast.workflow_step_executions
      (tenant, created_at, id, instance_id, node_id, node_type, token_id, entity_version, status, outcome, run_as,
       idempotency_key, started_at, completed_at, duration_ms, input_json, output_json, error, actor_user_id, acted_as,
       applied, snapshot_version_id, resume_at, waiting_for_event_key, join_key, origin, opened_seq, settled_seq, waited,
       settled_by, opened_output, trace_id)
      SELECT own, n.opened_at, n.id, n.instance_id, n.node, n.node_type, n.token, n.entity_version, n.status, n.outcome,
             n.run_as, n.key, n.opened_at, n.completed_at,
             (extract(epoch FROM n.completed_at - n.opened_at) * 1000)::bigint::integer, n.input, n.output, n.error,
             n.opened_by, n.acted_as, n.applied, n.snapshot, n.resume_at, n.event_key, n.join_key, n.origin, n.opened_seq,
             n.settled_seq, n.waited, n.settled_by, n.opened_output, n.trace_id
      FROM jsonb_to_recordset(steps) n (
        opened_at timestamptz, id uuid, instance_id uuid, node text, node_type text, token text, entity_version integer,
        status text, outcome text, run_as text, key text, completed_at timestamptz, input jsonb, output jsonb, error jsonb,
        opened_by text, acted_as text, applied boolean, snapshot uuid, resume_at timestamptz, event_key text, join_key text,
        origin text, opened_seq integer, settled_seq integer, waited text, settled_by text, opened_output jsonb,
        trace_id text);
  END IF;
  -- Rows that are there already are found one by one, by their whole key. In a join with the JSON the planner, before it has
  -- statistics, would as soon read everything the tenant has.
  IF settled IS NOT NULL THEN
    FOR one IN SELECT * FROM jsonb_to_recordset(settled) x (
      id uuid, opened_at timestamptz, status text, outcome text, completed_at timestamptz, output jsonb, error jsonb,
      settled_seq integer, settled_by text)
    LOOP
      UPDATE holdfast.workflow_step_executions s
        SET status = one.status, outcome = one.outcome, completed_at = one.completed_at, output_json = one.output, error = one.error,
            settled_seq = one.settled_seq, settled_by = one.settled_by,
            duration_ms = least(2147483647, extract(epoch FROM one.completed_at - s.created_at) * 1000)::bigint::integer
        WHERE s.tenant = own AND s.created_at = one.opened_at AND s.id = one.id AND s.settled_seq IS NULL;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'a step was about to be ended that is not open'
          USING ERRCODE = 'HF010', HINT = 'the projection is behind its steps: rebuild it';
      END IF;
    END LOOP;
  END IF;
  IF statuses IS NOT NULL THEN
    FOR one IN SELECT * FROM jsonb_to_recordset(statuses) x (id uuid, doc_status text, actor text) LOOP
      UPDATE holdfast.entities e SET doc_status = one.doc_status, updated_at = at, updated_by = one.actor
        WHERE e.tenant = own AND e.id = one.id AND e.doc_status <> one.doc_status;
    END LOOP;
  END IF;
  IF moved IS NOT NULL THEN
    FOR one IN SELECT * FROM jsonb_to_recordset(moved) x (
      id uuid, read_version integer, status text, state jsonb, active_tokens jsonb, current_nodes text[],
      context_json jsonb, entity_version integer, doc_status text, edit_window text, timeout_at timestamptz, reason text,
      last_step_execution_id uuid, completed_at timestamptz)
    LOOP
      UPDATE holdfast.workflow_instances i
        SET status = CASE WHEN i.held_at IS NOT NULL AND one.status = 'running' THEN 'paused' ELSE one.status END,
            state = one.state, active_tokens = one.active_tokens, current_nodes = one.current_nodes,
            context_json = one.context_json, entity_version = one.entity_version, doc_status = one.doc_status,
            edit_window = one.edit_window, timeout_at = one.timeout_at, reason = one.reason, version = i.version + 1,
            last_step_execution_id = one.last_step_execution_id, completed_at = one.completed_at, updated_at = at
        WHERE i.tenant = own AND i.id = one.id AND i.version = one.read_version;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the instance was advanced by somebody else'
          USING ERRCODE = 'HF011', HINT = 'read it again and decide anew';
      END IF;
    END LOOP;
  END IF;
  IF trail IS NOT NULL THEN
    INSERT INTO holdfast.workflow_event
      (tenant, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at)
      SELECT own, n.object_kind, n.object_id, n.event_type, n.actor, n.step_id, n.data, n.trace_id, at
      FROM jsonb_to_recordset(trail) n (
        object_kind text, object_id uuid, event_type text, actor text, step_id text, data jsonb, trace_id text);
  END IF;
  IF events IS NOT NULL AND EXISTS (
    SELECT FROM holdfast.workflow_triggers g
    WHERE g.tenant = own AND g.enabled AND g.trigger_type = 'on_lifecycle_transition') THEN
    PERFORM holdfast.post_events(events, at);
  END IF;
  IF done IS NOT NULL THEN
    FOR one IN SELECT * FROM jsonb_to_recordset(done) x (id uuid, created_at timestamptz, epoch bigint, note text) LOOP
      UPDATE holdfast.workflow_events_outbox o
        SET status = 'completed', completed_at = at, lease_until = NULL, leased_by = NULL, error = one.note
        WHERE o.tenant = own AND o.created_at = one.created_at AND o.id = one.id AND o.lease_epoch = one.epoch
          AND o.lease_until IS NOT NULL;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'the outbox event is no longer ours' USING ERRCODE = 'HF012', HINT = 'another worker has it';
      END IF;
    END LOOP;
  END IF;
END
$$;

-- Posts events for the engine, each at most once (WF-11); answers how many are new.
CREATE FUNCTION holdfast.post_events(given jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  posted integer;
BEGIN
  WITH event AS (
    SELECT * FROM jsonb_to_recordset(given) n (
      id uuid, instance_id uuid, entity_type text, entity_id uuid, entity_version integer, definition_version integer,
      event_type text, payload jsonb, key text, actor jsonb, trace_id text)
  ), receipt AS (
    INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
    SELECT own, e.instance_id, 'events', e.key, at FROM event e ON CONFLICT DO NOTHING
    RETURNING workflow_outbox_receipts.instance_id, event_idempotency_key
  )
  INSERT INTO holdfast.workflow_events_outbox
    (tenant, created_at, id, instance_id, entity_type, entity_id, entity_version, definition_version, event_type,
     payload_json, event_idempotency_key, actor, trace_id, next_retry_at)
    SELECT own, at, e.id, e.instance_id, e.entity_type, e.entity_id, e.entity_version, e.definition_version, e.event_type,
           e.payload, e.key, e.actor, e.trace_id, at
    FROM event e JOIN receipt r ON r.instance_id = e.instance_id AND r.event_idempotency_key = e.key;
  GET DIAGNOSTICS posted = ROW_COUNT;
  IF posted > 0 THEN
    PERFORM pg_notify('holdfast_processes', own::text);
  END IF;
  RETURN posted;
END
$$;

-- ------------------------------------------------------------------------------------------------------ events outside

-- Keeps an event from outside. Whoever is about to wait for its key waits for us here, or we for them, so that it cannot
-- fall between: either we see the waiting step, or the step sees the event. Answers NULL when its source told it before.
CREATE FUNCTION holdfast.lock_event_key(key text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(holdfast.transaction_tenant()::text || ':' || key, 1));
END
$$;

-- ------------------------------------------------------------------------------------------------ looking across tenants

-- Claims due events, the longest due first, at most `share` of each tenant. Counting the attempt here means that an event
-- that kills its worker runs out of attempts.
CREATE FUNCTION holdfast.claim_events(worker text, share integer, lease interval, at timestamptz)
RETURNS TABLE (
  tenant uuid, id uuid, created_at timestamptz, epoch bigint, instance_id uuid, entity_type text, entity_id uuid,
  entity_version integer, definition_version integer, event_type text, payload text, actor text, trace_id text,
  attempts integer, max_attempts integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  -- Marked one by one, by the whole key: in a join the planner, before it has statistics, would as soon read them all.
  FOR tenant, created_at, id IN
    SELECT o.tenant, o.created_at, o.id FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_events_outbox x
      WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.next_retry_at <= at
      ORDER BY x.next_retry_at, x.created_at LIMIT share FOR UPDATE SKIP LOCKED) o
  LOOP
    UPDATE holdfast.workflow_events_outbox u
      SET status = 'processing', attempts = u.attempts + 1, lease_epoch = u.lease_epoch + 1, lease_until = at + lease,
          leased_by = worker
      WHERE u.tenant = claim_events.tenant AND u.created_at = claim_events.created_at AND u.id = claim_events.id
      RETURNING u.lease_epoch, u.instance_id, u.entity_type, u.entity_id, u.entity_version, u.definition_version,
                u.event_type, u.payload_json::text, u.actor::text, u.trace_id, u.attempts, u.max_attempts
      INTO epoch, instance_id, entity_type, entity_id, entity_version, definition_version, event_type, payload, actor,
           trace_id, attempts, max_attempts;
    RETURN NEXT;
  END LOOP;
END
$$;

-- Hands events back: after `delay`, with the attempt given back where it did not count; or as a dead letter.
CREATE FUNCTION holdfast.release_events(given jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  released integer := 0;
  each record;
BEGIN
  FOR each IN
    SELECT * FROM jsonb_to_recordset(given) x (
      tenant uuid, id uuid, created_at timestamptz, epoch bigint, delay interval, counted boolean, buried boolean, error text)
  LOOP
    UPDATE holdfast.workflow_events_outbox o
      SET status = CASE WHEN each.buried THEN 'dead_letter' WHEN each.counted THEN 'failed' ELSE 'pending' END,
          attempts = o.attempts - CASE WHEN each.counted THEN 0 ELSE 1 END,
          next_retry_at = at + each.delay, lease_until = NULL, leased_by = NULL, error = coalesce(each.error, o.error)
      WHERE o.tenant = each.tenant AND o.created_at = each.created_at AND o.id = each.id AND o.lease_epoch = each.epoch
        AND o.lease_until IS NOT NULL;
    released := released + CASE WHEN FOUND THEN 1 ELSE 0 END;
  END LOOP;
  RETURN released;
END
$$;

-- Extends what is being worked on; answers with what is no longer ours.
CREATE FUNCTION holdfast.heartbeat_events(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, status text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH held AS (
      SELECT * FROM unnest(tenants, ids, epochs, leases) h (tenant, id, epoch, lease)
    ), extended AS (
      UPDATE holdfast.workflow_events_outbox o SET lease_until = at + h.lease FROM held h
      WHERE o.tenant = h.tenant AND o.id = h.id AND o.lease_epoch = h.epoch AND o.status = 'processing'
      RETURNING o.tenant, o.id
    )
    SELECT h.tenant, h.id, NULL::text FROM held h
    WHERE NOT EXISTS (SELECT FROM extended e WHERE e.tenant = h.tenant AND e.id = h.id);
END
$$;

-- What time has brought: events whose worker died come back or are buried, timers and timeouts become events, each once.
-- Answers with the earliest time at which there is more to do.
CREATE FUNCTION holdfast.tend_events(at timestamptz) RETURNS timestamptz
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
        AND x.timer_sent_for IS DISTINCT FROM x.timeout_at
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
            WHERE x.tenant = t.tenant AND x.status IN ('running', 'paused') AND x.timeout_at > at
            ORDER BY x.timeout_at LIMIT 1) AS next FROM holdfast.tenants t
    UNION ALL
    SELECT (SELECT x.next_retry_at FROM holdfast.workflow_events_outbox x
            WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.next_retry_at > at
            ORDER BY x.next_retry_at LIMIT 1) FROM holdfast.tenants t
    UNION ALL
    SELECT (SELECT x.next_at FROM holdfast.workflow_triggers x
            WHERE x.tenant = t.tenant AND x.enabled AND x.trigger_type = 'on_timer' ORDER BY x.next_at LIMIT 1)
    FROM holdfast.tenants t) every_tenant;
  RETURN soonest;
END
$$;

-- A plan that was made while a table was as good as empty cannot tell its indexes apart, and is kept until there are
-- statistics. Autovacuum takes a minute to come by; at full speed, in a new database or a new month, that is long. So a
-- table that has grown to some pages, and fourfold since it was last counted, is analyzed. Answers how many there were.
CREATE FUNCTION holdfast.first_statistics() RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  leaf regclass;
  made integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('holdfast.statistics', 0)) THEN
    RETURN 0;
  END IF;
  FOR leaf IN
    SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind = 'r'
      AND pg_relation_size(c.oid) > greatest(16, 4 * c.relpages) * current_setting('block_size')::bigint
    ORDER BY c.oid
  LOOP
    EXECUTE format('ANALYZE %s', leaf);
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;

-- Schedules that are due. Each is moved on by who starts it, in the transaction that does (see start_scheduled).
CREATE FUNCTION holdfast.due_triggers(at timestamptz) RETURNS TABLE (tenant uuid, id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT g.tenant, g.id FROM holdfast.tenants t JOIN holdfast.workflow_triggers g ON g.tenant = t.tenant
    WHERE g.enabled AND g.trigger_type = 'on_timer' AND g.next_at <= at;
END
$$;

-- A run that a step waits for has finished. Only runs that a process enqueued come here; others cost nothing.
CREATE FUNCTION holdfast.run_finished() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wait holdfast.workflow_run_wait;
  mark text;
BEGIN
  FOR wait IN DELETE FROM holdfast.workflow_run_wait w WHERE w.tenant = NEW.tenant AND w.run_id = NEW.id RETURNING w.* LOOP
    mark := encode(sha256(convert_to(
      format('{"key":"%s","run_id":"%s","token":"%s"}', wait.step_key, NEW.id, wait.token_id), 'UTF8')), 'hex');
    mark := encode(sha256(convert_to(
      format('["%s","run_finished","%s",%s]', wait.instance_id, mark, wait.entity_version), 'UTF8')), 'hex');
    INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
      VALUES (NEW.tenant, wait.instance_id, 'events', mark, NEW.finished_at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO holdfast.workflow_events_outbox
        (tenant, created_at, id, instance_id, entity_version, event_type, payload_json, event_idempotency_key, actor,
         trace_id, next_retry_at)
        VALUES (NEW.tenant, NEW.finished_at, gen_random_uuid(), wait.instance_id, wait.entity_version, 'run_finished',
                jsonb_build_object('key', wait.step_key, 'run_id', NEW.id, 'token', wait.token_id), mark,
                '{"kind": "system", "name": "process"}', NEW.trace_parent, NEW.finished_at);
      PERFORM pg_notify('holdfast_processes', NEW.tenant::text);
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER run_finished AFTER INSERT ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (NEW.created_by = 'system:process') EXECUTE FUNCTION holdfast.run_finished();

-- Events from outside that expired before a time.
CREATE FUNCTION holdfast.drop_expired_events(before timestamptz, at_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dropped bigint;
BEGIN
  DELETE FROM holdfast.workflow_inbound_events e USING (
    SELECT x.tenant, x.id FROM holdfast.workflow_inbound_events x WHERE x.expires_at < before LIMIT at_most) old
    WHERE e.tenant = old.tenant AND e.id = old.id;
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END
$$;

-- Outbox rows that are done with for long. Dead letters stay until somebody looks at them.
CREATE FUNCTION holdfast.prune_outboxes(before timestamptz, at_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  pruned bigint;
BEGIN
  WITH events AS (
    DELETE FROM holdfast.workflow_events_outbox o USING (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_events_outbox x
      WHERE x.created_at < before AND x.status = 'completed' LIMIT at_most) old
    WHERE o.tenant = old.tenant AND o.created_at = old.created_at AND o.id = old.id RETURNING 1
  ), effects AS (
    DELETE FROM holdfast.workflow_side_effects_outbox o USING (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_side_effects_outbox x
      WHERE x.created_at < before AND x.status IN ('completed', 'cancelled') LIMIT at_most) old
    WHERE o.tenant = old.tenant AND o.created_at = old.created_at AND o.id = old.id RETURNING 1
  )
  SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM effects) INTO pruned;
  RETURN pruned;
END
$$;

-- What was posted for an instance while it was paused is due at once.
CREATE FUNCTION holdfast.wake_events(instance uuid, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_events_outbox o SET next_retry_at = at
    WHERE o.tenant = holdfast.transaction_tenant() AND o.instance_id = instance AND o.status IN ('pending', 'failed');
  PERFORM pg_notify('holdfast_processes', holdfast.transaction_tenant()::text);
END
$$;

-- An operator lets a dead letter be tried again, with as many attempts as it had.
CREATE FUNCTION holdfast.replay_process_event(wanted uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  replayed boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  UPDATE holdfast.workflow_events_outbox o
    SET status = 'pending', attempts = 0, next_retry_at = at
    WHERE o.tenant = holdfast.transaction_tenant() AND o.id = wanted AND o.status = 'dead_letter';
  replayed := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  IF replayed THEN
    PERFORM pg_notify('holdfast_processes', holdfast.transaction_tenant()::text);
  END IF;
  RETURN replayed;
END
$$;

-- ------------------------------------------------------------------------------------------------------------- grants

GRANT SELECT, INSERT ON holdfast.workflow_run_wait TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.transaction_tenant(), holdfast.lock_instance(uuid), holdfast.open_instances(uuid[], boolean),
  holdfast.lock_event_key(text),
  holdfast.write_advance(jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, jsonb, timestamptz),
  holdfast.post_events(jsonb, timestamptz), holdfast.replay_process_event(uuid, timestamptz),
  holdfast.wake_events(uuid, timestamptz)
  TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.claim_events(text, integer, interval, timestamptz), holdfast.release_events(jsonb, timestamptz),
  holdfast.heartbeat_events(uuid[], uuid[], bigint[], interval[], timestamptz), holdfast.tend_events(timestamptz),
  holdfast.first_statistics(), holdfast.due_triggers(timestamptz), holdfast.drop_expired_events(timestamptz, integer),
  holdfast.prune_outboxes(timestamptz, integer)
  TO holdfast_worker;
