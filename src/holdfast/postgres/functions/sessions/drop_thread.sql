-- Names of sessions have the collation "C", and so has what is made of them; LangGraph's indexes have the database's. Without
-- saying so, a thread would be looked for among everybody's, one by one.
CREATE OR REPLACE FUNCTION holdfast.drop_thread(thread text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own text COLLATE "default" := thread;
BEGIN
  DELETE FROM holdfast_langgraph.checkpoint_writes w WHERE w.thread_id = own;
  DELETE FROM holdfast_langgraph.checkpoint_blobs b WHERE b.thread_id = own;
  DELETE FROM holdfast_langgraph.checkpoints c WHERE c.thread_id = own;
END
$$;
