CREATE OR REPLACE FUNCTION holdfast.keep_decision() RETURNS trigger
LANGUAGE plpgsql AS $$
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
  RETURN NEW;
END
$$;
