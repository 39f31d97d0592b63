-- Whether a run is still held at that epoch; if so, until the end of this transaction nobody can take it away. And as whom it acts.
CREATE OR REPLACE FUNCTION holdfast.hold_run(run uuid, epoch bigint) RETURNS TABLE (held boolean, party jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- FOR KEY SHARE lets heartbeats through, and makes whoever would end or take back the run wait or pass by.
  SELECT r.party INTO party FROM holdfast.workflow_run_live r
    WHERE r.tenant = holdfast.transaction_tenant() AND r.id = run AND r.lease_epoch = hold_run.epoch
      AND r.lease_until IS NOT NULL FOR KEY SHARE;
  held := FOUND;
  RETURN NEXT;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.hold_run TO holdfast_app;
