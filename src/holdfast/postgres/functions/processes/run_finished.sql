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
    PERFORM holdfast.post_events_for(NEW.tenant, jsonb_build_array(jsonb_build_object(
      'id', gen_random_uuid(), 'instance_id', wait.instance_id, 'entity_version', wait.entity_version,
      'event_type', 'run_finished',
      'payload', jsonb_build_object('key', wait.step_key, 'run_id', NEW.id, 'token', wait.token_id), 'key', mark,
      'trace_id', NEW.trace_parent)), NEW.finished_at);
  END LOOP;
  RETURN NULL;
END
$$;
