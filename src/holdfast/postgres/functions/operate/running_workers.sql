-- The workers that were heard of within a day: what they execute, and when they last said that they are there. They serve every tenant, and what they
-- execute is code: nothing here is a tenant's.
CREATE OR REPLACE FUNCTION holdfast.running_workers(at timestamptz)
RETURNS TABLE (worker_id uuid, name text, types text[], prefixes text[], seen_at timestamptz, alive boolean)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT w.worker_id, w.name, w.types, w.prefixes, w.seen_at, w.seen_at > at - interval '1 minute'
    FROM holdfast.run_worker w ORDER BY w.name, w.worker_id;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.running_workers TO holdfast_app;
