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
  PERFORM holdfast.post_events_for(NEW.tenant, jsonb_build_array(jsonb_build_object(
    'id', gen_random_uuid(), 'instance_id', wait.instance_id, 'entity_version', wait.entity_version,
    'event_type', 'session_finished',
    'payload', jsonb_build_object('key', wait.step_key, 'session_id', NEW.id, 'token', wait.token_id), 'key', mark)),
    NEW.completed_at);
  RETURN NULL;
END
$$;
