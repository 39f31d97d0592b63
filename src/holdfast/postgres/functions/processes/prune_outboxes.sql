-- Outbox rows that are done with for long. Dead letters stay until somebody replays or skips them.
CREATE OR REPLACE FUNCTION holdfast.prune_outboxes(before timestamptz, at_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  pruned bigint;
BEGIN
  WITH events AS (
    DELETE FROM holdfast.workflow_events_outbox o USING (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_events_outbox x
      WHERE x.created_at < before AND x.status IN ('completed', 'cancelled') LIMIT at_most) old
    WHERE o.tenant = old.tenant AND o.created_at = old.created_at AND o.id = old.id RETURNING 1
  ), effects AS (
    DELETE FROM holdfast.workflow_side_effects_outbox o USING (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_side_effects_outbox x
      WHERE x.created_at < before AND x.status IN ('completed', 'cancelled') LIMIT at_most) old
    WHERE o.tenant = old.tenant AND o.created_at = old.created_at AND o.id = old.id RETURNING 1
  )
  SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM effects) INTO pruned;
  RETURN pruned;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.prune_outboxes TO holdfast_worker;
