-- Instances of a version go on with the same workflow, compiled anew; each with its event. On workflow_instances_definition. An advance
-- that is under way finds that its version has grown, and begins anew. What is not the same workflow, by its hash, is followed by nobody.
CREATE OR REPLACE FUNCTION holdfast.follow_recompiled(old uuid, new uuid, actor text, about jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  WITH moved AS (
    UPDATE holdfast.workflow_instances i
      SET definition_id = d.id, definition_version = d.version, version = i.version + 1, updated_at = at
      FROM holdfast.workflow_definitions d
      WHERE d.tenant = own AND d.id = new AND d.compiled_hash = i.compiled_hash
        AND i.tenant = own AND i.definition_id = old AND i.status IN ('running', 'paused')
      RETURNING i.id
  )
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
    SELECT own, 'instance', m.id, 'instance.migrated', follow_recompiled.actor, about, at FROM moved m;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.follow_recompiled TO holdfast_app;
