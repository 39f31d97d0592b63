-- An operator lets a dead letter be tried again, with as many attempts as it had, with the event of it. Answers whether there was one.
CREATE OR REPLACE FUNCTION holdfast.replay_process_event(wanted uuid, actor text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  done boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  WITH replayed AS (
    UPDATE holdfast.workflow_events_outbox o
    SET status = 'pending', attempts = 0, next_retry_at = at
    WHERE o.tenant = own AND o.id = wanted AND o.status = 'dead_letter'
    RETURNING o.id, o.instance_id, o.event_type
  )
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
    SELECT own, 'instance', r.instance_id, 'inbox.replayed', replay_process_event.actor,
           jsonb_build_object('event', r.id, 'type', r.event_type), at
    FROM replayed r;
  done := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  IF done THEN
    PERFORM pg_notify('holdfast_processes', own::text);
  END IF;
  RETURN done;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.replay_process_event TO holdfast_app;
