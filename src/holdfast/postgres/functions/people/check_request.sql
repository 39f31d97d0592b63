-- What makes a request sound, in place of CHECK constraints, which every statement would read and plan anew.
CREATE OR REPLACE FUNCTION holdfast.check_request() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  broken text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    broken := CASE
      WHEN NEW.kind NOT IN ('approval', 'task') THEN 'kind'
      WHEN length(NEW.step_key) <> 64 OR NEW.step_key ~ '[^0-9a-f]' THEN 'step_key'
      WHEN length(NEW.node_id) NOT BETWEEN 1 AND 512 THEN 'node_id'
      WHEN length(NEW.token_id) NOT BETWEEN 1 AND 512 THEN 'token_id'
      WHEN length(NEW.entity_type) NOT BETWEEN 1 AND 64 THEN 'entity_type'
      WHEN length(NEW.content_hash) <> 64 OR NEW.content_hash ~ '[^0-9a-f]' THEN 'content_hash'
      WHEN length(NEW.compiled_hash) NOT BETWEEN 1 AND 128 THEN 'compiled_hash'
      WHEN length(NEW.title) NOT BETWEEN 1 AND 2000 THEN 'title'
      WHEN length(NEW.instructions) > 20000 THEN 'instructions'
      WHEN length(NEW.requester) NOT BETWEEN 1 AND 255 THEN 'requester'
      WHEN NEW.required !~ '^(any|all|[1-9][0-9]?)$' THEN 'required'
      WHEN cardinality(NEW.outcomes) < 1 THEN 'outcomes'
      WHEN NEW.stage NOT BETWEEN 1 AND 50 THEN 'stage'
      WHEN (NEW.kind = 'task') <> (NEW.form IS NOT NULL) THEN 'form'
    END;
  ELSIF OLD.status <> 'open' THEN
    RAISE EXCEPTION 'the request % is closed', OLD.id USING ERRCODE = 'HF001', HINT = 'what was asked and answered stays';
  END IF;
  broken := coalesce(broken, CASE NEW.status
    WHEN 'open' THEN CASE
      WHEN NEW.closed_at IS NOT NULL THEN 'closed'
      WHEN NEW.outcome IS NOT NULL THEN 'outcome'
      WHEN NEW.changed_fields IS NOT NULL THEN 'voided'
      WHEN NEW.remind_every <= interval '0' THEN 'remind_every'
    END
    ELSE CASE
      WHEN NEW.status NOT IN ('approved', 'rejected', 'answered', 'timeout', 'cancelled', 'voided') THEN 'status'
      WHEN NEW.closed_at IS NULL THEN 'closed'
      WHEN (NEW.status IN ('approved', 'rejected', 'answered')) <> (NEW.outcome IS NOT NULL) THEN 'outcome'
      WHEN (NEW.status = 'voided') <> (NEW.changed_fields IS NOT NULL) THEN 'voided'
    END
  END, CASE
    WHEN length(NEW.claimed_by) NOT BETWEEN 1 AND 255 THEN 'claimed_by'
    WHEN NEW.four_eyes AND (NEW.claimed_by = NEW.requester OR NEW.claimed_by = ANY (NEW.makers)) THEN 'own'
  END);
  IF broken IS NOT NULL THEN
    PERFORM holdfast.broken_rule('approval_requests', 'approval_requests_' || broken);
  END IF;
  IF TG_OP = 'UPDATE' AND NEW.outcome IS NOT NULL AND NOT EXISTS (
    SELECT FROM holdfast.approval_decisions d WHERE d.tenant = NEW.tenant AND d.request_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has decided on the request %', OLD.id
      USING ERRCODE = 'HF001', HINT = 'an outcome follows from decisions';
  END IF;
  RETURN NEW;
END
$$;
