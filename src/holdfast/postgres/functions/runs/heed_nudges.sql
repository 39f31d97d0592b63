-- Consumes nudges: wakes those whose event has happened, admits those whose key has a slot. Whom somebody has locked is woken by the next look.
CREATE OR REPLACE FUNCTION holdfast.heed_nudges(at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  tenants uuid[];
  kinds text[];
  keys text[];
  woken record;
  admit_tenants uuid[];
  admit_keys text[];
BEGIN
  WITH read AS (
    DELETE FROM holdfast.workflow_nudge n
    WHERE n.ctid = ANY (ARRAY(SELECT m.ctid FROM holdfast.workflow_nudge m LIMIT 1000 FOR UPDATE SKIP LOCKED))
    RETURNING n.tenant, n.kind, n.key
  )
  SELECT array_agg(r.tenant), array_agg(r.kind), array_agg(r.key) INTO tenants, kinds, keys
    FROM (SELECT DISTINCT * FROM read) r;
  IF tenants IS NULL THEN
    RETURN;
  END IF;
  SELECT array_agg(n.tenant), array_agg(n.key) INTO admit_tenants, admit_keys
    FROM unnest(tenants, kinds, keys) n (tenant, kind, key) WHERE n.kind = 'key';
  FOR woken IN
    WITH waiting AS MATERIALIZED (
      SELECT w.address FROM unnest(tenants, kinds, keys) n (tenant, kind, key)
      JOIN holdfast.workflow_awaited_event e ON e.tenant = n.tenant AND e.key = n.key
      CROSS JOIN LATERAL (
        SELECT r.ctid AS address FROM holdfast.workflow_run_live r
        WHERE r.tenant = n.tenant AND r.waiting_for = n.key AND r.waiting_for IS NOT NULL
        FOR UPDATE SKIP LOCKED) w
      WHERE n.kind = 'event'
    )
    UPDATE holdfast.workflow_run_live r
    SET waiting_for = NULL, run_at = at, ready = r.concurrency_key IS NULL, blocked = r.concurrency_key IS NOT NULL,
        updated_at = at
    FROM waiting w WHERE r.ctid = w.address -- locked above, so it stays where it is
    RETURNING r.tenant, r.type, r.concurrency_key
  LOOP
    IF woken.concurrency_key IS NULL THEN
      PERFORM pg_notify('holdfast_runs', woken.tenant || ':' || woken.type);
    ELSE
      admit_tenants := admit_tenants || woken.tenant;
      admit_keys := admit_keys || woken.concurrency_key;
    END IF;
  END LOOP;
  INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT n.tenant, n.kind, n.key FROM unnest(tenants, kinds, keys) n (tenant, kind, key)
    JOIN holdfast.workflow_awaited_event e ON e.tenant = n.tenant AND e.key = n.key
    WHERE n.kind = 'event' AND EXISTS (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = n.tenant AND r.waiting_for = n.key AND r.waiting_for IS NOT NULL);
  IF admit_keys IS NOT NULL THEN
    PERFORM holdfast.admit_runs(admit_tenants, admit_keys, at);
  END IF;
END
$$;
