-- The engine inbox is written here and nowhere else. Posts events of one tenant, each at most once (WF-11): the receipt decides.
-- Answers how many are new. Not granted: who names a tenant has the rights of this schema, as triggers and janitors do, and their
-- settings too.
CREATE OR REPLACE FUNCTION holdfast.post_events_for(own uuid, given jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
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
           e.payload, e.key, coalesce(e.actor, '{"kind": "system", "name": "process"}'), e.trace_id, at, e.needs
    FROM event e JOIN receipt r ON r.instance_id = e.instance_id AND r.event_idempotency_key = e.key;
  GET DIAGNOSTICS posted = ROW_COUNT;
  IF posted > 0 THEN
    PERFORM pg_notify('holdfast_processes', own::text);
  END IF;
  RETURN posted;
END
$$;
