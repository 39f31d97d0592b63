CREATE OR REPLACE FUNCTION holdfast.guard_decision() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF OLD.applied OR OLD.voided_at IS NOT NULL THEN
    RAISE EXCEPTION 'the decision is already %', CASE WHEN OLD.applied THEN 'applied' ELSE 'void' END
      USING ERRCODE = 'HF003', HINT = 'a decision is used once; ask again for another one';
  END IF;
  IF (NEW.applied <> (NEW.applied_at IS NOT NULL) OR NEW.applied <> (NEW.applied_by IS NOT NULL)
      OR NEW.applied AND NEW.voided_at IS NOT NULL) THEN
    PERFORM holdfast.broken_rule('approval_decisions', 'approval_decisions_applied');
  ELSIF (NEW.voided_at IS NULL) <> (NEW.changed_fields IS NULL) THEN
    PERFORM holdfast.broken_rule('approval_decisions', 'approval_decisions_voided');
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
