-- What makes an instance sound, in place of CHECK constraints and conditions of triggers, which every statement would read and plan anew.
CREATE OR REPLACE FUNCTION holdfast.check_instance() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    broken := CASE
      WHEN NEW.entity_type !~ '^[a-z][a-z0-9_]{0,63}$' THEN 'entity_type'
      WHEN length(NEW.created_by) NOT BETWEEN 1 AND 300 THEN 'created_by'
      WHEN NOT (NEW.party ? 'kind' AND NEW.party ? 'name') THEN 'party'
      WHEN length(NEW.partition_id) > 256 THEN 'partition_id'
      WHEN length(NEW.subject_id) > 512 THEN 'subject_id'
      WHEN length(NEW.trace_id) > 256 THEN 'trace_id'
    END;
  ELSE
    -- A step that failed pauses the instance, but a branch beside it may still bring it to its end.
    IF OLD.status <> NEW.status AND NOT (
      (OLD.status = 'running' AND NEW.status IN ('paused', 'completed', 'failed', 'cancelled'))
      OR (OLD.status = 'paused' AND NEW.status IN ('running', 'completed', 'failed', 'cancelled'))) THEN
      RAISE EXCEPTION 'an instance: the status cannot go from % to %', OLD.status, NEW.status
        USING ERRCODE = 'HF001', HINT = 'what is over stays over; start a new one';
    END IF;
    IF NEW.version < OLD.version OR NEW.entity_version < OLD.entity_version THEN
      RAISE EXCEPTION 'instance %: what it is about never changes, and its version only grows', OLD.id
        USING ERRCODE = 'HF001', HINT = 'read it again and advance it with the version it has';
    END IF;
  END IF;
  broken := coalesce(broken, CASE
    WHEN NEW.status IN ('running', 'paused') THEN CASE WHEN NEW.completed_at IS NOT NULL THEN 'completed' END
    WHEN NEW.status NOT IN ('completed', 'failed', 'cancelled') THEN 'status'
    WHEN NEW.completed_at IS NULL THEN 'completed'
  END, CASE
    WHEN NEW.edit_window NOT IN ('editable', 'amend_only', 'locked') THEN 'edit_window'
    WHEN jsonb_typeof(NEW.state) <> 'object' THEN 'state'
    WHEN jsonb_typeof(NEW.active_tokens) <> 'array' THEN 'active_tokens'
    WHEN jsonb_typeof(NEW.context_json) <> 'object' THEN 'context_json'
    WHEN length(NEW.compiled_hash) <> 64 OR NEW.compiled_hash ~ '[^0-9a-f]' THEN 'compiled_hash'
    WHEN NEW.definition_version < 1 THEN 'definition_version'
    WHEN NEW.entity_version < 0 THEN 'entity_version'
    WHEN NEW.version < 1 THEN 'version'
    WHEN (NEW.paused_at IS NULL) <> (NEW.paused_by IS NULL) THEN 'paused'
  END);
  IF broken IS NOT NULL THEN
    PERFORM holdfast.broken_rule('workflow_instances', 'workflow_instances_' || broken);
  END IF;
  RETURN NEW;
END
$$;
