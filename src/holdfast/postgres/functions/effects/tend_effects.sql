-- Takes back effects whose holder is gone, and answers how many, with the time at which the next effect is due.
CREATE OR REPLACE FUNCTION holdfast.tend_effects(kinds text[], at timestamptz) RETURNS TABLE (taken_back integer, next_due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH expired AS MATERIALIZED (
    SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_effect_lane l CROSS JOIN LATERAL (
      SELECT e.tenant, e.created_at, e.id FROM holdfast.workflow_side_effects_outbox e
      WHERE e.tenant = l.tenant AND e.status = 'processing' AND e.lease_until < at
      ORDER BY e.lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED) x
  ), back AS (
    UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'failed', error = 'lease_expired', lease_until = NULL, leased_by = NULL,
        next_retry_at = at + random() * interval '1 s'
    FROM expired x WHERE e.tenant = x.tenant AND e.created_at = x.created_at AND e.id = x.id
    RETURNING e.id
  )
  SELECT count(*) INTO taken_back FROM back;
  SELECT min(d.next_retry_at) INTO next_due
    FROM holdfast.workflow_effect_lane l CROSS JOIN unnest(kinds) k (kind) CROSS JOIN LATERAL (
      SELECT e.next_retry_at FROM holdfast.workflow_side_effects_outbox e
      WHERE e.tenant = l.tenant AND e.effect_type = k.kind AND e.status IN ('pending', 'failed')
      ORDER BY e.next_retry_at LIMIT 1) d;
  RETURN NEXT;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.tend_effects TO holdfast_worker;
