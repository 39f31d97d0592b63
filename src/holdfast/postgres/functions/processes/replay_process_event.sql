-- An operator lets a dead letter be tried again, with as many attempts as it had.
CREATE OR REPLACE FUNCTION holdfast.replay_process_event(wanted uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  replayed boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  UPDATE holdfast.workflow_events_outbox o
    SET status = 'pending', attempts = 0, next_retry_at = at
    WHERE o.tenant = holdfast.transaction_tenant() AND o.id = wanted AND o.status = 'dead_letter';
  replayed := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  IF replayed THEN
    PERFORM pg_notify('holdfast_processes', holdfast.transaction_tenant()::text);
  END IF;
  RETURN replayed;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.replay_process_event TO holdfast_app;
