-- Publishes events of the transaction's tenant.
CREATE OR REPLACE FUNCTION holdfast.publish_events(
  ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[],
  trace_parents text[], actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.publish_events_for(
    array_fill(holdfast.transaction_tenant(), ARRAY[cardinality(ids)]), ids, types, payloads, aggregate_types, aggregate_ids,
    subjects, trace_parents, actor, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.publish_events TO holdfast_app;
