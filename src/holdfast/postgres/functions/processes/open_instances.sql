-- Takes the locks of some instances, in the order of their ids, and reads them as they are then: a statement that took the
-- lock and read in one would read what was there before it waited. With patience false, instances that somebody else holds
-- are left out.
CREATE OR REPLACE FUNCTION holdfast.open_instances(ids uuid[], patience boolean)
RETURNS TABLE (
  id uuid, status text, version integer, definition_id uuid, definition_version integer, compiled_hash text,
  entity_type text, entity_id uuid, created_by text, party text, trace_id text, paused boolean, state text,
  active_tokens text, document_version integer, doc_status text, content_hash text, version_id uuid, document_by text, document text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off SET plan_cache_mode = force_generic_plan
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  i holdfast.workflow_instances;
  e holdfast.entities;
BEGIN
  FOR id IN SELECT DISTINCT wanted FROM unnest(ids) wanted ORDER BY wanted LOOP
    IF patience THEN
      PERFORM pg_advisory_xact_lock(hashtextextended(id::text, 0));
    ELSIF NOT pg_try_advisory_xact_lock(hashtextextended(id::text, 0)) THEN
      CONTINUE;
    END IF;
    -- One look-up by primary key after the other: in a join the planner might rather read all documents of the tenant.
    SELECT * INTO i FROM holdfast.workflow_instances x WHERE x.tenant = own AND x.id = open_instances.id;
    status := i.status; version := i.version; definition_id := i.definition_id;
    definition_version := i.definition_version; compiled_hash := i.compiled_hash; entity_type := i.entity_type;
    entity_id := i.entity_id; created_by := i.created_by; party := i.party::text; trace_id := i.trace_id;
    paused := i.paused_at IS NOT NULL;
    state := i.state::text; active_tokens := i.active_tokens::text;
    document_version := NULL; doc_status := NULL; content_hash := NULL; version_id := NULL; document_by := NULL;
    document := NULL;
    IF i.entity_id IS NOT NULL THEN
      SELECT * INTO e FROM holdfast.entities x WHERE x.tenant = own AND x.id = i.entity_id;
      document_version := e.entity_version; doc_status := e.doc_status; content_hash := e.content_hash;
      version_id := e.version_id; document_by := e.created_by; document := e.data::text;
      IF document IS NULL THEN
        SELECT x.data::text INTO document FROM holdfast.entity_versions x WHERE x.tenant = own AND x.id = e.version_id;
      END IF;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.open_instances TO holdfast_app;
