CREATE OR REPLACE FUNCTION holdfast.reject_published_definition_mutation() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'version % of % was published and stays', OLD.version, OLD.entity_type
      USING ERRCODE = 'HF001', HINT = 'archive it';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.entity_type, NEW.definition_kind, NEW.version, NEW.name, NEW.note, NEW.is_default,
      NEW.automation, NEW.contract_json, NEW.nodes_json, NEW.edges_json, NEW.slots_json, NEW.base_ref,
      NEW.body_patches_json, NEW.held_back_json, NEW.compiled_json, NEW.compiled_hash, NEW.compiler_version, NEW.source_definition_id,
      NEW.revision, NEW.created_at, NEW.created_by, NEW.published_at, NEW.published_by)
     IS DISTINCT FROM
     (OLD.tenant, OLD.id, OLD.entity_type, OLD.definition_kind, OLD.version, OLD.name, OLD.note, OLD.is_default,
      OLD.automation, OLD.contract_json, OLD.nodes_json, OLD.edges_json, OLD.slots_json, OLD.base_ref,
      OLD.body_patches_json, OLD.held_back_json, OLD.compiled_json, OLD.compiled_hash, OLD.compiler_version, OLD.source_definition_id,
      OLD.revision, OLD.created_at, OLD.created_by, OLD.published_at, OLD.published_by) THEN
    RAISE EXCEPTION 'version % of % is published and cannot be changed', OLD.version, OLD.entity_type
      USING ERRCODE = 'HF001', HINT = 'change a new draft and publish that';
  END IF;
  IF NEW.status <> OLD.status AND NOT (OLD.status = 'published' AND NEW.status = 'archived') THEN
    RAISE EXCEPTION 'a definition cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'HF001', HINT = 'publish an older version again to return to it';
  END IF;
  RETURN NEW;
END
$$;
