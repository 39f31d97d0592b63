-- Gives a session that is not finished something to take up: another input, or an edit of its state. One that waits is set going, and its open
-- questions are withdrawn, if `at_once`; one that runs finds it at its next checkpoint. Whoever edits the state says what is to be done: from then on
-- the session has no rights that they (`party`) do not have.
CREATE OR REPLACE FUNCTION holdfast.add_input(
  session uuid, new_id uuid, new_kind text, new_body text, node text, at_once boolean, actor text, party text, at timestamptz)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  was text;
BEGIN
  SELECT s.status INTO was FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = session FOR UPDATE;
  IF was IS NULL OR was IN ('completed', 'failed') OR (new_kind = 'edit' AND was <> 'waiting_for_input') THEN
    RETURN was;
  END IF;
  IF new_kind = 'edit' THEN
    UPDATE holdfast.workflow_sessions s SET party = holdfast.narrow_party(s.party, add_input.party::jsonb)
      WHERE s.tenant = own AND s.id = session;
  END IF;
  INSERT INTO holdfast.session_inputs (tenant, workflow_session_id, id, kind, body, as_node, created_by, created_at, urgent)
    VALUES (own, session, new_id, new_kind, new_body::jsonb, node, actor, at, at_once);
  PERFORM holdfast.add_messages(
    own, session, ARRAY['user'],
    ARRAY[jsonb_build_object('response', new_body::jsonb, 'metadata', jsonb_build_object('by', actor, 'kind', new_kind))], at);
  IF at_once THEN
    UPDATE holdfast.workflow_sessions s SET interrupted = true WHERE s.tenant = own AND s.id = session;
  END IF;
  IF at_once AND was = 'waiting_for_input' THEN
    UPDATE holdfast.session_prompts p SET status = 'withdrawn', closed_at = at
      WHERE p.tenant = own AND p.workflow_session_id = session AND p.status = 'open';
    UPDATE holdfast.workflow_sessions s SET status = 'running' WHERE s.tenant = own AND s.id = session;
    PERFORM holdfast.enqueue_session(own, session, actor, at);
  END IF;
  RETURN 'taken';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.add_input TO holdfast_app;
