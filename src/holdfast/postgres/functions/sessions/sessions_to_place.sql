-- Sessions of image-backed definitions that have something to execute, for whoever starts containers.
CREATE OR REPLACE FUNCTION holdfast.sessions_to_place()
RETURNS TABLE (tenant uuid, project text, session uuid, name text, workflow text, image text, run uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT s.tenant, s.project_name, s.id, s.session_name, s.workflow_name, v.spec ->> 'containerImage', s.run_id
    FROM holdfast.workflow_definition_registry d CROSS JOIN holdfast.tenants t
    JOIN holdfast.workflow_sessions s
      ON s.tenant = t.tenant AND s.workflow_name = d.name AND s.status IN ('pending', 'running')
    JOIN holdfast.workflow_definition_version v ON v.name = s.workflow_name AND v.revision = s.definition_revision
    WHERE v.spec ->> 'containerImage' IS NOT NULL
    ORDER BY s.id;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.sessions_to_place TO holdfast_worker;
