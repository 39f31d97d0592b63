-- Writes decisions of one person, each with its event (`trail`), and the ends of the requests to which they bring an outcome (`ending`, as
-- `end_requests` takes them). Then comes what follows from them: `advance` is what `write_advance` and `settle_requests` take, and `posted`,
-- the events that leave it to a worker. Together: all of it or nothing. A decision by itself stands whatever becomes of its advance: one that
-- fails is undone alone. Answers why it failed, if it did.
CREATE OR REPLACE FUNCTION holdfast.record_decisions(
  given jsonb, trail jsonb, ending jsonb, advance jsonb, posted jsonb, actor text, together boolean, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  failed text;
BEGIN
  INSERT INTO holdfast.approval_decisions
    (tenant, id, request_id, instance_id, step_key, entity_id, entity_version, content_hash, compiled_hash, decision, outcome,
     decided_by, seat, reason, answer, decided_at)
    SELECT own, n.id, n.request_id, n.instance_id, n.step_key, n.entity_id, n.entity_version, n.content_hash, n.compiled_hash,
           n.decision, n.outcome, n.decided_by, n.seat, n.reason, n.answer, at
    FROM jsonb_to_recordset(given) n (
      id uuid, request_id uuid, instance_id uuid, step_key text, entity_id uuid, entity_version integer, content_hash text,
      compiled_hash text, decision text, outcome text, decided_by text, seat text, reason text, answer jsonb);
  IF ending IS NOT NULL THEN
    PERFORM holdfast.end_requests(own, ending, at);
  END IF;
  -- The decision that brings the outcome and the end of the request are one event; with what followed, they are written together.
  IF together THEN
    PERFORM holdfast.put_advance(
      own, advance -> 'steps', advance -> 'settled', advance -> 'statuses', NULL, advance -> 'moved',
      trail || coalesce(advance -> 'trail', '[]'), advance -> 'events',
      nullif(coalesce(advance -> 'posted', '[]') || coalesce(posted, '[]'), '[]'), NULL, at);
    PERFORM holdfast.settle_requests(advance -> 'closing', advance -> 'decided', actor, at);
    RETURN NULL;
  END IF;
  IF advance IS NOT NULL THEN
    BEGIN
      PERFORM holdfast.put_advance(
        own, advance -> 'steps', advance -> 'settled', advance -> 'statuses', NULL, advance -> 'moved',
        trail || coalesce(advance -> 'trail', '[]'), advance -> 'events', advance -> 'posted', NULL, at);
      IF advance ? 'closing' OR advance ? 'decided' THEN
        PERFORM holdfast.settle_requests(advance -> 'closing', advance -> 'decided', actor, at);
      END IF;
      RETURN NULL;
    EXCEPTION WHEN OTHERS THEN
      failed := SQLSTATE || ': ' || SQLERRM;
    END;
  END IF;
  PERFORM holdfast.put_advance(own, NULL, NULL, NULL, NULL, NULL, trail, NULL, posted, NULL, at);
  RETURN failed;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.record_decisions TO holdfast_app;
