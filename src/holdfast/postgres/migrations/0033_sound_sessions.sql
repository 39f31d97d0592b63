-- Sessions that never wait for nobody, whose messages have the shape of their type, and whose large outputs are elsewhere.
--
-- Model
--   workflow_sessions.output_reference  where an output of 100 MB or more is, with its SHA-256 and its size; output_data is NULL then
--   session_outputs                     objects that were, or may have been, written there; a row is older than its object
--   session_messages.content            has the members of its type, each of its kind; others may be added
--
-- An object that nothing names any more is deleted by a run of type session.discard.v1, enqueued in the transaction that
-- forgets it: with its session, or when its session ends without it. The latter waits for an hour, because an attempt that
-- was taken over may still be writing.

-- --------------------------------------------------------------------------------------------------------- waiting

-- The graph asked: open its prompts, tell of them, and wait. A prompt that was asked before, by an attempt that was lost,
-- is not told again. What the graph shows stands beside the prompt's id, and cannot take its place. Without an open prompt
-- there is nobody to wait for.
CREATE OR REPLACE FUNCTION holdfast.wait_for_input(
  for_tenant uuid, session uuid, run uuid, epoch bigint, ids text[], contents text[], schemas text[], lifetimes interval[],
  at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  due timestamptz;
  told jsonb[];
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN 'lost';
  END IF;
  IF EXISTS (SELECT FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = session AND s.interrupted) THEN
    RETURN 'more';
  END IF;
  WITH opened AS (
    INSERT INTO holdfast.session_prompts AS p
      (tenant, workflow_session_id, prompt_id, content, response_schema, opened_at, expires_at)
      SELECT for_tenant, session, n.id, n.content::jsonb, n.schema::jsonb, at, at + n.lifetime
      FROM unnest(ids, contents, schemas, lifetimes) n (id, content, schema, lifetime)
      ON CONFLICT (tenant, workflow_session_id, prompt_id) DO UPDATE
        SET status = 'open', closed_at = NULL, opened_at = excluded.opened_at, expires_at = excluded.expires_at
        WHERE p.status = 'withdrawn'
      RETURNING p.prompt_id, p.content, p.response_schema, p.expires_at
  )
  SELECT min(o.expires_at), array_agg(
      o.content || jsonb_strip_nulls(jsonb_build_object('id', o.prompt_id, 'response_schema', o.response_schema,
                                                        'expires_at', o.expires_at)))
    INTO due, told FROM opened o;
  IF NOT EXISTS (SELECT FROM holdfast.session_prompts p
                 WHERE p.tenant = for_tenant AND p.workflow_session_id = session AND p.status = 'open') THEN
    RETURN 'unasked';
  END IF;
  UPDATE holdfast.workflow_sessions s SET status = 'waiting_for_input' WHERE s.tenant = for_tenant AND s.id = session;
  IF told IS NOT NULL THEN
    PERFORM holdfast.add_messages(
      for_tenant, session, array_fill('workflow_waiting_for_input'::text, ARRAY[cardinality(told)]), told, at);
  END IF;
  IF due IS NOT NULL THEN
    PERFORM holdfast.enqueue_expiry(for_tenant, session, due, at);
  END IF;
  RETURN 'waiting';
END
$$;

-- At the end of every transaction: a session that waits asks somebody. Deferred, because prompts and their session change
-- one after the other.
CREATE FUNCTION holdfast.check_waiting() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  session uuid;
BEGIN
  IF TG_TABLE_NAME = 'workflow_sessions' THEN
    session := NEW.id;
  ELSE
    session := OLD.workflow_session_id;
  END IF;
  IF EXISTS (SELECT FROM holdfast.workflow_sessions s
             WHERE s.tenant = OLD.tenant AND s.id = session AND s.status = 'waiting_for_input')
     AND NOT EXISTS (SELECT FROM holdfast.session_prompts p
                     WHERE p.tenant = OLD.tenant AND p.workflow_session_id = session AND p.status = 'open') THEN
    RAISE EXCEPTION 'the session % waits for input, but has no open prompt', session
      USING ERRCODE = 'HF001', HINT = 'nobody could answer it';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER waits_for_somebody AFTER UPDATE ON holdfast.workflow_sessions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status = 'waiting_for_input') EXECUTE FUNCTION holdfast.check_waiting();
