-- A single run without keys is enqueued with less work.
--
-- PL/pgSQL prepares an expression anew in every transaction that comes to it, however often it was evaluated before. For a
-- transaction that enqueues one run, preparing all the rules of runs took longer than any other part of it: what most new
-- runs are is asked first, in a few words, and answers for all the rules. Telling workers needs a look at the lane and a
-- notification, which are one statement now.

-- As before, and what the trigger `touch` did: the condition of a trigger is read anew for every statement.
DROP TRIGGER touch ON holdfast.workflow_run;
CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (OLD.updated_at = NEW.updated_at) EXECUTE FUNCTION holdfast.touch_updated_at();
CREATE OR REPLACE FUNCTION holdfast.check_run() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW.status = 'pending' AND NEW.lease_until IS NULL AND NEW.leased_by IS NULL AND NEW.finished_at IS NULL
       AND NEW.waiting_for IS NULL AND NEW.idempotency_key IS NULL AND NEW.concurrency_key IS NULL
       AND NEW.concurrency_limit IS NULL AND NOT NEW.done AND NOT NEW.blocked AND NEW.attempt = 0
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

CREATE OR REPLACE FUNCTION holdfast.enqueue_run_for(
  for_tenant uuid, new_id uuid, new_type text, new_payload text, new_priority integer, new_run_at timestamptz,
  tries integer, trace text, actor text, event_level text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO holdfast.workflow_run_live
    (tenant, id, type, payload, priority, run_at, ready, max_attempts, trace_parent, created_by, created_at, updated_at)
    VALUES (for_tenant, new_id, new_type, new_payload::jsonb, new_priority, coalesce(new_run_at, at),
            coalesce(new_run_at <= at, true), tries, trace, actor, at, at);
  IF event_level <> 'exceptions' THEN
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      VALUES (for_tenant, 'run', new_id, 'run.created', enqueue_run_for.actor, jsonb_build_object('type', new_type), trace,
              at);
  END IF;
  PERFORM pg_notify('holdfast_runs', for_tenant || ':' || new_type)
    FROM holdfast.workflow_lane l WHERE l.tenant = for_tenant AND l.type = new_type;
  IF NOT FOUND THEN
    INSERT INTO holdfast.workflow_lane (tenant, type) VALUES (for_tenant, new_type) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('holdfast_runs', for_tenant || ':' || new_type);
  END IF;
END
$$;

-- Its entries are all different, by the id: looking for equal ones each time a page is full finds nothing.
ALTER INDEX holdfast.workflow_run_ready SET (deduplicate_items = off);
