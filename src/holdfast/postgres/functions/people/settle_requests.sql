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
  asked record;
  used text[];
  applied text[];
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
  FOR step IN
    SELECT * FROM jsonb_to_recordset(decided) n (
      instance_id uuid, key text, node text, outcome text, gate boolean, used text[], compiled_hash text)
  LOOP
    SELECT r.id, r.outcome INTO asked FROM holdfast.approval_requests r
      WHERE r.tenant = own AND r.step_key = step.key ORDER BY r.stage DESC LIMIT 1;
    IF asked.id IS NULL AND NOT step.gate OR asked.id IS NOT NULL AND (
      asked.outcome IS DISTINCT FROM step.outcome OR EXISTS (
        SELECT FROM holdfast.approval_decisions d
        WHERE d.tenant = own AND d.request_id = asked.id AND (d.voided_at IS NOT NULL OR d.applied))) THEN
      RAISE EXCEPTION '% cannot end with %: nobody who was asked has decided so', step.node, quote_literal(step.outcome)
        USING ERRCODE = 'HF003', HINT = 'decide on its request';
    END IF;
    CONTINUE WHEN NOT step.gate;
    used := CASE WHEN cardinality(step.used) > 0 THEN step.used WHEN asked.id IS NOT NULL THEN ARRAY[step.key] ELSE '{}' END;
    CONTINUE WHEN cardinality(used) = 0;
    applied := ARRAY(SELECT holdfast.apply_decisions(step.instance_id, used, step.key, step.compiled_hash, at));
    IF EXISTS (
      SELECT FROM unnest(used) u (key) WHERE u.key <> ALL (applied) AND NOT (
        NOT EXISTS (SELECT FROM holdfast.approval_requests r WHERE r.tenant = own AND r.step_key = u.key)
        AND EXISTS (
          SELECT FROM holdfast.workflow_step_executions s
          WHERE s.tenant = own AND s.instance_id = step.instance_id AND s.idempotency_key = u.key
            AND s.node_type = 'action'))) THEN
      RAISE EXCEPTION '% cannot use a decision that is void, used up, or made for another workflow', step.node
        USING ERRCODE = 'HF003', HINT = 'ask again about what the document has become';
    END IF;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settle_requests TO holdfast_app;
