-- Runs that steps of processes wait for, their own and those that execute their sessions, while no worker that is running could take them; with
-- what such a worker would have to know: `run:‹type›`, `graph:‹session definition›`. With the rights of who asks.
CREATE OR REPLACE FUNCTION holdfast.idle_runs(late timestamptz, at timestamptz)
RETURNS TABLE (tenant uuid, instance_id uuid, step_key text, needs text, since timestamptz)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  executing text := 'session.execute.v1.';
BEGIN
  RETURN QUERY
    WITH due AS MATERIALIZED (
      SELECT w.tenant, w.instance_id, w.step_key, r.type, r.run_at
      FROM (
        SELECT x.tenant, x.instance_id, x.step_key, x.run_id FROM holdfast.workflow_run_wait x
        UNION ALL
        SELECT x.tenant, x.instance_id, x.step_key, s.run_id FROM holdfast.workflow_session_wait x
        JOIN holdfast.workflow_sessions s ON s.tenant = x.tenant AND s.id = x.session_id) w
      JOIN holdfast.workflow_run_live r ON r.tenant = w.tenant AND r.id = w.run_id
      WHERE r.status = 'pending' AND r.waiting_for IS NULL AND NOT r.blocked AND r.run_at < late
    )
    SELECT d.tenant, d.instance_id, d.step_key,
           CASE WHEN starts_with(d.type, executing) THEN 'graph:' || substr(d.type, 1 + length(executing)) ELSE 'run:' || d.type END,
           d.run_at
    FROM due d
    WHERE d.type NOT IN (SELECT h.type FROM holdfast.handled_types(ARRAY(SELECT DISTINCT t.type FROM due t), at) h);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.idle_runs TO holdfast_app;
