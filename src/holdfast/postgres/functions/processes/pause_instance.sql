-- An operator pauses an instance, or lets it go on (`new_status` is where its tokens stand); with the event of it. What was posted for it
-- while it was paused is due at once.
CREATE OR REPLACE FUNCTION holdfast.pause_instance(wanted uuid, new_status text, by text, why text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  pausing boolean := new_status IS NULL;
BEGIN
  UPDATE holdfast.workflow_instances i
    SET status = coalesce(new_status, 'paused'), paused_at = CASE WHEN pausing THEN at END, paused_by = CASE WHEN pausing THEN by END,
        pause_reason = CASE WHEN pausing THEN why END, version = i.version + 1, updated_at = at
    WHERE i.tenant = own AND i.id = wanted;
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
    VALUES (own, 'instance', wanted, CASE WHEN pausing THEN 'instance.paused' ELSE 'instance.resumed' END, by,
            CASE WHEN pausing THEN jsonb_build_object('reason', why) ELSE '{}' END, at);
  IF NOT pausing THEN
    UPDATE holdfast.workflow_events_outbox o SET next_retry_at = at
      WHERE o.tenant = own AND o.instance_id = wanted AND o.status IN ('pending', 'failed');
    PERFORM pg_notify('holdfast_processes', own::text);
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.pause_instance TO holdfast_app;
