-- An event happens once. False when it had happened already, with the same payload; with another it is refused.
CREATE OR REPLACE FUNCTION holdfast.emit_event(event_key text, new_payload text, actor text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  known jsonb;
BEGIN
  INSERT INTO holdfast.workflow_awaited_event (tenant, key, payload, created_by, created_at)
    VALUES (own, 'event:' || event_key, new_payload::jsonb, actor, at) ON CONFLICT DO NOTHING;
  IF FOUND THEN
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key) VALUES (own, 'event', 'event:' || event_key);
    PERFORM pg_notify('holdfast_runs', '');
    RETURN true;
  END IF;
  SELECT e.payload INTO known FROM holdfast.workflow_awaited_event e
    WHERE e.tenant = own AND e.key = 'event:' || event_key;
  IF known IS DISTINCT FROM new_payload::jsonb THEN
    RAISE EXCEPTION 'the event % has happened already, with another payload', quote_literal(event_key)
      USING ERRCODE = 'HF001', HINT = 'an event happens once: use another key for another event';
  END IF;
  RETURN false;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.emit_event TO holdfast_app;
