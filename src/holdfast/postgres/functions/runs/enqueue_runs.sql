-- Enqueues runs in the tenant of the transaction. A run whose idempotency key is known is not made again: a row of the
-- answer says which it was (`place`, counted from 1) and names the run of that key. A known key with other content refuses
-- the whole call.
CREATE OR REPLACE FUNCTION holdfast.enqueue_runs(
  new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamptz[], max_attempts integer[],
  keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[],
  actor text, party text, event_level text, at timestamptz)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT * FROM holdfast.insert_runs(
    holdfast.transaction_tenant(), new_ids, types, payloads::jsonb, priorities, run_ats, max_attempts, keys, fingerprints,
    trace_parents, concurrency_keys, concurrency_limits, NULL, actor, event_level, at,
    party::jsonb);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.enqueue_runs TO holdfast_app;
