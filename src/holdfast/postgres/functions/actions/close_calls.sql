-- Writes the answers of calls into their receipts, with their lines in the trail. Answers are written one by one, each by its whole key: a plan for many, made
-- while the table was small, would go through all of it.
CREATE OR REPLACE FUNCTION holdfast.close_calls(given jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  each record;
BEGIN
  FOR each IN SELECT n.key, n.output FROM jsonb_to_recordset(given) n (key text, output text) LOOP
    UPDATE holdfast.workflow_action_receipt r SET output = each.output::jsonb WHERE r.tenant = own AND r.idempotency_key = each.key;
  END LOOP;
  INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    SELECT own, 'action', n.object_id, 'action.called', n.actor, n.step_id, n.data, at
    FROM jsonb_to_recordset(given) n (object_id uuid, actor text, step_id text, data jsonb);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.close_calls TO holdfast_app;
