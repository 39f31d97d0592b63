-- Retention of one tenant, a few sessions at a time: finished ones lose their checkpoints, waiting ones all but the latest.
-- `since` is how far a round before this one came: sessions that ended earlier need not be looked at again.
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
GRANT EXECUTE ON FUNCTION holdfast.prune_sessions TO holdfast_worker;
