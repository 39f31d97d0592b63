CREATE OR REPLACE FUNCTION holdfast.links_upsert(
  own uuid, in_namespace text, new_id uuid, from_type text, from_id text, to_type text, to_id text, new_relation text,
  new_attributes text, actor text, origin jsonb, step text, at timestamptz, OUT id uuid, OUT created boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  LOOP
    UPDATE holdfast.workflow_entity_links l
      SET attributes = coalesce(new_attributes::jsonb, l.attributes), updated_at = at
      WHERE l.tenant = own AND l.namespace = in_namespace AND l.left_type = from_type AND l.left_id = from_id
        AND l.right_type = to_type AND l.right_id = to_id AND l.relation = new_relation
      RETURNING l.link_id INTO id;
    created := false;
    EXIT WHEN FOUND;
    INSERT INTO holdfast.workflow_entity_links AS l
      (tenant, link_id, namespace, left_type, left_id, right_type, right_id, relation, attributes, created_by_run_id,
       created_at, updated_at)
      VALUES (own, new_id, in_namespace, from_type, from_id, to_type, to_id, new_relation,
              coalesce(new_attributes::jsonb, '{}'), coalesce(origin ->> 'run_id', origin ->> 'instance_id')::uuid, at, at)
      ON CONFLICT DO NOTHING RETURNING l.link_id INTO id;
    created := true;
    EXIT WHEN FOUND;
  END LOOP;
  INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    VALUES (own, 'data', id, CASE WHEN created THEN 'link.created' ELSE 'link.updated' END, links_upsert.actor, step,
            jsonb_build_object('namespace', in_namespace, 'from', jsonb_build_array(from_type, from_id),
                               'to', jsonb_build_array(to_type, to_id), 'relation', new_relation) || origin, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.links_upsert TO holdfast_app;
