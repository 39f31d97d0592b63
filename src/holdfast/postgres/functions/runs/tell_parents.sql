-- The end of a run that another started is an event that the other may wait for.
CREATE OR REPLACE FUNCTION holdfast.tell_parents(tenants uuid[], ids uuid[], outcomes jsonb[], by text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO holdfast.workflow_awaited_event (tenant, key, payload, created_by, created_at)
    SELECT o.tenant, 'run:' || o.id, o.outcome, by, at FROM unnest(tenants, ids, outcomes) o (tenant, id, outcome)
    ON CONFLICT DO NOTHING;
  INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
    SELECT o.tenant, 'event', 'run:' || o.id FROM unnest(tenants, ids) o (tenant, id);
  PERFORM pg_notify('holdfast_runs', '');
END
$$;
