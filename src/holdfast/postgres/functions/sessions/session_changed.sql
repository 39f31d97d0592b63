-- Every change of status is an event of the session; whoever asked to be told of its end is told by a run, in the same
-- transaction, whatever ended it.
CREATE OR REPLACE FUNCTION holdfast.session_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at timestamptz := coalesce(NEW.completed_at, now());
BEGIN
  INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, created_at)
    VALUES (NEW.tenant, 'session', NEW.id, 'session.' || NEW.status, 'system:sessions',
            jsonb_strip_nulls(jsonb_build_object('was', OLD.status, 'error', left(NEW.error_message, 1000),
                                                 'party', holdfast.behalf_of(NEW.party))), at);
  IF NEW.status IN ('completed', 'failed') THEN
    UPDATE holdfast.session_prompts p SET status = 'withdrawn', closed_at = at
      WHERE p.tenant = NEW.tenant AND p.workflow_session_id = NEW.id AND p.status = 'open';
    IF NEW.notify_type IS NOT NULL THEN
      PERFORM holdfast.enqueue_run_for(
        NEW.tenant, holdfast.time_ordered_id(at), NEW.notify_type,
        (NEW.notify_payload || jsonb_build_object(
          'session', NEW.session_name, 'session_id', NEW.id, 'status', NEW.status, 'error', NEW.error_message))::text,
        0, NULL::timestamptz, 10, NULL::text, 'system:sessions', 'exceptions', at, NEW.party);
    END IF;
  END IF;
  RETURN NEW;
END
$$;
