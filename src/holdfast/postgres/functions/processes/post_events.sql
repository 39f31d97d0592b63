-- Posts events of the transaction's tenant for the engine; answers how many are new.
CREATE OR REPLACE FUNCTION holdfast.post_events(given jsonb, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN holdfast.post_events_for(holdfast.transaction_tenant(), given, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.post_events TO holdfast_app;
