CREATE OR REPLACE FUNCTION holdfast.session_ended() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wait holdfast.workflow_session_wait;
  mark text;
BEGIN
  DELETE FROM holdfast.workflow_session_wait w WHERE w.tenant = NEW.tenant AND w.session_id = NEW.id RETURNING w.* INTO wait;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  mark := encode(sha256(convert_to(
    format('["%s","session_finished","%s","%s"]', wait.instance_id, NEW.id, wait.step_key), 'UTF8')), 'hex');
  INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
    VALUES (NEW.tenant, wait.instance_id, 'events', mark, NEW.completed_at);
  INSERT INTO holdfast.workflow_events_outbox
    (tenant, created_at, id, instance_id, entity_version, event_type, payload_json, event_idempotency_key, actor, next_retry_at)
    VALUES (NEW.tenant, NEW.completed_at, gen_random_uuid(), wait.instance_id, wait.entity_version, 'session_finished',
            jsonb_build_object('key', wait.step_key, 'session_id', NEW.id, 'token', wait.token_id), mark,
            '{"kind": "system", "name": "process"}', NEW.completed_at);
  PERFORM pg_notify('holdfast_processes', NEW.tenant::text);
  RETURN NULL;
END
$$;
