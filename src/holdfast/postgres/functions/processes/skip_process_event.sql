-- A dead letter of the engine inbox that is not to be tried again: it is cancelled, with the event of it. Its process stays where it is, and is among
-- the stuck if nothing else moves it on. Answers whether there was one.
CREATE OR REPLACE FUNCTION holdfast.skip_process_event(wanted uuid, reason text, actor text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  done boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  WITH skipped AS (
    UPDATE holdfast.workflow_events_outbox o
    SET status = 'cancelled'
    WHERE o.tenant = own AND o.id = wanted AND o.status = 'dead_letter'
    RETURNING o.id, o.instance_id, o.event_type
  )
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
    SELECT own, 'instance', s.instance_id, 'inbox.skipped', skip_process_event.actor,
           jsonb_build_object('event', s.id, 'type', s.event_type, 'reason', skip_process_event.reason), at
    FROM skipped s;
  done := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  RETURN done;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.skip_process_event TO holdfast_app;
