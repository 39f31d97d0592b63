-- A dead letter that nobody wants any more: it is cancelled, with the reason for it and the event of it, and counts no longer. Its step heard long ago
-- that it did not arrive. Answers whether there was one.
CREATE OR REPLACE FUNCTION holdfast.skip_effect(wanted uuid, reason text, actor text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  done boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  WITH skipped AS (
    UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'cancelled'
    WHERE e.tenant = own AND e.id = wanted AND e.status = 'dead_letter'
    RETURNING e.id, e.instance_id, e.effect_type
  )
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
    SELECT own, 'instance', s.instance_id, 'effect.skipped', skip_effect.actor,
           jsonb_build_object('effect', s.id, 'kind', s.effect_type, 'reason', skip_effect.reason), at
    FROM skipped s;
  done := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  RETURN done;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.skip_effect TO holdfast_app;
