-- Receipts of processes that were over before a time: they can never be asked for again. Answers how many rows went.
CREATE OR REPLACE FUNCTION holdfast.prune_receipts(before timestamptz, at_most integer) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  pruned bigint;
BEGIN
  WITH over AS MATERIALIZED (
    SELECT i.tenant, i.id FROM holdfast.workflow_instances i
    WHERE i.status IN ('completed', 'failed', 'cancelled') AND i.completed_at < before AND EXISTS (
      SELECT FROM holdfast.workflow_step_receipts r WHERE r.tenant = i.tenant AND r.instance_id = i.id)
    LIMIT at_most
  ), steps AS (
    DELETE FROM holdfast.workflow_step_receipts r USING over o
    WHERE r.tenant = o.tenant AND r.instance_id = o.id RETURNING 1
  ), events AS (
    DELETE FROM holdfast.workflow_outbox_receipts r USING over o
    WHERE r.tenant = o.tenant AND r.instance_id = o.id RETURNING 1
  )
  SELECT (SELECT count(*) FROM steps) + (SELECT count(*) FROM events) INTO pruned;
  RETURN pruned;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.prune_receipts TO holdfast_worker;
