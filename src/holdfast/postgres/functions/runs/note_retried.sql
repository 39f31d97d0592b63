-- A finished run was enqueued anew: it says as which.
CREATE OR REPLACE FUNCTION holdfast.note_retried(wanted uuid, made uuid) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE holdfast.workflow_run_done r SET retried_as = made WHERE r.tenant = holdfast.transaction_tenant() AND r.id = wanted;
$$;
GRANT EXECUTE ON FUNCTION holdfast.note_retried TO holdfast_app;
