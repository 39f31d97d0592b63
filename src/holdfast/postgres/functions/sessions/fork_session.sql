-- Starts a session from a checkpoint of another: the checkpoint with those before it, but without what was pending on it,
-- so that the step after it is executed anew and its questions are asked again.
CREATE OR REPLACE FUNCTION holdfast.fork_session(
  source uuid, source_checkpoint text, new_id uuid, name text, actor text, party text, timeout interval, at timestamptz) RETURNS text
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
     max_attempts, timeout_at, forked_from, forked_checkpoint, party)
    VALUES (own, new_id, '', name, origin.workflow_name, origin.definition_revision, origin.input_data, actor, at,
            origin.max_attempts, at + timeout, source, source_checkpoint, fork_session.party::jsonb)
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
GRANT EXECUTE ON FUNCTION holdfast.fork_session TO holdfast_app;
