-- (Where a way to read a table is closed, reading it that way all the same, when there is no other, looks so dear to the
-- planner that it would compile the statement first; hence jit = off.)
--
-- Gives the turn under some keys to those who are next. The lock makes it one decision at a time for a key; only workers'
-- short transactions hold it. A run that somebody else has locked is passed over, and the key looked at again.
CREATE OR REPLACE FUNCTION holdfast.admit_runs(tenants uuid[], keys text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  one record;
  next record;
  admitted integer;
BEGIN
  FOR one IN
    SELECT DISTINCT k.tenant, k.key FROM unnest(tenants, keys) k (tenant, key) WHERE k.key IS NOT NULL ORDER BY 1, 2
  LOOP
    PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.admit:' || one.tenant || ':' || one.key, 0));
    SELECT count(*) INTO admitted FROM (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = one.tenant AND r.concurrency_key = one.key AND r.concurrency_key IS NOT NULL AND r.ready
        AND (r.deleted_at IS NULL OR r.lease_until IS NOT NULL)
      LIMIT 10000) here;
    LOOP
      SELECT r.id, r.type, r.concurrency_limit INTO next FROM holdfast.workflow_run_live r
        WHERE r.tenant = one.tenant AND r.concurrency_key = one.key AND r.blocked AND r.deleted_at IS NULL
        ORDER BY r.priority DESC, r.run_at, r.id LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN
        IF EXISTS (SELECT FROM holdfast.workflow_run_live r
                   WHERE r.tenant = one.tenant AND r.concurrency_key = one.key AND r.blocked AND r.deleted_at IS NULL) THEN
          INSERT INTO holdfast.workflow_nudge (tenant, kind, key) VALUES (one.tenant, 'key', one.key);
        END IF;
        EXIT;
      END IF;
      EXIT WHEN admitted >= next.concurrency_limit;
      UPDATE holdfast.workflow_run_live r SET ready = true, blocked = false, updated_at = at
        WHERE r.tenant = one.tenant AND r.id = next.id;
      admitted := admitted + 1;
      PERFORM pg_notify('holdfast_runs', one.tenant || ':' || next.type);
    END LOOP;
  END LOOP;
END
$$;
