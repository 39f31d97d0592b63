CREATE OR REPLACE FUNCTION holdfast.restrict_step_execution_updates() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF ROW (NEW.tenant, NEW.id, NEW.created_at, NEW.instance_id, NEW.node_id, NEW.node_type, NEW.token_id, NEW.entity_version,
          NEW.run_as, NEW.idempotency_key, NEW.origin, NEW.opened_seq, NEW.waited, NEW.input_json, NEW.opened_output,
          NEW.actor_user_id, NEW.acted_as, NEW.snapshot_version_id, NEW.trace_id)
     IS DISTINCT FROM
     ROW (OLD.tenant, OLD.id, OLD.created_at, OLD.instance_id, OLD.node_id, OLD.node_type, OLD.token_id, OLD.entity_version,
          OLD.run_as, OLD.idempotency_key, OLD.origin, OLD.opened_seq, OLD.waited, OLD.input_json, OLD.opened_output,
          OLD.actor_user_id, OLD.acted_as, OLD.snapshot_version_id, OLD.trace_id) THEN
    RAISE EXCEPTION 'step %: what it is and what it was given never change', OLD.id
      USING ERRCODE = 'HF001', HINT = 'only its status and its evidence may change, while it is open';
  END IF;
  RETURN NEW;
END
$$;
