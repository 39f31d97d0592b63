-- Cancels a live run and those it started, whoever holds them: the canceller owns the status, holders find out at their next heartbeat. Answers
-- with all that were cancelled, itself first.
CREATE OR REPLACE FUNCTION holdfast.cancel_run(wanted uuid, reason text, actor text, publishes text, at timestamptz)
RETURNS TABLE (id uuid, was text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  ended_ids uuid[];
  were text[];
BEGIN
  WITH RECURSIVE tree AS (
    SELECT r.id, 0 AS depth FROM holdfast.workflow_run_live r WHERE r.tenant = own AND r.id = wanted
    UNION ALL
    SELECT c.id, t.depth + 1 FROM tree t
    JOIN holdfast.workflow_run_live c ON c.tenant = own AND c.parent_id = t.id AND c.parent_id IS NOT NULL
  ), ended AS (
    DELETE FROM holdfast.workflow_run_live r USING tree t WHERE r.tenant = own AND r.id = t.id RETURNING r.*, t.depth
  ), moved AS (
    INSERT INTO holdfast.workflow_run_done
      (tenant, id, type, status, priority, idempotency_key, payload, error, last_error, attempt, max_attempts,
       run_at, lease_epoch, trace_parent, created_by, created_at, updated_at, finished_at, deleted_at, delete_reason,
       concurrency_key, concurrency_limit, parent_id, party)
    SELECT e.tenant, e.id, e.type, 'cancelled', e.priority, e.idempotency_key, e.payload, e.error, reason,
           e.attempt, e.max_attempts, e.run_at, e.lease_epoch, e.trace_parent, e.created_by, e.created_at, at, at,
           e.deleted_at, e.delete_reason, e.concurrency_key, e.concurrency_limit, e.parent_id, e.party
    FROM ended e
  ), happened AS (
    INSERT INTO holdfast.workflow_awaited_event (tenant, key, payload, created_by, created_at)
    SELECT own, 'run:' || e.id, '{"status": "cancelled"}', 'run:' || wanted, at FROM ended e WHERE e.parent_id IS NOT NULL
    ON CONFLICT DO NOTHING
  ), nudged AS (
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT own, 'event', 'run:' || e.id FROM ended e WHERE e.parent_id IS NOT NULL
    UNION ALL
    SELECT own, 'key', e.concurrency_key FROM ended e WHERE e.concurrency_key IS NOT NULL
  )
  SELECT array_agg(e.id ORDER BY e.depth, e.id), array_agg(e.status ORDER BY e.depth, e.id) INTO ended_ids, were
    FROM ended e;
  IF ended_ids IS NULL THEN
    RETURN;
  END IF;
  IF publishes <> 'nothing' THEN
    PERFORM holdfast.publish_outcomes(array_fill(own, ARRAY[cardinality(ended_ids)]), ended_ids, publishes, actor, at);
  END IF;
  PERFORM pg_notify('holdfast_runs', '');
  RETURN QUERY SELECT * FROM unnest(ended_ids, were);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.cancel_run TO holdfast_app;
