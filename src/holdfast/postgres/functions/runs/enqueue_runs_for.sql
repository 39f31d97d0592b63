-- The same for workers and trusted code that name the tenant.
CREATE OR REPLACE FUNCTION holdfast.enqueue_runs_for(
  for_tenant uuid, new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamptz[],
  max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[],
  concurrency_limits integer[], actor text, event_level text, at timestamptz)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT * FROM holdfast.insert_runs(
    for_tenant, new_ids, types, payloads::jsonb, priorities, run_ats, max_attempts, keys, fingerprints, trace_parents,
    concurrency_keys, concurrency_limits, NULL, actor, event_level, at, NULL);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.enqueue_runs_for TO holdfast_worker;
