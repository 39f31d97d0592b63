-- What makes a live run sound, in place of CHECK constraints (see the migration): the same rules, the same SQLSTATE, the rule named.
CREATE OR REPLACE FUNCTION holdfast.check_run() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status = 'pending' AND NEW.lease_until IS NULL AND NEW.leased_by IS NULL
       AND NEW.waiting_for IS NULL AND NEW.idempotency_key IS NULL AND NEW.concurrency_key IS NULL
       AND NEW.concurrency_limit IS NULL AND NOT NEW.blocked AND NEW.attempt = 0
       AND NEW.max_attempts BETWEEN 1 AND 1000 AND NEW.priority BETWEEN -1000 AND 1000 AND length(NEW.type) BETWEEN 1 AND 256
    THEN
      RETURN NEW;
    END IF;
  END IF;
  -- One expression that asks for the status first: each statement of a function, and each comparison of texts, costs as much
  -- as several other conditions. OLD is null for a new run.
  broken := coalesce(CASE
    WHEN NEW.status = 'pending' THEN CASE
      WHEN OLD.status <> 'pending' AND OLD.status <> 'leased' THEN 'workflow_run_transition'
      WHEN NEW.lease_until IS NOT NULL OR NEW.leased_by IS NOT NULL THEN 'workflow_run_lease'
      WHEN NEW.blocked AND (NEW.ready OR NEW.concurrency_key IS NULL) OR NEW.waiting_for IS NOT NULL AND NEW.ready
        THEN 'workflow_run_waiting'
    END
    WHEN NEW.status = 'leased' THEN CASE
      WHEN OLD.status <> 'pending' AND OLD.status <> 'leased' THEN 'workflow_run_transition'
      WHEN NEW.lease_until IS NULL OR NEW.leased_by IS NULL THEN 'workflow_run_lease'
      WHEN NEW.blocked OR NEW.waiting_for IS NOT NULL THEN 'workflow_run_waiting'
    END
    -- A run that is over is in the other table.
    WHEN NEW.status IN ('succeeded', 'failed', 'cancelled') THEN 'workflow_run_finished'
    ELSE 'workflow_run_status'
  END, CASE
    WHEN NEW.attempt < 0 THEN 'workflow_run_attempt'
    WHEN NEW.max_attempts NOT BETWEEN 1 AND 1000 THEN 'workflow_run_max_attempts'
    WHEN NEW.priority NOT BETWEEN -1000 AND 1000 THEN 'workflow_run_priority'
    WHEN length(NEW.type) NOT BETWEEN 1 AND 256 THEN 'workflow_run_type'
    WHEN length(NEW.idempotency_key) NOT BETWEEN 1 AND 512 THEN 'workflow_run_idempotency_key'
    WHEN (NEW.concurrency_key IS NULL) <> (NEW.concurrency_limit IS NULL) THEN 'workflow_run_limit'
    WHEN length(NEW.concurrency_key) NOT BETWEEN 1 AND 256 THEN 'workflow_run_concurrency_key'
    WHEN NEW.concurrency_limit NOT BETWEEN 1 AND 10000 THEN 'workflow_run_concurrency_limit'
  END);
  IF broken = 'workflow_run_transition' THEN
    RAISE EXCEPTION 'a run cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'HF001', HINT = 'a finished run stays as it is; enqueue a new one';
  ELSIF broken IS NOT NULL THEN
    RAISE EXCEPTION 'run % violates check constraint "%"', NEW.id, broken
      USING ERRCODE = 'check_violation', SCHEMA = 'holdfast', TABLE = 'workflow_run', CONSTRAINT = broken;
  END IF;
  IF OLD.updated_at = NEW.updated_at THEN
    NEW.updated_at := now();
  END IF;
  RETURN NEW;
END
$$;
