-- Hands events back: after `delay`, with the attempt given back where it did not count; or as a dead letter.
CREATE OR REPLACE FUNCTION holdfast.release_events(given jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  released integer := 0;
  each record;
BEGIN
  FOR each IN
    SELECT * FROM jsonb_to_recordset(given) x (
      tenant uuid, id uuid, created_at timestamptz, epoch bigint, delay interval, counted boolean, buried boolean, error text)
  LOOP
    UPDATE holdfast.workflow_events_outbox o
      SET status = CASE WHEN each.buried THEN 'dead_letter' WHEN each.counted THEN 'failed' ELSE 'pending' END,
          attempts = o.attempts - CASE WHEN each.counted THEN 0 ELSE 1 END,
          next_retry_at = at + each.delay, lease_until = NULL, leased_by = NULL, error = coalesce(each.error, o.error)
      WHERE o.tenant = each.tenant AND o.created_at = each.created_at AND o.id = each.id AND o.lease_epoch = each.epoch
        AND o.lease_until IS NOT NULL;
    released := released + CASE WHEN FOUND THEN 1 ELSE 0 END;
  END LOOP;
  RETURN released;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.release_events TO holdfast_worker;