CREATE CONSTRAINT TRIGGER leaves_nobody_waiting AFTER UPDATE ON holdfast.session_prompts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (OLD.status = 'open' AND NEW.status <> 'open') EXECUTE FUNCTION holdfast.check_waiting();
CREATE CONSTRAINT TRIGGER deletes_no_last_prompt AFTER DELETE ON holdfast.session_prompts
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (OLD.status = 'open') EXECUTE FUNCTION holdfast.check_waiting();

-- -------------------------------------------------------------------------------------------------------- messages

-- Not checked for what was written before. What is not said (NULL) is no objection.
ALTER TABLE holdfast.session_messages ADD CONSTRAINT session_messages_content CHECK (
  jsonb_typeof(content) = 'object' AND CASE message_type
    WHEN 'user' THEN content ? 'response'
    WHEN 'error' THEN coalesce(jsonb_typeof(content -> 'error'), '') = 'string'
      AND coalesce(jsonb_typeof(content -> 'stack_trace'), 'string') = 'string'
    WHEN 'workflow_progress' THEN content ?| '{step,progress,message}'
      AND coalesce(jsonb_typeof(content -> 'step'), 'string') = 'string'
      AND coalesce(jsonb_typeof(content -> 'progress'), 'number') = 'number'
      AND coalesce(jsonb_typeof(content -> 'message'), 'string') = 'string'
    WHEN 'workflow_waiting_for_input' THEN coalesce(jsonb_typeof(content -> 'prompt'), '') = 'string'
      AND coalesce(jsonb_typeof(content -> 'options'), 'array') = 'array'
    ELSE coalesce(jsonb_typeof(content -> 'message'), '') = 'string'
  END) NOT VALID;

