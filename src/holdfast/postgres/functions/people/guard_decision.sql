CREATE OR REPLACE FUNCTION holdfast.guard_decision() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF ROW (NEW.tenant, NEW.id, NEW.request_id, NEW.instance_id, NEW.step_key, NEW.entity_id, NEW.entity_version,
          NEW.content_hash, NEW.compiled_hash, NEW.decision, NEW.outcome, NEW.decided_by, NEW.seat, NEW.reason, NEW.answer,
          NEW.decided_at)
     IS DISTINCT FROM
     ROW (OLD.tenant, OLD.id, OLD.request_id, OLD.instance_id, OLD.step_key, OLD.entity_id, OLD.entity_version,
          OLD.content_hash, OLD.compiled_hash, OLD.decision, OLD.outcome, OLD.decided_by, OLD.seat, OLD.reason, OLD.answer,
          OLD.decided_at) THEN
    RAISE EXCEPTION 'a decision never changes' USING ERRCODE = 'HF001', HINT = 'ask again for another one';
  END IF;
  IF OLD.applied OR OLD.voided_at IS NOT NULL THEN
    RAISE EXCEPTION 'the decision is already %', CASE WHEN OLD.applied THEN 'applied' ELSE 'void' END
      USING ERRCODE = 'HF003', HINT = 'a decision is used once; ask again for another one';
  END IF;
  IF NEW.applied THEN
    IF NOT EXISTS (
      SELECT FROM holdfast.approval_requests r
      WHERE r.tenant = NEW.tenant AND r.id = NEW.request_id AND r.status IN ('approved', 'rejected', 'answered')) THEN
      RAISE EXCEPTION 'the request of this decision has no outcome' USING ERRCODE = 'HF003';
    END IF;
    IF NOT holdfast.still_stands(NEW.tenant, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.instance_id) THEN
      RAISE EXCEPTION 'the document has changed since version %, which was decided on', NEW.entity_version
        USING ERRCODE = 'HF003', HINT = 'ask again about what it has become';
    END IF;
  END IF;
  RETURN NEW;
END
$$;
