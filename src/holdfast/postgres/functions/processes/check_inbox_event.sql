-- What makes an event of the engine inbox sound, in place of CHECK constraints and conditions of triggers, which every statement would read
-- and plan anew.
CREATE OR REPLACE FUNCTION holdfast.check_inbox_event() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    broken := CASE
      WHEN NOT (NEW.actor ? 'kind' AND NEW.actor ? 'name') THEN 'actor'
      WHEN length(NEW.entity_type) NOT BETWEEN 1 AND 64 THEN 'entity_type'
      WHEN length(NEW.event_type) NOT BETWEEN 1 AND 128 THEN 'event_type'
      WHEN length(NEW.event_idempotency_key) <> 64 OR NEW.event_idempotency_key ~ '[^0-9a-f]' THEN 'event_idempotency_key'
      WHEN length(NEW.needs) NOT BETWEEN 1 AND 300 THEN 'needs'
      WHEN length(NEW.trace_id) > 256 THEN 'trace_id'
    END;
  ELSIF OLD.status <> NEW.status AND NOT (
    (OLD.status = 'pending' AND NEW.status IN ('processing', 'completed'))
    OR (OLD.status = 'processing' AND NEW.status IN ('completed', 'failed', 'pending', 'dead_letter'))
    OR (OLD.status = 'failed' AND NEW.status IN ('processing', 'pending', 'dead_letter'))
    OR (OLD.status = 'dead_letter' AND NEW.status IN ('pending', 'cancelled')
        AND coalesce(current_setting('holdfast.admin_override', true), '') = 'on')) THEN
    RAISE EXCEPTION 'an outbox event: the status cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'HF001', HINT = 'a completed event stays; an operator replays or skips dead letters';
  END IF;
  broken := coalesce(broken, CASE
    WHEN NEW.status = 'processing' THEN CASE WHEN NEW.lease_until IS NULL OR NEW.leased_by IS NULL THEN 'lease' END
    WHEN NEW.status NOT IN ('pending', 'completed', 'failed', 'dead_letter', 'cancelled') THEN 'status'
    WHEN NEW.lease_until IS NOT NULL OR NEW.leased_by IS NOT NULL THEN 'lease'
    WHEN NEW.status = 'completed' AND NEW.completed_at IS NULL THEN 'completed'
  END, CASE
    WHEN NEW.attempts < 0 THEN 'attempts'
    WHEN NEW.max_attempts NOT BETWEEN 1 AND 1000 THEN 'max_attempts'
  END);
  IF broken IS NOT NULL THEN
    PERFORM holdfast.broken_rule('workflow_events_outbox', 'workflow_events_outbox_' || broken);
  END IF;
  RETURN NEW;
END
$$;
