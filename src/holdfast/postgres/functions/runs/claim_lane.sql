-- Claims runs of one lane, by workflow_run_ready (tenant, type, priority DESC, run_at, id). Mostly a worker asks one lane, and a function of its
-- own has less to read, prepare and answer than claim_runs. The story, in order:
--
--   1. Behind the mark. Entries of claimed runs stay in the index until vacuum takes them away; a claim that began at the head would pass all of
--      them each time. So a claim tells where it ended (next_mark), and the next one may begin there (mark): first with what is more important
--      than the mark, then with what comes behind it.
--   2. By age, every so often, the priority whose oldest run has waited longest goes first, so that no priority starves.
--   3. From the head, when nothing or too little was found and the claim is `thorough`, or has no mark. When all that is there is locked, by a
--      transaction that cancels it perhaps, whatever else there is: other work must not wait for that transaction.
--   4. The mark for the next claim is the last of the addresses found: told when as many were found as asked for, or when not thorough.
--   5. The addresses are locked already (FOR UPDATE SKIP LOCKED), so one UPDATE takes them where they lie: in one pass over the table when they lie
--      in order, as runs that were enqueued together do.
--
-- Pauses are looked at with every row, so that a prefix paused a moment ago is not claimed from.
CREATE OR REPLACE FUNCTION holdfast.claim_lane(
  worker text, lane_tenant uuid, lane_type text, quota integer, lease interval, by_age boolean, at timestamptz,
  mark holdfast.run_mark DEFAULT NULL, thorough boolean DEFAULT true)
RETURNS TABLE (id uuid, lease_epoch bigint, attempt integer, max_attempts integer, payload text, trace_parent text,
               concurrency_key text, address tid, next_mark text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  lowest integer := -1000;
  highest integer := 1000;
  addresses tid[] := '{}';
  final holdfast.run_mark;
BEGIN
  IF mark.id IS NOT NULL THEN
    addresses := ARRAY(
      SELECT x.ctid FROM holdfast.workflow_run_live x
      WHERE x.tenant = lane_tenant AND x.type = lane_type AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
        AND x.priority > mark.priority
        AND NOT EXISTS (
          SELECT FROM holdfast.workflow_pause p WHERE p.tenant = lane_tenant AND starts_with(lane_type, p.prefix))
      ORDER BY x.priority DESC, x.run_at, x.id LIMIT quota FOR UPDATE SKIP LOCKED);
    IF cardinality(addresses) < quota THEN
      addresses := addresses || ARRAY(
        SELECT x.ctid FROM holdfast.workflow_run_live x
        WHERE x.tenant = lane_tenant AND x.type = lane_type AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
          AND x.priority = mark.priority AND (x.run_at, x.id) > (mark.run_at, mark.id)
          AND NOT EXISTS (
            SELECT FROM holdfast.workflow_pause p WHERE p.tenant = lane_tenant AND starts_with(lane_type, p.prefix))
        ORDER BY x.run_at, x.id LIMIT quota - cardinality(addresses) FOR UPDATE SKIP LOCKED);
    END IF;
  END IF;
  IF by_age THEN
    SELECT l.priority, l.priority INTO lowest, highest FROM holdfast.priority_levels(lane_tenant, lane_type) l
      ORDER BY l.run_at LIMIT 1;
  END IF;
  WHILE cardinality(addresses) < quota AND (thorough OR mark.id IS NULL) LOOP
    addresses := ARRAY(
      SELECT x.ctid FROM holdfast.workflow_run_live x
      WHERE x.tenant = lane_tenant AND x.type = lane_type AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
        AND x.priority BETWEEN lowest AND highest
        AND NOT EXISTS (
          SELECT FROM holdfast.workflow_pause p WHERE p.tenant = lane_tenant AND starts_with(lane_type, p.prefix))
      ORDER BY x.priority DESC, x.run_at, x.id LIMIT quota FOR UPDATE SKIP LOCKED);
    -- By age there is something, but locked: then whatever is not. (There is nothing at all where no priority was found.)
    EXIT WHEN cardinality(addresses) > 0 OR lowest IS NULL OR lowest < highest;
    lowest := -1000;
    highest := 1000;
  END LOOP;
  IF NOT by_age AND (cardinality(addresses) = quota OR cardinality(addresses) > 0 AND NOT thorough) THEN
    SELECT x.priority, x.run_at, x.id INTO final FROM holdfast.workflow_run_live x WHERE x.ctid = addresses[cardinality(addresses)];
  END IF;
  -- They are locked, so they stay in their addresses.
  IF cardinality(addresses) <= 1 OR addresses = ARRAY(SELECT p FROM unnest(addresses) p ORDER BY p) THEN
    RETURN QUERY
      UPDATE holdfast.workflow_run_live u
      SET status = 'leased', lease_epoch = u.lease_epoch + 1, attempt = u.attempt + 1, lease_until = at + lease,
          leased_by = worker, updated_at = at
      WHERE u.ctid = ANY (addresses)
      RETURNING u.id, u.lease_epoch, u.attempt, u.max_attempts, u.payload::text, u.trace_parent, u.concurrency_key, u.ctid,
                CASE WHEN u.id = final.id THEN final::text END;
  ELSE
    RETURN QUERY
      UPDATE holdfast.workflow_run_live u
      SET status = 'leased', lease_epoch = u.lease_epoch + 1, attempt = u.attempt + 1, lease_until = at + lease,
          leased_by = worker, updated_at = at
      FROM unnest(addresses) p (address) WHERE u.ctid = p.address
      RETURNING u.id, u.lease_epoch, u.attempt, u.max_attempts, u.payload::text, u.trace_parent, u.concurrency_key, u.ctid,
                CASE WHEN u.id = final.id THEN final::text END;
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.claim_lane TO holdfast_worker;
