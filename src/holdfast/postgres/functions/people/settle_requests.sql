-- Brings requests and decisions in line with steps that were written (WF-03).
--   closing  requests whose steps ended without people, as `close_requests` takes them
--   decided  steps that say they ended as somebody decided; each must have ended the way its last request did. A gate uses up the decisions
--            on the steps it names, or on its own, once: the trigger guard lets each be applied only while it stands. A step that an action
--            ended in the organisation's name asked nobody.
-- What does not hold raises, and whatever led to it is undone.
CREATE OR REPLACE FUNCTION holdfast.settle_requests(closing jsonb, decided jsonb, actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  step record;
BEGIN
  IF closing IS NOT NULL THEN
    -- A decision stands from the moment it was made: time that comes by after it is late.
    IF EXISTS (
      SELECT FROM jsonb_to_recordset(closing) n (step_key text, status text)
      CROSS JOIN LATERAL (
        SELECT r.id, r.outcome FROM holdfast.approval_requests r
        WHERE r.tenant = own AND r.step_key = n.step_key ORDER BY r.stage DESC LIMIT 1) r
      WHERE n.status = 'timeout' AND r.outcome IS NOT NULL AND NOT EXISTS (
        SELECT FROM holdfast.approval_decisions d
        WHERE d.tenant = own AND d.request_id = r.id AND (d.voided_at IS NOT NULL OR d.applied))) THEN
      RAISE EXCEPTION 'people have decided, and the process has not heard of it yet' USING ERRCODE = 'HF001';
    END IF;
    PERFORM holdfast.close_requests(closing, actor, at);
  END IF;
  IF decided IS NULL THEN
    RETURN;
  END IF;
  SELECT n.node, n.outcome INTO step
    FROM jsonb_to_recordset(decided) n (key text, node text, outcome text, gate boolean)
    LEFT JOIN LATERAL (
      SELECT r.id, r.outcome FROM holdfast.approval_requests r
      WHERE r.tenant = own AND r.step_key = n.key ORDER BY r.stage DESC LIMIT 1) asked ON true
    WHERE asked.id IS NULL AND NOT n.gate OR asked.id IS NOT NULL AND (
      asked.outcome IS DISTINCT FROM n.outcome OR EXISTS (
        SELECT FROM holdfast.approval_decisions d
        WHERE d.tenant = own AND d.request_id = asked.id AND (d.voided_at IS NOT NULL OR d.applied)))
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION '% cannot end with %: nobody who was asked has decided so', step.node, quote_literal(step.outcome)
      USING ERRCODE = 'HF003', HINT = 'decide on its request';
  END IF;
  IF NOT jsonb_path_exists(decided, '$[*] ? (@.gate == true)') THEN
    RETURN;
  END IF;
  WITH gate AS MATERIALIZED (
    SELECT n.instance_id, n.key, n.node, n.compiled_hash, u.key AS used
    FROM jsonb_to_recordset(decided) n (instance_id uuid, key text, node text, gate boolean, used text[], compiled_hash text)
    CROSS JOIN LATERAL unnest(CASE WHEN cardinality(n.used) > 0 THEN n.used ELSE ARRAY[n.key] END) u (key)
    WHERE n.gate AND (cardinality(n.used) > 0 OR EXISTS (
      SELECT FROM holdfast.approval_requests r WHERE r.tenant = own AND r.step_key = n.key))
  ), applied AS (
    UPDATE holdfast.approval_decisions d SET applied = true, applied_at = at, applied_by = g.key
    FROM gate g JOIN holdfast.approval_requests r ON r.tenant = own AND r.step_key = g.used
    WHERE d.tenant = own AND d.request_id = r.id AND d.instance_id = g.instance_id AND d.compiled_hash = g.compiled_hash
      AND NOT d.applied AND d.voided_at IS NULL
    RETURNING g.key AS gate, g.used, d.instance_id
  ), marked AS (
    UPDATE holdfast.workflow_step_executions s SET applied = true
    FROM (SELECT DISTINCT a.instance_id, a.used FROM applied a) a
    WHERE s.tenant = own AND s.instance_id = a.instance_id AND s.idempotency_key = a.used
  )
  SELECT g.node INTO step FROM gate g
    WHERE NOT EXISTS (SELECT FROM applied a WHERE a.gate = g.key AND a.used = g.used) AND NOT (
      NOT EXISTS (SELECT FROM holdfast.approval_requests r WHERE r.tenant = own AND r.step_key = g.used)
      AND EXISTS (
        SELECT FROM holdfast.workflow_step_executions s
        WHERE s.tenant = own AND s.instance_id = g.instance_id AND s.idempotency_key = g.used AND s.node_type = 'action'))
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION '% cannot use a decision that is void, used up, or made for another workflow', step.node
      USING ERRCODE = 'HF003', HINT = 'ask again about what the document has become';
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settle_requests TO holdfast_app;
