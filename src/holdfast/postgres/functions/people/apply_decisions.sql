-- Uses up the decisions on some steps of an instance for a gate; answers with the steps that had any. The trigger guard
-- lets a decision be applied once, and only while it stands. For `settle_requests`, with whose rights it runs: nobody else may call it.
CREATE OR REPLACE FUNCTION holdfast.apply_decisions(
  instance uuid, step_keys text[], gate text, hash text, at timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  used text;
BEGIN
  FOREACH used IN ARRAY step_keys LOOP
    UPDATE holdfast.approval_decisions d SET applied = true, applied_at = at, applied_by = gate
      WHERE d.tenant = own AND d.step_key = used AND d.instance_id = instance AND d.compiled_hash = hash
        AND d.applied IS NOT TRUE AND d.voided_at IS NULL; -- not by the index of all that are unapplied
    CONTINUE WHEN NOT FOUND;
    UPDATE holdfast.workflow_step_executions s SET applied = true
      WHERE s.tenant = own AND s.instance_id = instance AND s.idempotency_key = used;
    RETURN NEXT used;
  END LOOP;
END
$$;
