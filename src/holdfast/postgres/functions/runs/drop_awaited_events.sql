-- Forgets events that nobody can be waiting for any more. The end of a run is kept for the one that started it.
CREATE OR REPLACE FUNCTION holdfast.drop_awaited_events(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  dropped bigint;
BEGIN
  WITH wanted AS MATERIALIZED (
    -- What was started by runs that are older than what is dropped, and still live; there are few.
    SELECT s.tenant, 'run:' || (s.result #>> '{}') AS key FROM holdfast.workflow_run_live r
    JOIN holdfast.workflow_run_step s ON s.tenant = r.tenant AND s.run_id = r.id
    WHERE r.created_at < before AND r.lease_epoch > 0 AND starts_with(s.name, 'start ') AND jsonb_typeof(s.result) = 'string'
  )
  DELETE FROM holdfast.workflow_awaited_event e USING holdfast.tenants t
    WHERE e.tenant = t.tenant AND e.created_at < before
      AND NOT EXISTS (SELECT FROM wanted w WHERE w.tenant = e.tenant AND w.key = e.key);
  GET DIAGNOSTICS dropped = ROW_COUNT;
  RETURN dropped;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.drop_awaited_events TO holdfast_worker;
