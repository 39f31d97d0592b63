-- A run that a step waits for has finished. Only runs that a process enqueued come here; others cost nothing.
CREATE OR REPLACE FUNCTION holdfast.run_finished() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wait holdfast.workflow_run_wait;
  mark text;
BEGIN
  FOR wait IN DELETE FROM holdfast.workflow_run_wait w WHERE w.tenant = NEW.tenant AND w.run_id = NEW.id RETURNING w.* LOOP
    mark := encode(sha256(convert_to(
      format('{"key":"%s","run_id":"%s","token":"%s"}', wait.step_key, NEW.id, wait.token_id), 'UTF8')), 'hex');
    mark := encode(sha256(convert_to(
      format('["%s","run_finished","%s",%s]', wait.instance_id, mark, wait.entity_version), 'UTF8')), 'hex');
    INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
      VALUES (NEW.tenant, wait.instance_id, 'events', mark, NEW.finished_at) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      INSERT INTO holdfast.workflow_events_outbox
        (tenant, created_at, id, instance_id, entity_version, event_type, payload_json, event_idempotency_key, actor,
         trace_id, next_retry_at)
        VALUES (NEW.tenant, NEW.finished_at, gen_random_uuid(), wait.instance_id, wait.entity_version, 'run_finished',
                jsonb_build_object('key', wait.step_key, 'run_id', NEW.id, 'token', wait.token_id), mark,
                '{"kind": "system", "name": "process"}', NEW.trace_parent, NEW.finished_at);
      PERFORM pg_notify('holdfast_processes', NEW.tenant::text);
    END IF;
  END LOOP;
  RETURN NULL;
END
$$;
