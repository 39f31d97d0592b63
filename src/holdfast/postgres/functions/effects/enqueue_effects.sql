-- Effects that steps of processes ask for, for a worker to send. The receipt comes first: an effect whose key is known is not written again
-- (WF-11), on the receipts' primary key. Answers how many are new. Receipts are evidence, so nobody else writes them.
CREATE OR REPLACE FUNCTION holdfast.enqueue_effects(
  ids uuid[], instances uuid[], steps uuid[], step_keys text[], nodes text[], tokens text[], kinds text[], payloads text[], keys text[],
  awaited boolean[], max_attempts integer[], traces text[], actor text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  written integer;
BEGIN
  INSERT INTO holdfast.workflow_effect_lane (tenant) VALUES (own) ON CONFLICT DO NOTHING;
  WITH new AS (
    SELECT * FROM unnest(ids, instances, steps, step_keys, nodes, tokens, kinds, payloads, keys, awaited, max_attempts, traces)
      n (id, instance, step, step_key, node, token, kind, payload, key, awaited, attempts, trace)
  ), receipt AS (
    INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
    SELECT own, n.instance, 'side_effects', n.key, at FROM new n
    ON CONFLICT DO NOTHING
    RETURNING instance_id, event_idempotency_key
  )
  INSERT INTO holdfast.workflow_side_effects_outbox
    (tenant, created_at, id, instance_id, step_execution_id, step_key, node_id, token_id, effect_type, payload_json,
     event_idempotency_key, awaited, max_attempts, created_by, trace_id, next_retry_at)
  SELECT own, at, n.id, n.instance, n.step, n.step_key, n.node, n.token, n.kind,
         n.payload::jsonb, n.key, n.awaited, n.attempts, actor, n.trace, at
  FROM new n JOIN receipt r ON r.instance_id = n.instance AND r.event_idempotency_key = n.key;
  GET DIAGNOSTICS written = ROW_COUNT;
  RETURN written;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.enqueue_effects TO holdfast_app;
