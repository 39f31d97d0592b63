-- Answers an open prompt, once. When it was the last one the session goes on, in the same transaction. Says what the
-- prompt was: open (and is answered now), answered, expired, withdrawn, or NULL when there is none.
CREATE OR REPLACE FUNCTION holdfast.answer_prompt(session uuid, prompt text, value text, actor text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  was text;
  expiry timestamptz;
BEGIN
  PERFORM FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = session FOR UPDATE;
  SELECT p.status, p.expires_at INTO was, expiry FROM holdfast.session_prompts p
    WHERE p.tenant = own AND p.workflow_session_id = session AND p.prompt_id = prompt;
  IF was = 'open' AND expiry <= at THEN
    RETURN 'expired';
  END IF;
  IF was IS DISTINCT FROM 'open' THEN
    RETURN was;
  END IF;
  UPDATE holdfast.session_prompts p SET status = 'answered', answer = value::jsonb, answered_by = actor, closed_at = at
    WHERE p.tenant = own AND p.workflow_session_id = session AND p.prompt_id = prompt;
  PERFORM holdfast.add_messages(
    own, session, ARRAY['user'],
    ARRAY[jsonb_build_object('response', value::jsonb, 'metadata', jsonb_build_object('by', actor, 'prompt_id', prompt))], at);
  IF NOT EXISTS (SELECT FROM holdfast.session_prompts p
                 WHERE p.tenant = own AND p.workflow_session_id = session AND p.status = 'open') THEN
    UPDATE holdfast.workflow_sessions s SET status = 'running' WHERE s.tenant = own AND s.id = session;
    PERFORM holdfast.enqueue_session(own, session, actor, at);
  END IF;
  RETURN 'open';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.answer_prompt TO holdfast_app;
