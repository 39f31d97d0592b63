-- Withdraws what was enqueued for steps that are no longer wanted and has not left yet, each with its event.
CREATE OR REPLACE FUNCTION holdfast.withdraw_effects(own_instance uuid, keys text[], why text, actor text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  gone integer;
BEGIN
  WITH withdrawn AS (
    UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'cancelled', error = why, lease_until = NULL, leased_by = NULL
    WHERE e.tenant = own AND e.instance_id = own_instance AND e.step_key = ANY (keys)
      AND e.status IN ('pending', 'failed', 'processing')
    RETURNING e.id, e.effect_type, e.node_id, e.trace_id
  )
  INSERT INTO holdfast.workflow_event_chained
    (tenant, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at)
    SELECT own, 'instance', own_instance, 'effect.withdrawn', withdraw_effects.actor, w.node_id,
           jsonb_build_object('effect', w.id, 'kind', w.effect_type, 'reason', why), w.trace_id, at
    FROM withdrawn w;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.withdraw_effects TO holdfast_app;
