-- One run without keys: the least that enqueueing can be.
CREATE OR REPLACE FUNCTION holdfast.enqueue_run_for(
  for_tenant uuid, new_id uuid, new_type text, new_payload text, new_priority integer, new_run_at timestamptz,
  tries integer, trace text, actor text, event_level text, at timestamptz, party jsonb DEFAULT NULL) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  INSERT INTO holdfast.workflow_run_live
    (tenant, id, type, payload, priority, run_at, ready, max_attempts, trace_parent, created_by, created_at, updated_at,
     party)
    VALUES (for_tenant, new_id, new_type, new_payload::jsonb, new_priority, coalesce(new_run_at, at),
            coalesce(new_run_at <= at, true), tries, trace, actor, at, at, enqueue_run_for.party);
  IF event_level <> 'exceptions' THEN
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      VALUES (for_tenant, 'run', new_id, 'run.created', enqueue_run_for.actor, jsonb_build_object('type', new_type), trace,
              at);
  END IF;
  PERFORM pg_notify('holdfast_runs', for_tenant || ':' || new_type)
    FROM holdfast.workflow_lane l WHERE l.tenant = for_tenant AND l.type = new_type;
  IF NOT FOUND THEN
    INSERT INTO holdfast.workflow_lane (tenant, type) VALUES (for_tenant, new_type) ON CONFLICT DO NOTHING;
    PERFORM pg_notify('holdfast_runs', for_tenant || ':' || new_type);
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.enqueue_run_for TO holdfast_worker;
