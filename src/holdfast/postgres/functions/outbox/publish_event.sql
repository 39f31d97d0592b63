-- Publishes one event from SQL, a trigger for instance, and answers with its id.
CREATE OR REPLACE FUNCTION holdfast.publish_event(
  event_type text, payload jsonb, aggregate_type text DEFAULT NULL, aggregate_id text DEFAULT NULL,
  subject text DEFAULT NULL, trace_parent text DEFAULT NULL, actor text DEFAULT 'system:sql', at timestamptz DEFAULT now())
RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  made uuid := holdfast.time_ordered_id();
BEGIN
  IF (aggregate_type IS NULL) <> (aggregate_id IS NULL) THEN
    RAISE EXCEPTION 'an aggregate needs both its type and its id' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM holdfast.publish_events_for(
    ARRAY[holdfast.transaction_tenant()], ARRAY[made], ARRAY[event_type], ARRAY[payload::text], ARRAY[aggregate_type],
    ARRAY[aggregate_id], ARRAY[coalesce(subject, aggregate_type || '/' || aggregate_id)], ARRAY[trace_parent], actor, at);
  RETURN made;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.publish_event TO holdfast_app;
