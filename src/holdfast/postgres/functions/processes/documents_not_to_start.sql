-- Documents for which no process begins: there is one, or was; or they are deleted or replaced. Whoever is deleting or submitting one now is
-- waited for, and whoever comes later waits. Locks first, then a statement of its own reads: one that did both would read what was there before
-- it waited. On workflow_instances_document and the keys of entities.
CREATE OR REPLACE FUNCTION holdfast.documents_not_to_start(ids uuid[]) RETURNS SETOF uuid
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  document uuid;
BEGIN
  FOREACH document IN ARRAY ids LOOP
    PERFORM FROM holdfast.entities e WHERE e.tenant = own AND e.id = document FOR SHARE;
  END LOOP;
  FOREACH document IN ARRAY ids LOOP
    IF EXISTS (SELECT FROM holdfast.workflow_instances i WHERE i.tenant = own AND i.entity_id = document)
       OR EXISTS (SELECT FROM holdfast.entities e WHERE e.tenant = own AND e.id = document AND e.deleted_at IS NOT NULL)
       OR EXISTS (SELECT FROM holdfast.entities a WHERE a.tenant = own AND a.amended_from_id = document) THEN
      RETURN NEXT document;
    END IF;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.documents_not_to_start TO holdfast_app;
