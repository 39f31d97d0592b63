CREATE OR REPLACE FUNCTION holdfast.withdraw_worker(worker uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM holdfast.run_worker w WHERE w.worker_id = worker;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.withdraw_worker TO holdfast_worker;
