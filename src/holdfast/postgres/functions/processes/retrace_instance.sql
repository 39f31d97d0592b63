-- What follows from a move that somebody asked for belongs to their trace, whoever began the process.
CREATE OR REPLACE FUNCTION holdfast.retrace_instance(wanted uuid, trace text) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE holdfast.workflow_instances i SET trace_id = trace
    WHERE i.tenant = holdfast.transaction_tenant() AND i.id = wanted AND i.trace_id IS DISTINCT FROM trace
$$;
GRANT EXECUTE ON FUNCTION holdfast.retrace_instance TO holdfast_app;
