-- Sends an event again, whatever became of it: a dead one goes to the sinks that did not take it, a published one to all of
-- them, one that waits for its next attempt goes at once. Answers with what it was, or NULL when there is no such event.
CREATE OR REPLACE FUNCTION holdfast.replay_event(wanted uuid, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  kind text;
  aggregate text;
  was text;
BEGIN
  SELECT e.aggregate_type, e.aggregate_id, e.status INTO kind, aggregate, was FROM holdfast.outbox_event_live e
    WHERE e.tenant = own AND e.id = wanted FOR UPDATE;
  IF NOT FOUND THEN
    SELECT e.aggregate_type, e.aggregate_id, 'published' INTO kind, aggregate, was FROM holdfast.outbox_event_done e
      WHERE e.tenant = own AND e.id = wanted FOR UPDATE;
    IF NOT FOUND THEN
      RETURN NULL;
    END IF;
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
    SET blocked = false, due_at = least(l.due_at, excluded.due_at),
        attempts = CASE WHEN l.lease_until IS NULL THEN 0 ELSE l.attempts END;
  PERFORM pg_notify('holdfast_outbox', own::text);
  RETURN was;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.replay_event TO holdfast_app;
