-- The same for the tenant of the transaction.
CREATE OR REPLACE FUNCTION holdfast.own_queue_states(cap integer, at timestamptz)
RETURNS TABLE (queue text, pending bigint, working bigint, waiting bigint, stuck bigint, dead bigint, oldest double precision)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT * FROM holdfast.queue_states(holdfast.transaction_tenant(), cap, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.own_queue_states TO holdfast_app;
