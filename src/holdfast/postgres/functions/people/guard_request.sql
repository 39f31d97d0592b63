CREATE OR REPLACE FUNCTION holdfast.guard_request() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'open' THEN
    RAISE EXCEPTION 'the request % is closed', OLD.id USING ERRCODE = 'HF001', HINT = 'what was asked and answered stays';
  END IF;
  IF ROW (NEW.tenant, NEW.id, NEW.kind, NEW.instance_id, NEW.step_id, NEW.step_key, NEW.node_id, NEW.token_id,
          NEW.entity_type, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.compiled_hash, NEW.snapshot_version_id,
          NEW.title, NEW.requester, NEW.four_eyes, NEW.may_delegate, NEW.required, NEW.outcomes, NEW.passes, NEW.form,
          NEW.chain, NEW.stage, NEW.stages, NEW.created_at)
     IS DISTINCT FROM
     ROW (OLD.tenant, OLD.id, OLD.kind, OLD.instance_id, OLD.step_id, OLD.step_key, OLD.node_id, OLD.token_id,
          OLD.entity_type, OLD.entity_id, OLD.entity_version, OLD.content_hash, OLD.compiled_hash, OLD.snapshot_version_id,
          OLD.title, OLD.requester, OLD.four_eyes, OLD.may_delegate, OLD.required, OLD.outcomes, OLD.passes, OLD.form,
          OLD.chain, OLD.stage, OLD.stages, OLD.created_at) THEN
    RAISE EXCEPTION 'what the request % asks never changes', OLD.id
      USING ERRCODE = 'HF001', HINT = 'withdraw it and ask again';
  END IF;
  IF NEW.status IN ('approved', 'rejected', 'answered') AND NOT EXISTS (
    SELECT FROM holdfast.approval_decisions d WHERE d.tenant = NEW.tenant AND d.request_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has decided on the request %', OLD.id
      USING ERRCODE = 'HF001', HINT = 'an outcome follows from decisions';
  END IF;
  RETURN NEW;
END
$$;
