CREATE OR REPLACE FUNCTION holdfast.announce_worker(
  worker uuid, worker_name text, handled text[], tries integer[], taken text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO holdfast.run_worker (worker_id, name, types, attempts, prefixes, seen_at)
    VALUES (worker, worker_name, handled, tries, taken, at)
    ON CONFLICT (worker_id) DO UPDATE SET seen_at = excluded.seen_at;
  -- Those that were killed have said nothing.
  DELETE FROM holdfast.run_worker w WHERE w.seen_at < at - interval '1 day';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.announce_worker TO holdfast_worker;
