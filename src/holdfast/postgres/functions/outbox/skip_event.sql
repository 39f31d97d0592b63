-- Lets the events after a dead one go on without it. It stays dead, and can still be replayed.
CREATE OR REPLACE FUNCTION holdfast.skip_event(wanted uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  UPDATE holdfast.outbox_lane l SET blocked = false, due_at = at, attempts = 0
    FROM holdfast.outbox_event_live e
    WHERE e.tenant = own AND e.id = wanted AND e.status = 'dead' AND l.blocked
      AND l.tenant = own AND l.aggregate_type = e.aggregate_type AND l.aggregate_id = e.aggregate_id;
  IF FOUND THEN
    PERFORM pg_notify('holdfast_outbox', own::text);
    RETURN true;
  END IF;
  RETURN false;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.skip_event TO holdfast_app;