CREATE OR REPLACE FUNCTION holdfast.answer_prompt(session uuid, prompt text, value text, actor text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  was text;
  expiry timestamptz;
BEGIN
  PERFORM FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = session FOR UPDATE;
  SELECT p.status, p.expires_at INTO was, expiry FROM holdfast.session_prompts p
    WHERE p.tenant = own AND p.workflow_session_id = session AND p.prompt_id = prompt;
  IF was = 'open' AND expiry <= at THEN
    RETURN 'expired';
  END IF;
  IF was IS DISTINCT FROM 'open' THEN
    RETURN was;
  END IF;
  UPDATE holdfast.session_prompts p SET status = 'answered', answer = value::jsonb, answered_by = actor, closed_at = at
    WHERE p.tenant = own AND p.workflow_session_id = session AND p.prompt_id = prompt;
  PERFORM holdfast.add_messages(
    own, session, ARRAY['user'],
    ARRAY[jsonb_build_object('response', value::jsonb, 'metadata', jsonb_build_object('by', actor, 'prompt', prompt))], at);
  IF NOT EXISTS (SELECT FROM holdfast.session_prompts p
                 WHERE p.tenant = own AND p.workflow_session_id = session AND p.status = 'open') THEN
    UPDATE holdfast.workflow_sessions s SET status = 'running' WHERE s.tenant = own AND s.id = session;
    PERFORM holdfast.enqueue_session(own, session, actor, at);
  END IF;
  RETURN 'open';
END
$$;

CREATE OR REPLACE FUNCTION holdfast.add_input(
  session uuid, new_id uuid, new_kind text, new_body text, node text, now_please boolean, actor text, at timestamptz)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  was text;
BEGIN
  SELECT s.status INTO was FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = session FOR UPDATE;
  IF was IS NULL OR was IN ('completed', 'failed') OR (new_kind = 'edit' AND was <> 'waiting_for_input') THEN
    RETURN was;
  END IF;
  INSERT INTO holdfast.session_inputs (tenant, workflow_session_id, id, kind, body, as_node, created_by, created_at, urgent)
    VALUES (own, session, new_id, new_kind, new_body::jsonb, node, actor, at, now_please);
  PERFORM holdfast.add_messages(
    own, session, ARRAY['user'],
    ARRAY[jsonb_build_object('response', new_body::jsonb, 'metadata', jsonb_build_object('by', actor, 'kind', new_kind))], at);
  IF now_please THEN
    UPDATE holdfast.workflow_sessions s SET interrupted = true WHERE s.tenant = own AND s.id = session;
  END IF;
  IF now_please AND was = 'waiting_for_input' THEN
    UPDATE holdfast.session_prompts p SET status = 'withdrawn', closed_at = at
      WHERE p.tenant = own AND p.workflow_session_id = session AND p.status = 'open';
    UPDATE holdfast.workflow_sessions s SET status = 'running' WHERE s.tenant = own AND s.id = session;
    PERFORM holdfast.enqueue_session(own, session, actor, at);
  END IF;
  RETURN 'taken';
END
$$;

-- ------------------------------------------------------------------------------------------- forking and forgetting

CREATE OR REPLACE FUNCTION holdfast.fork_session(
  source uuid, source_checkpoint text, new_id uuid, name text, actor text, timeout interval, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  origin holdfast.workflow_sessions;
  old_thread text;
  new_thread text;
  spaces text[];
  ids text[];
BEGIN
  -- The lock keeps the checkpoints that are copied from being forgotten, or deleted, meanwhile.
  SELECT * INTO origin FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = source FOR KEY SHARE;
  IF NOT FOUND THEN
    RETURN 'gone';
  END IF;
  old_thread := holdfast.thread_of(origin.project_name, origin.session_name);
  new_thread := holdfast.thread_of(origin.project_name, name);
  PERFORM FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = old_thread AND c.checkpoint_ns = '' AND c.checkpoint_id = source_checkpoint;
  IF NOT FOUND THEN
    RETURN 'no checkpoint';
  END IF;
  INSERT INTO holdfast.workflow_sessions
    (tenant, id, project_name, session_name, workflow_name, definition_revision, input_data, created_by, created_at,
     max_attempts, timeout_at, forked_from, forked_checkpoint)
    VALUES (own, new_id, '', name, origin.workflow_name, origin.definition_revision, origin.input_data, actor, at,
            origin.max_attempts, at + timeout, source, source_checkpoint)
    ON CONFLICT (tenant, session_name) DO NOTHING;
  IF NOT FOUND THEN
    RETURN 'name taken';
  END IF;
  WITH RECURSIVE past AS (
    SELECT c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = old_thread AND c.checkpoint_ns = '' AND c.checkpoint_id = source_checkpoint
    UNION ALL
    SELECT c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id FROM past p
    JOIN holdfast_langgraph.checkpoints c
      ON c.thread_id = old_thread AND c.checkpoint_ns = '' AND c.checkpoint_id = p.parent_checkpoint_id
  ), wanted AS (
    SELECT p.checkpoint_ns AS space, p.checkpoint_id AS id FROM past p
    UNION ALL
    -- Subgraphs with a memory of their own; one that ran within a step has the step's id, after a colon, in its name.
    SELECT c.checkpoint_ns, c.checkpoint_id FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = old_thread AND c.checkpoint_ns <> '' AND strpos(c.checkpoint_ns, ':') = 0
      AND c.checkpoint_id <= source_checkpoint
  )
  SELECT array_agg(w.space), array_agg(w.id) INTO spaces, ids FROM wanted w;
  INSERT INTO holdfast_langgraph.checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
    SELECT new_thread, c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id, c.type, c.checkpoint, c.metadata
    FROM unnest(spaces, ids) f (space, id) JOIN holdfast_langgraph.checkpoints c
      ON c.thread_id = old_thread AND c.checkpoint_ns = f.space AND c.checkpoint_id = f.id;
  INSERT INTO holdfast_langgraph.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT new_thread, b.checkpoint_ns, b.channel, b.version, b.type, b.blob
    FROM (SELECT DISTINCT c.checkpoint_ns AS space, v.key AS channel, v.value AS version
          FROM holdfast_langgraph.checkpoints c CROSS JOIN LATERAL jsonb_each_text(c.checkpoint -> 'channel_versions') v
          WHERE c.thread_id = new_thread) used
    JOIN holdfast_langgraph.checkpoint_blobs b
      ON b.thread_id = old_thread AND b.checkpoint_ns = used.space AND b.channel = used.channel AND b.version = used.version;
  INSERT INTO holdfast_langgraph.checkpoint_writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
    SELECT new_thread, w.checkpoint_ns, w.checkpoint_id, w.task_id, w.idx, w.channel, w.type, w.blob, w.task_path
    FROM unnest(spaces, ids) f (space, id) JOIN holdfast_langgraph.checkpoint_writes w
      ON w.thread_id = old_thread AND w.checkpoint_ns = f.space AND w.checkpoint_id = f.id
    WHERE f.space <> '' OR f.id <> source_checkpoint;
  PERFORM holdfast.enqueue_session(own, new_id, actor, at);
  IF timeout IS NOT NULL THEN
    PERFORM holdfast.enqueue_expiry(own, new_id, at + timeout, at);
  END IF;
  RETURN 'forked';
END
$$;

-- When a checkpoint was made; NULL when what it says is no time. Such a one is not old, and disturbs nobody else's.
CREATE FUNCTION holdfast.checkpoint_time(checkpoint jsonb) RETURNS timestamptz
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (checkpoint ->> 'ts')::timestamptz;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;

-- Names of sessions have the collation "C", and so has what is made of them; LangGraph's indexes have the database's. Without
-- saying so, a thread would be looked for among everybody's, one by one.
CREATE OR REPLACE FUNCTION holdfast.drop_thread(thread text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own text COLLATE "default" := thread;
BEGIN
  DELETE FROM holdfast_langgraph.checkpoint_writes w WHERE w.thread_id = own;
  DELETE FROM holdfast_langgraph.checkpoint_blobs b WHERE b.thread_id = own;
  DELETE FROM holdfast_langgraph.checkpoints c WHERE c.thread_id = own;
END
$$;

CREATE OR REPLACE FUNCTION holdfast.keep_latest_checkpoint(thread text, before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own text COLLATE "default" := thread;
  gone integer;
BEGIN
  IF EXISTS (SELECT FROM holdfast_langgraph.checkpoints c
             WHERE c.thread_id = own AND c.metadata ? 'counters_since_delta_snapshot') THEN
    RETURN 0;
  END IF;
  WITH head AS (
    SELECT c.checkpoint_ns, max(c.checkpoint_id) AS id FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = own GROUP BY c.checkpoint_ns
  ), deleted AS (
    DELETE FROM holdfast_langgraph.checkpoints c USING head h
    WHERE c.thread_id = own AND c.checkpoint_ns = h.checkpoint_ns
      AND (before IS NULL OR holdfast.checkpoint_time(c.checkpoint) < before)
      AND (c.checkpoint_id < h.id OR (
        strpos(c.checkpoint_ns, ':') > 0
        AND c.metadata -> 'parents' ->> '' < (SELECT r.id FROM head r WHERE r.checkpoint_ns = '')))
    RETURNING c.checkpoint_ns, c.checkpoint_id
  )
  SELECT count(*) INTO gone FROM deleted;
  DELETE FROM holdfast_langgraph.checkpoint_writes w
    WHERE w.thread_id = own AND NOT EXISTS (
      SELECT FROM holdfast_langgraph.checkpoints c
      WHERE c.thread_id = own AND c.checkpoint_ns = w.checkpoint_ns AND c.checkpoint_id = w.checkpoint_id);
  DELETE FROM holdfast_langgraph.checkpoint_blobs b
    WHERE b.thread_id = own AND NOT EXISTS (
      SELECT FROM holdfast_langgraph.checkpoints c
      WHERE c.thread_id = own AND c.checkpoint_ns = b.checkpoint_ns
        AND c.checkpoint -> 'channel_versions' ->> b.channel = b.version);
  UPDATE holdfast_langgraph.checkpoints c SET parent_checkpoint_id = NULL
    WHERE c.thread_id = own AND c.parent_checkpoint_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM holdfast_langgraph.checkpoints p
      WHERE p.thread_id = own AND p.checkpoint_ns = c.checkpoint_ns AND p.checkpoint_id = c.parent_checkpoint_id);
  RETURN gone;
END
$$;

-- Each session's own thread is looked into and no other: LIMIT keeps the planner from reading everybody's checkpoints first,
-- and the collation, which names of sessions do not have, lets it use the index.
CREATE OR REPLACE FUNCTION holdfast.prune_sessions(for_tenant uuid, since timestamptz, before timestamptz, most integer)
RETURNS TABLE (finished integer, pruned integer, reached timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  one record;
BEGIN
  finished := 0;
  pruned := 0;
  reached := since;
  FOR one IN
    SELECT s.id, holdfast.thread_of(s.project_name, s.session_name) AS thread, s.completed_at
    FROM holdfast.workflow_sessions s
    CROSS JOIN LATERAL (SELECT FROM holdfast_langgraph.checkpoints c
                        WHERE c.thread_id = holdfast.thread_of(s.project_name, s.session_name) COLLATE "default" LIMIT 1) there
    WHERE s.tenant = for_tenant AND s.completed_at >= since AND s.completed_at < before
    ORDER BY s.completed_at LIMIT most
  LOOP
    reached := one.completed_at;
    -- Somebody who forks it has it locked; the next round finds it again.
    PERFORM FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = one.id FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      PERFORM holdfast.drop_thread(one.thread);
      finished := finished + 1;
    END IF;
  END LOOP;
  FOR one IN
    SELECT s.id, holdfast.thread_of(s.project_name, s.session_name) AS thread
    FROM holdfast.workflow_sessions s
    CROSS JOIN LATERAL (
      SELECT FROM holdfast_langgraph.checkpoints c
      WHERE c.thread_id = holdfast.thread_of(s.project_name, s.session_name) COLLATE "default" AND c.checkpoint_ns = ''
        AND holdfast.checkpoint_time(c.checkpoint) < before
        AND EXISTS (SELECT FROM holdfast_langgraph.checkpoints newer
                    WHERE newer.thread_id = c.thread_id AND newer.checkpoint_ns = '' AND newer.checkpoint_id > c.checkpoint_id)
      LIMIT 1) old
    LEFT JOIN LATERAL (
      SELECT true AS it FROM holdfast_langgraph.checkpoints c
      WHERE c.thread_id = holdfast.thread_of(s.project_name, s.session_name) COLLATE "default" AND c.metadata ? 'counters_since_delta_snapshot'
      LIMIT 1) differences ON true
    WHERE s.tenant = for_tenant AND s.status = 'waiting_for_input' AND s.created_at < before AND differences.it IS NULL
    LIMIT most
  LOOP
    PERFORM FROM holdfast.workflow_sessions s
      WHERE s.tenant = for_tenant AND s.id = one.id AND s.status = 'waiting_for_input' FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      pruned := pruned + holdfast.keep_latest_checkpoint(one.thread, before);
    END IF;
  END LOOP;
  RETURN NEXT;
END
$$;

-- --------------------------------------------------------------------------------------------------------- outputs

ALTER TABLE holdfast.workflow_sessions
  ADD COLUMN output_reference text, ADD COLUMN output_hash text, ADD COLUMN output_size bigint,
  ADD CONSTRAINT workflow_sessions_output CHECK (
    num_nulls(output_reference, output_hash, output_size) IN (0, 3)
    AND (output_reference IS NULL OR (status = 'completed' AND output_data IS NULL AND output_hash ~ '^[0-9a-f]{64}$'))) NOT VALID;
ALTER TABLE holdfast.workflow_sessions VALIDATE CONSTRAINT workflow_sessions_output;

CREATE TABLE holdfast.session_outputs (
  tenant               uuid NOT NULL,
  workflow_session_id  uuid NOT NULL,
  object               text COLLATE "C" NOT NULL CHECK (length(object) BETWEEN 1 AND 4096),
  created_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, workflow_session_id, object)
);
SELECT holdfast.protect_tenant_table('holdfast.session_outputs');

-- Says, before it is written, that an object may be there from now on. False when the session is no longer the caller's.
CREATE FUNCTION holdfast.announce_output(
  for_tenant uuid, session uuid, run uuid, epoch bigint, new_object text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN false;
  END IF;
  INSERT INTO holdfast.session_outputs (tenant, workflow_session_id, object, created_at)
    VALUES (for_tenant, session, new_object, at) ON CONFLICT DO NOTHING;
  RETURN true;
END
$$;

-- Forgets objects of a session, but for the one that is named, and has them deleted.
CREATE FUNCTION holdfast.discard_outputs(
  for_tenant uuid, session uuid, kept text, due timestamptz, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one text;
BEGIN
  FOR one IN
    DELETE FROM holdfast.session_outputs o
      WHERE o.tenant = for_tenant AND o.workflow_session_id = session AND o.object IS DISTINCT FROM kept
      RETURNING o.object
  LOOP
    PERFORM holdfast.enqueue_run_for(
      for_tenant, holdfast.time_ordered_id(at), 'session.discard.v1', jsonb_build_object('object', one)::text, 0, due, 100,
      NULL::text, 'system:sessions', 'exceptions', at);
  END LOOP;
END
$$;

CREATE FUNCTION holdfast.session_ends_its_outputs() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM holdfast.discard_outputs(OLD.tenant, OLD.id, NULL, now(), now());
  ELSE
    PERFORM holdfast.discard_outputs(
      NEW.tenant, NEW.id, NEW.output_reference, NEW.completed_at + interval '1 hour', NEW.completed_at);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER ended_outputs AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status IN ('completed', 'failed'))
  EXECUTE FUNCTION holdfast.session_ends_its_outputs();
CREATE TRIGGER deleted_outputs AFTER DELETE ON holdfast.workflow_sessions
  FOR EACH ROW EXECUTE FUNCTION holdfast.session_ends_its_outputs();

-- The graph came to its end, or failed. With an input waiting to be taken up, it has not come to its end yet. The output is
-- given, or where it is.
CREATE FUNCTION holdfast.finish_session(
  for_tenant uuid, session uuid, run uuid, epoch bigint, output text, reference text, hash text, size bigint,
  error text, trace text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN 'lost';
  END IF;
  IF error IS NULL THEN
    IF holdfast.next_input(for_tenant, session) IS NOT NULL THEN
      RETURN 'more';
    END IF;
    UPDATE holdfast.workflow_sessions s SET status = 'completed', output_data = output::jsonb, output_reference = reference,
        output_hash = hash, output_size = size, completed_at = at
      WHERE s.tenant = for_tenant AND s.id = session;
    PERFORM holdfast.add_messages(
      for_tenant, session, ARRAY['system'], ARRAY[jsonb_build_object('message', 'Session completed')], at);
    RETURN 'completed';
  END IF;
  UPDATE holdfast.workflow_sessions s SET status = 'failed', error_message = error, completed_at = at
    WHERE s.tenant = for_tenant AND s.id = session;
  PERFORM holdfast.add_messages(
    for_tenant, session, ARRAY['error'],
    ARRAY[jsonb_strip_nulls(jsonb_build_object('error', error, 'stack_trace', trace))], at);
  RETURN 'failed';
END
$$;

-- For processes that run the code of before.
CREATE OR REPLACE FUNCTION holdfast.finish_session(
  for_tenant uuid, session uuid, run uuid, epoch bigint, output text, error text, trace text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN holdfast.finish_session(for_tenant, session, run, epoch, output, NULL, NULL, NULL, error, trace, at);
END
$$;

GRANT SELECT ON holdfast.session_outputs TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.announce_output(uuid, uuid, uuid, bigint, text, timestamptz),
  holdfast.finish_session(uuid, uuid, uuid, bigint, text, text, text, bigint, text, text, timestamptz)
  TO holdfast_worker;
