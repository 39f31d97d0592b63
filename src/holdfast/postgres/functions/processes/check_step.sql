-- What makes a step sound, in place of CHECK constraints and conditions of triggers, which every statement would read and plan anew.
CREATE OR REPLACE FUNCTION holdfast.check_step() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    broken := CASE
      WHEN NEW.run_as NOT IN ('actor', 'system', 'service_account') THEN 'run_as'
      WHEN length(NEW.idempotency_key) <> 64 OR NEW.idempotency_key ~ '[^0-9a-f]' THEN 'idempotency_key'
      WHEN NEW.origin NOT IN ('start', 'retry', 'interrupt', 'close') THEN 'origin'
      WHEN NEW.opened_seq < 0 THEN 'opened_seq'
      WHEN NEW.waited NOT IN ('pending', 'running') THEN 'waited'
      WHEN length(NEW.trace_id) > 256 THEN 'trace_id'
    END;
  ELSE
    IF OLD.status <> NEW.status AND NOT (
      (OLD.status = 'pending' AND NEW.status IN ('running', 'completed', 'failed', 'skipped', 'cancelled'))
      OR (OLD.status = 'running' AND NEW.status IN ('completed', 'failed', 'skipped', 'cancelled'))) THEN
      RAISE EXCEPTION 'a step: the status cannot go from % to %', OLD.status, NEW.status
        USING ERRCODE = 'HF001', HINT = 'what happened stays so; let it be tried again as a new step';
    END IF;
    -- A settled step keeps what it gave. Its approval may still be used up, once (WF-03).
    IF OLD.applied AND NEW.applied IS DISTINCT FROM OLD.applied OR OLD.settled_seq IS NOT NULL AND (
      NEW.settled_seq IS DISTINCT FROM OLD.settled_seq OR NEW.outcome IS DISTINCT FROM OLD.outcome
      OR NEW.settled_by IS DISTINCT FROM OLD.settled_by OR NEW.completed_at IS DISTINCT FROM OLD.completed_at
      OR NEW.error IS DISTINCT FROM OLD.error OR NEW.output_packed IS DISTINCT FROM OLD.output_packed AND (
        OLD.output_packed IS NOT NULL OR NEW.output_json IS NOT NULL)
      OR NEW.output_json IS DISTINCT FROM OLD.output_json AND (NEW.output_packed IS NULL OR
        NEW.output_hash IS DISTINCT FROM sha256(convert_to(OLD.output_json::text, 'UTF8')))
      OR NEW.output_hash IS DISTINCT FROM OLD.output_hash AND OLD.output_hash IS NOT NULL) THEN
      RAISE EXCEPTION 'step %: what it is and what it was given never change', OLD.id
        USING ERRCODE = 'HF001', HINT = 'only its status and its evidence may change, while it is open';
    END IF;
  END IF;
  broken := coalesce(broken, CASE
    WHEN NEW.status IN ('pending', 'running') THEN CASE WHEN NEW.completed_at IS NOT NULL THEN 'ended' END
    WHEN NEW.status NOT IN ('completed', 'failed', 'skipped', 'cancelled') THEN 'status'
    WHEN NEW.completed_at IS NULL THEN 'ended'
  END, CASE WHEN NEW.settled_seq < NEW.opened_seq THEN 'settled_seq' END);
  IF broken IS NOT NULL THEN
    PERFORM holdfast.broken_rule('workflow_step_executions', 'workflow_step_executions_' || broken);
  END IF;
  RETURN NEW;
END
$$;
