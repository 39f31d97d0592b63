-- Writes what followed from a happening. Each argument is a JSON array, NULL when there is nothing of its kind:
--   steps     rows of steps that are new; each needs its receipt, and a join that fires needs one more (WF-16)
--   settled   what became of steps that were open
--   statuses  moves of documents to another status, as `move_documents` takes them
--   opened    instances that begin
--   moved     instances whose projection changes, with the version that was read; `tells` where they tell of another rejection from now on
--   trail     audit events of instances
--   events    transitions of documents, posted when a trigger waits for such
--   posted    what is left to workers, as `post_events` takes it
--   done      events of the engine inbox that are done with this
-- Receipts first: one that is there already, an open step that is not, another version than was read, and nothing at all is written.
CREATE OR REPLACE FUNCTION holdfast.write_advance(
  steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb,
  done jsonb, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.put_advance(
    holdfast.transaction_tenant(), steps, settled, statuses, opened, moved, trail, events, posted, done, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.write_advance TO holdfast_app;
