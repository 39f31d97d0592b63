-- Writes a decision with its event and, when it brings an outcome, closes the request. Then comes what follows from it: `advance` is what
-- `write_advance` and `settle_requests` take, or `posted`, the event that leaves it to a worker. The decision stands whatever becomes of an
-- advance: one that fails is undone by itself. Answers why it failed, if it did.
CREATE OR REPLACE FUNCTION holdfast.record_decision(
  decision jsonb, event text, actor text, node_id text, about jsonb, new_status text, new_outcome text, advance jsonb,
  posted jsonb, at timestamptz)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  made holdfast.approval_decisions := jsonb_populate_record(NULL::holdfast.approval_decisions, decision);
  told jsonb;
  failed text;
BEGIN
  INSERT INTO holdfast.approval_decisions
    (tenant, id, request_id, instance_id, step_key, entity_id, entity_version, content_hash, compiled_hash, decision, outcome,
     decided_by, seat, reason, answer, decided_at)
    VALUES (own, made.id, made.request_id, made.instance_id, made.step_key, made.entity_id, made.entity_version,
            made.content_hash, made.compiled_hash, made.decision, made.outcome, made.decided_by, made.seat, made.reason,
            made.answer, at);
  IF new_status IS NOT NULL THEN
    PERFORM holdfast.close_request(own, made.request_id, new_status, new_outcome, made.reason, NULL, at);
  END IF;
  -- The decision that brings the outcome and the end of the request are one event; with what followed, they are written together.
  told := jsonb_build_object(
    'object_kind', 'instance', 'object_id', made.instance_id, 'event_type', event, 'actor', actor, 'step_id', node_id,
    'data', about, 'trace_id', decision -> 'trace_id');
  IF advance IS NOT NULL THEN
    BEGIN
      PERFORM holdfast.write_advance(
        advance -> 'steps', advance -> 'settled', advance -> 'statuses', NULL, advance -> 'moved',
        told || coalesce(advance -> 'trail', '[]'), advance -> 'events', advance -> 'posted', NULL, at);
      IF advance ? 'closing' OR advance ? 'decided' THEN
        PERFORM holdfast.settle_requests(advance -> 'closing', advance -> 'decided', actor, at);
      END IF;
      RETURN NULL;
    EXCEPTION WHEN OTHERS THEN
      failed := SQLSTATE || ': ' || SQLERRM;
    END;
  END IF;
  PERFORM holdfast.write_advance(NULL, NULL, NULL, NULL, NULL, jsonb_build_array(told), NULL, posted, NULL, at);
  RETURN failed;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.record_decision TO holdfast_app;
