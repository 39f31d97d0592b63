CREATE OR REPLACE FUNCTION holdfast.start_session(
  new_id uuid, name text, workflow text, revision integer, input text, actor text, party text, timeout interval, tries integer,
  new_notify_type text, new_notify_payload text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  INSERT INTO holdfast.workflow_sessions
    (tenant, id, project_name, session_name, workflow_name, definition_revision, input_data, created_by, created_at,
     max_attempts, timeout_at, notify_type, notify_payload, party)
    VALUES (own, new_id, '', name, workflow, start_session.revision, input::jsonb, actor, at, tries, at + timeout,
            new_notify_type, new_notify_payload::jsonb, start_session.party::jsonb)
    ON CONFLICT (tenant, session_name) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM holdfast.enqueue_session(own, new_id, actor, at);
  IF timeout IS NOT NULL THEN
    PERFORM holdfast.enqueue_expiry(own, new_id, at + timeout, at);
  END IF;
  PERFORM holdfast.schedule_retention(own, at);
  RETURN true;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.start_session TO holdfast_app;
