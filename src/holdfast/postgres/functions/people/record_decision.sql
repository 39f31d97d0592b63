-- Writes a decision with its event and, when it brings an outcome, closes the request. Then comes what follows from it: `advance` is what
-- `write_advance` and `settle_requests` take. The decision stands whatever becomes of that: an advance that fails is undone by itself, and
-- `posted`, the event that lets a worker do it, is left in its place. Without an advance, `posted` is left at once.
-- Answers why the advance failed, if it did.
CREATE OR REPLACE FUNCTION holdfast.record_decision(
  decision jsonb, event text, actor text, node_id text, about jsonb, new_status text, new_outcome text, advance jsonb,
  posted jsonb, at timestamptz)
RETURNS text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  made holdfast.approval_decisions := jsonb_populate_record(NULL::holdfast.approval_decisions, decision);
  failed text;
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
  IF advance IS NOT NULL THEN
    BEGIN
      PERFORM holdfast.write_advance(
        advance -> 'steps', advance -> 'settled', advance -> 'statuses', NULL, advance -> 'moved', advance -> 'trail',
        advance -> 'events', advance -> 'posted', NULL, at);
      PERFORM holdfast.settle_requests(advance -> 'closing', advance -> 'decided', actor, at);
      RETURN NULL;
    EXCEPTION WHEN OTHERS THEN
      failed := SQLSTATE || ': ' || SQLERRM;
    END;
  END IF;
  IF posted IS NOT NULL THEN
    PERFORM holdfast.post_events(posted, at);
  END IF;
  RETURN failed;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.record_decision TO holdfast_app;
