-- Uses up the decisions of some steps for their gates; answers with the steps that had any. The trigger guard lets a
-- decision be applied once, and only while it stands.
CREATE OR REPLACE FUNCTION holdfast.apply_decisions(
  instances uuid[], step_keys text[], gates text[], hashes text[], at timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  used_instances uuid[];
  used_keys text[];
BEGIN
  WITH found AS MATERIALIZED (
    SELECT g.gate, x.place
    FROM unnest(instances, step_keys, gates, hashes) g (instance, step_key, gate, compiled_hash) CROSS JOIN LATERAL (
      SELECT d.ctid AS place FROM holdfast.approval_decisions d
      WHERE d.tenant = own AND d.step_key = g.step_key AND d.instance_id = g.instance
        AND d.compiled_hash = g.compiled_hash AND NOT d.applied AND d.voided_at IS NULL FOR NO KEY UPDATE) x
  ), applied AS (
    UPDATE holdfast.approval_decisions d SET applied = true, applied_at = at, applied_by = n.gate
    FROM found n WHERE d.ctid = n.place
    RETURNING d.instance_id, d.step_key
  )
  SELECT array_agg(a.instance_id), array_agg(a.step_key) INTO used_instances, used_keys
    FROM (SELECT DISTINCT instance_id, step_key FROM applied) a;
  IF used_keys IS NULL THEN
    RETURN;
  END IF;
  WITH found AS MATERIALIZED (
    SELECT x.leaf, x.place FROM unnest(used_instances, used_keys) u (instance, step_key) CROSS JOIN LATERAL (
      SELECT s.tableoid AS leaf, s.ctid AS place FROM holdfast.workflow_step_executions s
      WHERE s.tenant = own AND s.instance_id = u.instance AND s.idempotency_key = u.step_key FOR NO KEY UPDATE) x
  )
  UPDATE holdfast.workflow_step_executions s SET applied = true
    FROM found n WHERE s.tableoid = n.leaf AND s.ctid = n.place;
  RETURN QUERY SELECT unnest(used_keys);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.apply_decisions TO holdfast_app;
