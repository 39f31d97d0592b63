-- A dead letter gets as many attempts again as it had, with the event of it. Answers whether there was one.
CREATE OR REPLACE FUNCTION holdfast.replay_effect(wanted uuid, actor text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  done boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  WITH replayed AS (
    UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'pending', attempts = 0, next_retry_at = at, error = NULL
    WHERE e.tenant = own AND e.id = wanted AND e.status = 'dead_letter'
    RETURNING e.id, e.instance_id, e.effect_type
  )
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
    SELECT own, 'instance', r.instance_id, 'effect.replayed', replay_effect.actor,
           jsonb_build_object('effect', r.id, 'kind', r.effect_type), at
    FROM replayed r;
  done := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  RETURN done;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.replay_effect TO holdfast_app;
