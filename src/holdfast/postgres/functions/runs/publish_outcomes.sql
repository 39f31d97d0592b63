-- Makes outbox events of runs that ended at a time, which is that of the caller's transaction.
CREATE OR REPLACE FUNCTION holdfast.publish_outcomes(tenants uuid[], ids uuid[], publishes text, actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.publish_events_for(
    array_agg(d.tenant), array_agg(holdfast.time_ordered_id()), array_agg('holdfast.run.' || d.status),
    array_agg(jsonb_strip_nulls(jsonb_build_object(
      'run', d.id, 'type', d.type, 'status', d.status, 'attempt', d.attempt, 'error', d.last_error,
      -- What is encrypted here is nobody's outside.
      'result', CASE WHEN d.result ? '$sealed' THEN NULL ELSE d.result END, 'finished_at', d.finished_at))::text),
    array_agg('run'::text), array_agg(d.id::text), array_agg('runs/' || d.id), array_agg(d.trace_parent), actor, at)
    FROM unnest(tenants, ids) r (tenant, id)
    JOIN holdfast.workflow_run_done d ON d.tenant = r.tenant AND d.id = r.id AND d.finished_at = at
    WHERE publishes = 'outcomes' OR d.status <> 'succeeded'
    HAVING count(*) > 0;
END
$$;
