-- Keeps an event from outside. Whoever is about to wait for its key waits for us here, or we for them, so that it cannot
-- fall between: either we see the waiting step, or the step sees the event. Answers NULL when its source told it before.
CREATE OR REPLACE FUNCTION holdfast.lock_event_key(key text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(holdfast.transaction_tenant()::text || ':' || key, 1));
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.lock_event_key TO holdfast_app;
