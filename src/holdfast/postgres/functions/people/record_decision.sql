-- Writes a decision with its event; when it brings an outcome, closes the request; and posts what the engine is told of it.
CREATE OR REPLACE FUNCTION holdfast.record_decision(
  decision jsonb, event text, actor text, node_id text, about jsonb, new_status text, new_outcome text, posted jsonb,
  at timestamptz)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  made holdfast.approval_decisions := jsonb_populate_record(NULL::holdfast.approval_decisions, decision);
BEGIN
  INSERT INTO holdfast.approval_decisions
    (tenant, id, request_id, instance_id, step_key, entity_id, entity_version, content_hash, compiled_hash, decision, outcome,
     decided_by, seat, reason, answer, decided_at)
    VALUES (own, made.id, made.request_id, made.instance_id, made.step_key, made.entity_id, made.entity_version,
            made.content_hash, made.compiled_hash, made.decision, made.outcome, made.decided_by, made.seat, made.reason,
            made.answer, at);
  IF new_status IS NULL THEN
    INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
      VALUES (own, 'instance', made.instance_id, event, record_decision.actor, record_decision.node_id, about, at);
  ELSE
    -- The decision that brings the outcome and the end of the request are one event.
    PERFORM holdfast.close_requests(jsonb_build_array(jsonb_build_object(
      'id', made.request_id, 'status', new_status, 'outcome', new_outcome, 'reason', made.reason, 'what', 'decided',
      'about', about)), actor, at);
  END IF;
  IF posted IS NOT NULL THEN
    PERFORM holdfast.post_events(posted, at);
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.record_decision TO holdfast_app;
