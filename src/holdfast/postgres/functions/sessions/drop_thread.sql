CREATE OR REPLACE FUNCTION holdfast.drop_thread(thread text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM holdfast_langgraph.checkpoint_writes w WHERE w.thread_id = thread;
  DELETE FROM holdfast_langgraph.checkpoint_blobs b WHERE b.thread_id = thread;
  DELETE FROM holdfast_langgraph.checkpoints c WHERE c.thread_id = thread;
END
$$;
