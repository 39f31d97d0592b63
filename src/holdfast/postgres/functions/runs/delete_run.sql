-- Deletes softly: the run is never leased again, its idempotency key is free, the row stays until retention takes it. Whoever waits for it is told at
-- once: one that is deleted while it executes may never get to its end.
CREATE OR REPLACE FUNCTION holdfast.delete_run(wanted uuid, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  gone record;
BEGIN
  UPDATE holdfast.workflow_run_live r SET deleted_at = at, delete_reason = reason, updated_at = at
    WHERE r.tenant = own AND r.id = wanted AND r.deleted_at IS NULL
    RETURNING r.status, false AS done, r.concurrency_key, r.parent_id INTO gone;
  IF NOT FOUND THEN
    UPDATE holdfast.workflow_run_done r SET deleted_at = at, delete_reason = reason, updated_at = at
      WHERE r.tenant = own AND r.id = wanted AND r.deleted_at IS NULL
      RETURNING r.status, true AS done, r.concurrency_key, r.parent_id INTO gone;
    IF NOT FOUND THEN
      RETURN false;
    END IF;
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
GRANT EXECUTE ON FUNCTION holdfast.delete_run TO holdfast_app;
