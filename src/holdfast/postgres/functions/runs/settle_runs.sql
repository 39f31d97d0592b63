-- Records what became of leased runs, as settle_outcomes does. Where every run of a call just succeeded, with no event to write, no slot to
-- give away and nothing to publish, the short way (keep_successes) is taken. If some of them were not held any more, the long way finds the others
-- kept, changes nothing, and says which were lost. `tenants`, `epochs` and `statuses` with one element mean it for every run.
CREATE OR REPLACE FUNCTION holdfast.settle_runs(
  worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[],
  last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[],
  event_level text, publishes text, at timestamptz, addresses tid[] DEFAULT '{}')
RETURNS TABLE (lost_tenant uuid, lost_id uuid)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF cardinality(ids) = 0 THEN
    RETURN;
  END IF;
  IF 'succeeded' = ALL (statuses) AND cardinality(events) = 0 AND cardinality(keys) = 0 AND publishes <> 'outcomes'
     AND NOT holdfast.wants_event(event_level, 'run.succeeded')
     AND holdfast.keep_successes(tenants, ids, epochs, addresses, results, 'worker:' || worker, at) = cardinality(ids) THEN
    RETURN;
  END IF;
  IF cardinality(tenants) = 1 THEN
    tenants := array_fill(tenants[1], ARRAY[cardinality(ids)]);
  END IF;
  IF cardinality(epochs) = 1 THEN
    epochs := array_fill(epochs[1], ARRAY[cardinality(ids)]);
  END IF;
  IF cardinality(statuses) = 1 THEN
    statuses := array_fill(statuses[1], ARRAY[cardinality(ids)]);
  END IF;
  RETURN QUERY SELECT * FROM holdfast.settle_outcomes(
    worker, tenants, ids, epochs, statuses, results, errors, last_errors, delays, attempts_back, events, waits, keys,
    event_level, publishes, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.settle_runs TO holdfast_worker;
