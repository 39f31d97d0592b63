-- The one place that changes the status of documents, each change with its event. `moves` are in their order; several of one document in a
-- row leave it in the last status, and every one is told. A move to the status that a document has already is none: nothing is written of it.
-- Answers what was written: the document and the status it came from, last of all the one it had when this began.
CREATE OR REPLACE FUNCTION holdfast.move_documents(moves jsonb, at timestamptz)
RETURNS TABLE (id uuid, was text, entity_type text, entity_version integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  move record;
  document record;
BEGIN
  FOR move IN
    SELECT n.* FROM jsonb_to_recordset(moves) n (
      id uuid, doc_status text, event_type text, actor text, data jsonb, trace_id text)
  LOOP
    -- Somebody may be writing the document: once they are done, what they wrote is what is read.
    SELECT e.doc_status, e.entity_type, e.entity_version INTO document FROM holdfast.entities e
      WHERE e.tenant = own AND e.id = move.id FOR NO KEY UPDATE;
    CONTINUE WHEN NOT FOUND OR document.doc_status = move.doc_status;
    UPDATE holdfast.entities e SET doc_status = move.doc_status, updated_at = at, updated_by = move.actor
      WHERE e.tenant = own AND e.id = move.id;
    INSERT INTO holdfast.workflow_event_chained
      (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      VALUES (own, 'document', move.id, coalesce(move.event_type, 'document.transitioned'), move.actor,
              jsonb_build_object('from', document.doc_status, 'to', move.doc_status) || coalesce(move.data, '{}'),
              move.trace_id, at);
    id := move.id;
    was := document.doc_status;
    entity_type := document.entity_type;
    entity_version := document.entity_version;
    RETURN NEXT;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.move_documents TO holdfast_app;
