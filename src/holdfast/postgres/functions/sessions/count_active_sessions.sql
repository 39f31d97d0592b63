-- How many sessions of a definition are not finished, over all tenants: one index probe each.
CREATE OR REPLACE FUNCTION holdfast.count_active_sessions(workflow text) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (
    SELECT coalesce(sum(n.sessions), 0) FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT count(*) AS sessions FROM holdfast.workflow_sessions s
      WHERE s.tenant = t.tenant AND s.workflow_name = workflow
        AND s.status IN ('pending', 'running', 'waiting_for_input')) n);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.count_active_sessions TO holdfast_worker;
