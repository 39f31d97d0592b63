-- Effects that were due before `late` and that nobody takes, by kind: how many, of how many tenants, since when. A kind of
-- which some are being sent has somebody who can, and much to do. Also those that a worker takes in vain, because an operator has to put
-- there what they lack: since they were written.
CREATE OR REPLACE FUNCTION holdfast.waiting_effects(late timestamptz)
RETURNS TABLE (kind text, lacks text, effects bigint, tenants bigint, since timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT e.effect_type, NULL::text, count(*), count(DISTINCT e.tenant), min(e.next_retry_at)
    FROM holdfast.workflow_side_effects_outbox e
    WHERE e.status IN ('pending', 'failed') AND e.next_retry_at < late AND NOT EXISTS (
      SELECT FROM holdfast.workflow_side_effects_outbox p
      WHERE p.status = 'processing' AND p.effect_type = e.effect_type)
    GROUP BY e.effect_type
    UNION ALL
    SELECT e.effect_type, holdfast.lacked_by_effect(e.error), count(*), count(DISTINCT e.tenant), min(e.created_at)
    FROM holdfast.workflow_side_effects_outbox e
    WHERE e.status = 'failed' AND e.next_retry_at >= late AND holdfast.lacked_by_effect(e.error) IS NOT NULL
    GROUP BY e.effect_type, holdfast.lacked_by_effect(e.error)
    ORDER BY 1, 2 NULLS FIRST;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.waiting_effects TO holdfast_worker;
