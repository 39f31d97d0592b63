-- Runs that nobody thought of.
--
-- A run that was deleted before it was finished stays in the live branch, where retention never looked: it now takes them
-- too. A run that is deleted while it executes may never get to its end, so whoever started it is told at once. And a
-- tenant's weight that is no number counts as one instead of stopping every worker.

-- Those that are deleted but not finished.
CREATE INDEX workflow_run_deleted ON holdfast.workflow_run_live (tenant, deleted_at) WHERE deleted_at IS NOT NULL;

CREATE OR REPLACE FUNCTION holdfast.drop_finished_runs(before timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  last timestamptz := date_trunc('month', before AT TIME ZONE 'UTC') AT TIME ZONE 'UTC';
BEGIN
  DELETE FROM holdfast.workflow_run_key k USING holdfast.workflow_run_done d
    WHERE d.finished_at < last AND d.idempotency_key IS NOT NULL AND k.tenant = d.tenant AND k.run_id = d.id;
  DELETE FROM holdfast.workflow_run_step s USING holdfast.workflow_run_done d
    WHERE d.finished_at < last AND s.tenant = d.tenant AND s.run_id = d.id;
  DELETE FROM holdfast.workflow_run_step s USING holdfast.workflow_run_live r
    WHERE r.deleted_at < before AND r.status = 'pending' AND s.tenant = r.tenant AND s.run_id = r.id;
  DELETE FROM holdfast.workflow_run_live r USING holdfast.tenants t
    WHERE r.tenant = t.tenant AND r.deleted_at < before AND r.status = 'pending';
  RETURN QUERY SELECT holdfast.drop_partitions('workflow_run_done', last);
END
$$;

CREATE OR REPLACE FUNCTION holdfast.delete_run(wanted uuid, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  gone record;
BEGIN
  UPDATE holdfast.workflow_run r SET deleted_at = at, delete_reason = reason, updated_at = at
    WHERE r.tenant = own AND r.id = wanted AND r.deleted_at IS NULL
    RETURNING r.status, r.done, r.concurrency_key, r.parent_id INTO gone;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  DELETE FROM holdfast.workflow_run_key k WHERE k.tenant = own AND k.run_id = wanted;
  IF gone.status = 'pending' AND gone.concurrency_key IS NOT NULL THEN
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key) VALUES (own, 'key', gone.concurrency_key);
  END IF;
  IF NOT gone.done AND gone.parent_id IS NOT NULL THEN
    -- It will never run again, so nobody must wait for it.
    PERFORM holdfast.tell_parents(ARRAY[own], ARRAY[wanted], ARRAY['{"status": "deleted"}'::jsonb], 'run:' || wanted, at);
  END IF;
  PERFORM pg_notify('holdfast_runs', '');
  RETURN true;
END
$$;

CREATE OR REPLACE FUNCTION holdfast.ready_lanes(prefixes text[], types text[])
RETURNS TABLE (tenant uuid, type text, weight integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT l.tenant, l.type,
           CASE WHEN t.settings ->> 'weight' ~ '^[0-9]+([.][0-9]+)?$'
             THEN greatest(1, least(1000, (t.settings ->> 'weight')::numeric))::integer ELSE 1 END
    FROM holdfast.workflow_lane l JOIN holdfast.tenants t ON t.tenant = l.tenant
    -- One look into each lane. As EXISTS it would be a join, and read all that is ready to find out where something is.
    CROSS JOIN LATERAL (
      SELECT FROM holdfast.workflow_run_live r
      WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
      LIMIT 1) something
    WHERE (l.type = ANY (types) OR EXISTS (SELECT FROM unnest(prefixes) p WHERE starts_with(l.type, p)))
      AND NOT EXISTS (SELECT FROM holdfast.workflow_pause p WHERE p.tenant = l.tenant AND starts_with(l.type, p.prefix));
END
$$;
