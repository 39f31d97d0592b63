-- Replays dead events, of one type or of all, oldest first; answers with which.
CREATE OR REPLACE FUNCTION holdfast.replay_dead_events(wanted_type text, most integer, at timestamptz) RETURNS SETOF uuid
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
GRANT EXECUTE ON FUNCTION holdfast.replay_dead_events TO holdfast_app;
