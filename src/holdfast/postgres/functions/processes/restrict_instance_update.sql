CREATE OR REPLACE FUNCTION holdfast.restrict_instance_update() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF ROW (NEW.tenant, NEW.id, NEW.entity_type, NEW.entity_id, NEW.subject_id, NEW.started_at, NEW.created_by, NEW.partition_id,
          NEW.party)
     IS DISTINCT FROM
     ROW (OLD.tenant, OLD.id, OLD.entity_type, OLD.entity_id, OLD.subject_id, OLD.started_at, OLD.created_by, OLD.partition_id,
          OLD.party) THEN
    RAISE EXCEPTION 'instance %: what it is about never changes, and its version only grows', OLD.id
      USING ERRCODE = 'HF001', HINT = 'read it again and advance it with the version it has';
  END IF;
  RETURN NEW;
END
$$;
