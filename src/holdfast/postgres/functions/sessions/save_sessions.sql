-- Saves what many sessions have come to, in one statement and one commit: checkpoints with their channels' values, writes
-- pending on them, messages, and which waiting input was taken up. Each save names its session, run and epoch; one that
-- no longer holds its session is refused whole, and the answer says so. Everything is in one JSON text, but for the bytes
-- of values: those stand one after the other in `bytes`, and are named by where they begin (counted from 1) and how many
-- they are. `again` marks a second try after a lost connection: messages that arrived at the first are left out.
CREATE OR REPLACE FUNCTION holdfast.save_sessions(saves jsonb, bytes bytea, again boolean, at timestamptz)
RETURNS TABLE (place integer, verdict text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  threads text[] := array_fill(NULL::text, ARRAY[jsonb_array_length(saves)]);
  lasts integer[] := array_fill(0, ARRAY[jsonb_array_length(saves)]);
  known uuid[] := '{}';
  one record;
  thread text;
  last integer;
  wanted boolean;
BEGIN
  IF again THEN
    SELECT coalesce(array_agg(m.id), '{}') INTO known
      FROM jsonb_array_elements(saves) s CROSS JOIN LATERAL jsonb_array_elements(s -> 'messages') n
      JOIN holdfast.session_messages m ON m.tenant = (s ->> 'tenant')::uuid AND m.id = (n ->> 'id')::uuid;
  END IF;
  -- In one order, so that two who save several sessions at once cannot wait for each other in a circle.
  FOR one IN
    SELECT s.place::integer, (s.it ->> 'tenant')::uuid AS tenant, (s.it ->> 'session')::uuid AS session,
           (s.it ->> 'run')::uuid AS run, (s.it ->> 'epoch')::bigint AS epoch, (s.it ->> 'input')::uuid AS input,
           CASE WHEN again THEN
             (SELECT count(*)::integer FROM jsonb_array_elements(s.it -> 'messages') n WHERE (n ->> 'id')::uuid <> ALL (known))
           ELSE jsonb_array_length(s.it -> 'messages') END AS messages
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place) ORDER BY 2, 3
  LOOP
    IF one.messages > 0 THEN
      UPDATE holdfast.workflow_sessions s SET last_sequence = s.last_sequence + one.messages
        FROM holdfast.workflow_run_live r
        WHERE s.tenant = one.tenant AND s.id = one.session AND s.run_id = one.run AND s.run_epoch = one.epoch
          AND s.status = 'running' AND r.tenant = one.tenant AND r.id = one.run AND r.lease_epoch = one.epoch
          AND r.lease_until IS NOT NULL
        RETURNING 'project-' || s.project_name || ':session-' || s.session_name, s.last_sequence - one.messages, s.interrupted
        INTO thread, last, wanted;
    ELSE
      SELECT 'project-' || s.project_name || ':session-' || s.session_name, 0, s.interrupted INTO thread, last, wanted
        FROM holdfast.workflow_sessions s JOIN holdfast.workflow_run_live r ON r.tenant = s.tenant AND r.id = s.run_id
        WHERE s.tenant = one.tenant AND s.id = one.session AND s.run_id = one.run AND s.run_epoch = one.epoch
          AND s.status = 'running' AND r.lease_epoch = one.epoch AND r.lease_until IS NOT NULL
        FOR UPDATE OF s;
    END IF;
    place := one.place;
    IF NOT FOUND THEN
      verdict := 'refused';
      RETURN NEXT;
      CONTINUE;
    END IF;
    threads[one.place] := thread;
    lasts[one.place] := last;
    IF wanted AND one.input IS NULL THEN
      verdict := 'interrupted'; -- an input came that is to be taken up at once
      RETURN NEXT;
    END IF;
    IF one.messages > 0 THEN
      PERFORM pg_notify('holdfast_sessions', one.session::text);
    END IF;
    IF one.input IS NOT NULL THEN
      UPDATE holdfast.session_inputs i SET taken_at = at
        WHERE i.tenant = one.tenant AND i.workflow_session_id = one.session AND i.id = one.input;
      UPDATE holdfast.workflow_sessions s SET interrupted = false WHERE s.tenant = one.tenant AND s.id = one.session;
    END IF;
  END LOOP;
  INSERT INTO holdfast_langgraph.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT threads[s.place], b.space, b.channel, b.version, b.type, substring(bytes FROM b.first FOR b.size)
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'blobs')
      b (space text, channel text, version text, type text, first integer, size integer)
    WHERE threads[s.place] IS NOT NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO holdfast_langgraph.checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
    SELECT threads[s.place], c.space, c.id, c.parent, c.body, c.meta
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'checkpoints')
      c (space text, id text, parent text, body jsonb, meta jsonb)
    WHERE threads[s.place] IS NOT NULL
    ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id)
      DO UPDATE SET checkpoint = excluded.checkpoint, metadata = excluded.metadata;
  INSERT INTO holdfast_langgraph.checkpoint_writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
    SELECT threads[s.place], w.space, w.checkpoint, w.task, w.path, w.place, w.channel, w.type,
           substring(bytes FROM w.first FOR w.size)
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'writes')
      w (space text, checkpoint text, task text, path text, place integer, channel text, type text, first integer, size integer)
    WHERE threads[s.place] IS NOT NULL
    ON CONFLICT DO NOTHING;
  -- Rare: what is said of a task instead of by it, such as its last question or its error. The last word counts.
  IF saves @? '$[*].marks[*]' THEN
    INSERT INTO holdfast_langgraph.checkpoint_writes
      (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
      SELECT threads[s.place], w.space, w.checkpoint, w.task, w.path, w.place, w.channel, w.type,
             substring(bytes FROM w.first FOR w.size)
      FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
      CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'marks')
        w (space text, checkpoint text, task text, path text, place integer, channel text, type text, first integer, size integer)
      WHERE threads[s.place] IS NOT NULL
      ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
        DO UPDATE SET channel = excluded.channel, type = excluded.type, blob = excluded.blob;
  END IF;
  INSERT INTO holdfast.session_messages
    (tenant, id, workflow_session_id, message_type, content, sequence_number, timestamp)
    SELECT (s.it ->> 'tenant')::uuid, (m.it ->> 'id')::uuid, (s.it ->> 'session')::uuid, m.it ->> 'type', m.it -> 'content',
           lasts[s.place] + row_number() OVER (PARTITION BY s.place ORDER BY m.place), at
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_array_elements(s.it -> 'messages') WITH ORDINALITY m (it, place)
    WHERE threads[s.place] IS NOT NULL AND (m.it ->> 'id')::uuid <> ALL (known);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.save_sessions TO holdfast_worker;
