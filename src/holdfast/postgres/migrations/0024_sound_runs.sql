-- What makes a run sound is seen to by triggers, no longer by CHECK constraints.
--
-- Postgres reads the CHECK constraints of a table, and the conditions of its triggers, anew for every statement that writes
-- to it. Those of a run took about as long as everything else that enqueueing or claiming a single one does. A function is
-- read once by each connection, and costs a run in a batch about what the constraints did. The rules are those that were.
--
-- Finished runs keep a constraint. They come from the live branch, mostly many in a statement, and have few rules.

ALTER TABLE holdfast.workflow_run
  DROP CONSTRAINT workflow_run_type_check, DROP CONSTRAINT workflow_run_status_check,
  DROP CONSTRAINT workflow_run_priority_check, DROP CONSTRAINT workflow_run_idempotency_key_check,
  DROP CONSTRAINT workflow_run_attempt_check, DROP CONSTRAINT workflow_run_max_attempts_check,
  DROP CONSTRAINT workflow_run_concurrency_key_check, DROP CONSTRAINT workflow_run_concurrency_limit_check,
  DROP CONSTRAINT workflow_run_limit, DROP CONSTRAINT workflow_run_waiting, DROP CONSTRAINT workflow_run_lease,
  DROP CONSTRAINT workflow_run_finished;
ALTER TABLE holdfast.workflow_run_done ADD CONSTRAINT workflow_run_finished CHECK (
  status = ANY ('{succeeded,failed,cancelled}'::text[]) AND num_nonnulls(lease_until, leased_by, waiting_for) = 0
  AND NOT blocked);

CREATE FUNCTION holdfast.check_run() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  -- One expression that asks for the status first: each statement of a function, and each comparison of texts, costs as much
  -- as several other conditions. OLD is null for a new run.
  broken text := coalesce(CASE
    WHEN NEW.status = 'pending' THEN CASE
      WHEN OLD.status <> 'pending' AND OLD.status <> 'leased' THEN 'workflow_run_transition'
      WHEN NEW.lease_until IS NOT NULL OR NEW.leased_by IS NOT NULL THEN 'workflow_run_lease'
      WHEN NEW.done OR NEW.finished_at IS NOT NULL THEN 'workflow_run_finished'
      WHEN NEW.blocked AND (NEW.ready OR NEW.concurrency_key IS NULL) OR NEW.waiting_for IS NOT NULL AND NEW.ready
        THEN 'workflow_run_waiting'
    END
    WHEN NEW.status = 'leased' THEN CASE
      WHEN OLD.status <> 'pending' AND OLD.status <> 'leased' THEN 'workflow_run_transition'
      WHEN NEW.lease_until IS NULL OR NEW.leased_by IS NULL THEN 'workflow_run_lease'
      WHEN NEW.done OR NEW.finished_at IS NOT NULL THEN 'workflow_run_finished'
      WHEN NEW.blocked OR NEW.waiting_for IS NOT NULL THEN 'workflow_run_waiting'
    END
    WHEN NEW.status IN ('succeeded', 'failed', 'cancelled') THEN CASE
      WHEN OLD.status <> NEW.status AND OLD.status <> 'leased' AND (OLD.status <> 'pending' OR NEW.status <> 'cancelled')
        THEN 'workflow_run_transition'
      WHEN NEW.lease_until IS NOT NULL OR NEW.leased_by IS NOT NULL THEN 'workflow_run_lease'
      WHEN NOT NEW.done OR NEW.finished_at IS NULL THEN 'workflow_run_finished'
      WHEN NEW.blocked OR NEW.waiting_for IS NOT NULL THEN 'workflow_run_waiting'
    END
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
BEGIN
  IF broken = 'workflow_run_transition' THEN
    RAISE EXCEPTION 'a run cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'HF001', HINT = 'a finished run stays as it is; enqueue a new one';
  ELSIF broken IS NOT NULL THEN
    RAISE EXCEPTION 'run % violates check constraint "%"', NEW.id, broken
      USING ERRCODE = 'check_violation', SCHEMA = 'holdfast', TABLE = 'workflow_run', CONSTRAINT = broken;
  END IF;
  RETURN NEW;
END
$$;
DROP TRIGGER legal_transition ON holdfast.workflow_run_live;
CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_run_live FOR EACH ROW
  EXECUTE FUNCTION holdfast.check_run();
