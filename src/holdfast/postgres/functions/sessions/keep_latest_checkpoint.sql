-- Removes the checkpoints of a thread but for the latest of each graph, and those of steps that are over. A thread whose
-- channels are kept as differences needs its past and is left alone. `before` spares what is newer.
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
