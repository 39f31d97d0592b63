-- Registers a definition. The same content again changes nothing; other content makes a new revision if `replace`, and is
-- answered with NULL otherwise. Revisions are never reused, not even after a definition was deleted.
CREATE OR REPLACE FUNCTION holdfast.register_definition(
  new_name text, spec jsonb, new_source text, replace boolean, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  known holdfast.workflow_definition_registry;
  latest integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.definition.' || new_name, 0));
  SELECT * INTO known FROM holdfast.workflow_definition_registry r WHERE r.name = new_name FOR NO KEY UPDATE;
  IF FOUND THEN
    IF EXISTS (SELECT FROM holdfast.workflow_definition_version v
               WHERE v.name = new_name AND v.revision = known.revision
                 AND v.spec = register_definition.spec) AND known.source = new_source AND known.phase <> 'Error' THEN
      RETURN known.revision;
    END IF;
    IF NOT replace THEN
      RETURN NULL;
    END IF;
  END IF;
  SELECT coalesce(max(v.revision), 0) + 1 INTO latest FROM holdfast.workflow_definition_version v WHERE v.name = new_name;
  INSERT INTO holdfast.workflow_definition_version (name, revision, spec, created_at)
    VALUES (new_name, latest, register_definition.spec, at);
  INSERT INTO holdfast.workflow_definition_registry AS r
    (name, revision, display_name, description, container_image, input_schema, version, tags, concurrent_input,
     timeout_seconds, source, registered_at, last_updated)
    VALUES (new_name, latest, spec ->> 'displayName', coalesce(spec ->> 'description', ''), spec ->> 'containerImage',
            spec -> 'inputSchema', spec ->> 'version',
            ARRAY(SELECT jsonb_array_elements_text(coalesce(spec -> 'tags', '[]'))),
            coalesce(spec ->> 'concurrentInput', 'reject'), (spec ->> 'timeoutSeconds')::double precision, new_source, at, at)
    ON CONFLICT (name) DO UPDATE SET
      revision = excluded.revision, display_name = excluded.display_name, description = excluded.description,
      container_image = excluded.container_image, input_schema = excluded.input_schema, version = excluded.version,
      tags = excluded.tags, concurrent_input = excluded.concurrent_input, timeout_seconds = excluded.timeout_seconds,
      source = excluded.source, last_updated = excluded.last_updated, phase_reason = NULL,
      phase = CASE WHEN r.phase = 'Deprecated' THEN r.phase ELSE 'Active' END;
  RETURN latest;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.register_definition TO holdfast_worker;
