-- Inserts runs; those with an idempotency key that is known already are not, and answered with the run that has it. Runs that are all alike but for
-- their payloads, as most that are enqueued together, go by a shorter statement: reading eight columns that say nothing took a tenth of the time.
CREATE OR REPLACE FUNCTION holdfast.insert_runs(
  own uuid, new_ids uuid[], types text[], payloads jsonb, priorities integer[], run_ats timestamptz[],
  max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[],
  concurrency_limits integer[], parent uuid, actor text, event_level text, at timestamptz,
  party jsonb)
RETURNS TABLE (place bigint, run_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  known uuid[] := '{}';
  clash text;
  lane text;
BEGIN
  IF cardinality(keys) > 0 THEN
    INSERT INTO holdfast.workflow_run_key (tenant, idempotency_key, run_id, fingerprint)
      SELECT own, n.key, n.id, n.fingerprint FROM unnest(new_ids, keys, fingerprints) n (id, key, fingerprint)
      WHERE n.key IS NOT NULL
      -- Those who use the same keys at once wait for each other here; in one order, so that they cannot deadlock.
      ORDER BY n.key
      ON CONFLICT DO NOTHING;
    SELECT n.key INTO clash FROM unnest(keys, fingerprints) n (key, fingerprint)
      JOIN holdfast.workflow_run_key k ON k.tenant = own AND k.idempotency_key = n.key
      WHERE k.fingerprint <> n.fingerprint LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION 'the idempotency key % belongs to a run with other content', quote_literal(clash)
        USING ERRCODE = 'HF001', HINT = 'use another key, or the same type and payload';
    END IF;
    RETURN QUERY
      SELECT n.place, k.run_id FROM unnest(new_ids, keys) WITH ORDINALITY n (id, key, place)
      JOIN holdfast.workflow_run_key k ON k.tenant = own AND k.idempotency_key = n.key
      WHERE k.run_id <> n.id;
    IF FOUND THEN
      SELECT array_agg(n.id) INTO known FROM unnest(new_ids, keys) n (id, key)
        JOIN holdfast.workflow_run_key k ON k.tenant = own AND k.idempotency_key = n.key
        WHERE k.run_id <> n.id;
    END IF;
  END IF;
  IF cardinality(types) = 1 AND cardinality(max_attempts) <= 1 AND cardinality(trace_parents) <= 1
     AND cardinality(keys) + cardinality(priorities) + cardinality(run_ats) + cardinality(concurrency_keys) = 0 THEN
    INSERT INTO holdfast.workflow_run_live
      (tenant, id, type, payload, run_at, max_attempts, trace_parent, created_by, created_at, updated_at, parent_id, party)
      SELECT own, n.id, types[1], n.payload, at, coalesce(max_attempts[1], 3), trace_parents[1], actor, at, at, parent,
             insert_runs.party
      FROM ROWS FROM (unnest(new_ids), jsonb_array_elements(payloads)) n (id, payload);
  ELSE
    INSERT INTO holdfast.workflow_run_live
      (tenant, id, type, payload, priority, run_at, ready, max_attempts, idempotency_key, trace_parent, created_by,
       created_at, updated_at, concurrency_key, concurrency_limit, blocked, parent_id, party)
      SELECT own, n.id, coalesce(n.type, types[1]), n.payload, coalesce(n.priority, 0), coalesce(n.run_at, at),
             coalesce(n.run_at <= at, true) AND n.turn IS NULL, coalesce(n.tries, max_attempts[1], 3), n.key,
             CASE WHEN cardinality(trace_parents) = 1 THEN trace_parents[1] ELSE n.trace END, actor, at, at, n.turn, n.turns,
             coalesce(n.run_at <= at, true) AND n.turn IS NOT NULL, parent, insert_runs.party
      FROM ROWS FROM (
        unnest(new_ids), jsonb_array_elements(payloads), unnest(types), unnest(priorities), unnest(run_ats),
        unnest(max_attempts), unnest(keys), unnest(trace_parents), unnest(concurrency_keys), unnest(concurrency_limits))
        n (id, payload, type, priority, run_at, tries, key, trace, turn, turns)
      WHERE n.id <> ALL (known);
  END IF;
  IF event_level <> 'exceptions' THEN
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      SELECT own, 'run', n.id, 'run.created', insert_runs.actor, jsonb_build_object('type', coalesce(n.type, types[1])),
             CASE WHEN cardinality(trace_parents) = 1 THEN trace_parents[1] ELSE n.trace END, at
      FROM unnest(new_ids, types, trace_parents) n (id, type, trace) WHERE n.id <> ALL (known);
  END IF;
  IF cardinality(concurrency_keys) > 0 THEN
    INSERT INTO holdfast.workflow_nudge (tenant, kind, key)
      SELECT DISTINCT own, 'key', k FROM unnest(concurrency_keys) k WHERE k IS NOT NULL;
  END IF;
  FOR lane IN SELECT DISTINCT t FROM unnest(types) t LOOP
    IF NOT EXISTS (SELECT FROM holdfast.workflow_lane l WHERE l.tenant = own AND l.type = lane) THEN
      INSERT INTO holdfast.workflow_lane (tenant, type) VALUES (own, lane) ON CONFLICT DO NOTHING;
    END IF;
    -- A hint for idle workers; Postgres sends it once for each lane, with the commit.
    PERFORM pg_notify('holdfast_runs', own || ':' || lane);
  END LOOP;
END
$$;
