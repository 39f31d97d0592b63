CREATE OR REPLACE FUNCTION holdfast.guard_entity() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NOT NULL THEN
    RAISE EXCEPTION 'the document % is deleted', OLD.id USING ERRCODE = 'HF001', HINT = 'create a new document';
  END IF;
  IF EXISTS (SELECT FROM holdfast.entities e WHERE e.tenant = OLD.tenant AND e.amended_from_id = OLD.id) THEN
    RAISE EXCEPTION 'the document % was replaced by an amended one', OLD.id
      USING ERRCODE = 'HF001', HINT = 'change the amended document';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.entity_type, NEW.amended_from_id, NEW.created_at, NEW.created_by)
     IS DISTINCT FROM (OLD.tenant, OLD.id, OLD.entity_type, OLD.amended_from_id, OLD.created_at, OLD.created_by) THEN
    RAISE EXCEPTION 'what the document % is never changes', OLD.id
      USING ERRCODE = 'HF001', HINT = 'only its content and its status may change';
  END IF;
  IF NEW.entity_version = OLD.entity_version THEN
    IF NEW.content_hash <> OLD.content_hash OR NEW.data IS DISTINCT FROM OLD.data OR NEW.version_id <> OLD.version_id THEN
      RAISE EXCEPTION 'the content of document % changed without a new version', OLD.id
        USING ERRCODE = 'HF001', HINT = 'change documents through mutate()';
    END IF;
  ELSIF NEW.entity_version <> OLD.entity_version + 1 OR NEW.content_hash = OLD.content_hash
        OR NEW.version_id = OLD.version_id THEN
    RAISE EXCEPTION 'document % cannot go from version % to %', OLD.id, OLD.entity_version, NEW.entity_version
      USING ERRCODE = 'HF001', HINT = 'a version is one more than the last, and its content another';
  END IF;
  RETURN NEW;
END
$$;
