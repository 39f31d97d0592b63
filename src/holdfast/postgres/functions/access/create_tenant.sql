CREATE OR REPLACE FUNCTION holdfast.create_tenant(
  new_tenant uuid, new_slug text, new_name text, created_by text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO holdfast.tenants (tenant, slug, name, created_at) VALUES (new_tenant, new_slug, new_name, at)
    ON CONFLICT (slug) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO holdfast.roles (tenant, role)
    SELECT new_tenant, built_in FROM unnest(ARRAY['viewer', 'author', 'designer', 'approver', 'operator', 'admin']) built_in;
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, data, created_at)
    VALUES (new_tenant, 'access', new_tenant, 'tenant.created', created_by,
            jsonb_build_object('slug', new_slug, 'name', new_name), at);
  RETURN true;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.create_tenant TO holdfast_worker;
