CREATE OR REPLACE FUNCTION holdfast.links_delete(
  own uuid, in_namespace text, from_type text, from_id text, to_type text, to_id text, of_relation text, actor text,
  origin jsonb, step text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  PERFORM holdfast.require_tenant(own);
  IF from_id IS NULL AND to_id IS NULL THEN
    RAISE EXCEPTION 'neither from nor to is given' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH removed AS (
    DELETE FROM holdfast.workflow_entity_links l
    WHERE l.tenant = own AND l.namespace = in_namespace
      AND (from_id IS NULL OR (l.left_type = from_type AND l.left_id = from_id))
      AND (to_id IS NULL OR (l.right_type = to_type AND l.right_id = to_id))
      AND (of_relation IS NULL OR l.relation = of_relation)
    RETURNING l.*
  ), recorded AS (
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    SELECT own, 'data', r.link_id, 'link.deleted', links_delete.actor, step,
           jsonb_build_object('namespace', in_namespace, 'from', jsonb_build_array(r.left_type, r.left_id),
                              'to', jsonb_build_array(r.right_type, r.right_id), 'relation', r.relation) || origin, at
    FROM removed r
  )
  SELECT count(*) INTO gone FROM removed;
  RETURN gone;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.links_delete TO holdfast_app;
