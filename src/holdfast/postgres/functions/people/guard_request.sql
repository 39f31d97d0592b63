CREATE OR REPLACE FUNCTION holdfast.guard_request() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF ROW (NEW.tenant, NEW.id, NEW.kind, NEW.instance_id, NEW.step_id, NEW.step_key, NEW.node_id, NEW.token_id,
          NEW.entity_type, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.compiled_hash, NEW.snapshot_version_id,
          NEW.title, NEW.requester, NEW.makers, NEW.four_eyes, NEW.branches, NEW.in_parallel, NEW.may_delegate, NEW.required, NEW.outcomes, NEW.passes, NEW.form,
          NEW.chain, NEW.stage, NEW.stages, NEW.created_at)
     IS DISTINCT FROM
     ROW (OLD.tenant, OLD.id, OLD.kind, OLD.instance_id, OLD.step_id, OLD.step_key, OLD.node_id, OLD.token_id,
          OLD.entity_type, OLD.entity_id, OLD.entity_version, OLD.content_hash, OLD.compiled_hash, OLD.snapshot_version_id,
          OLD.title, OLD.requester, OLD.makers, OLD.four_eyes, OLD.branches, OLD.in_parallel, OLD.may_delegate, OLD.required, OLD.outcomes, OLD.passes, OLD.form,
          OLD.chain, OLD.stage, OLD.stages, OLD.created_at) THEN
    RAISE EXCEPTION 'what the request % asks never changes', OLD.id
      USING ERRCODE = 'HF001', HINT = 'withdraw it and ask again';
  END IF;
  RETURN NEW;
END
$$;
