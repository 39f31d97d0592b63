-- Ends requests, each with its event: ‹kind›.‹what›, where `what` is the new status unless it is given. A request is named
-- by its id, or by the step that asked; one that is closed already stays as it is. Answers those that were closed.
CREATE OR REPLACE FUNCTION holdfast.close_requests(closing jsonb, actor text, at timestamptz) RETURNS SETOF uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  given record;
  closed holdfast.approval_requests;
BEGIN
  FOR given IN
    SELECT n.* FROM jsonb_to_recordset(closing) n (
      id uuid, step_key text, status text, outcome text, reason text, changed_fields text[], what text, about jsonb)
  LOOP
    IF given.id IS NULL THEN
      SELECT r.id INTO given.id FROM holdfast.approval_requests r
        WHERE r.tenant = own AND r.step_key = given.step_key AND r.status = 'open';
      CONTINUE WHEN NOT FOUND;
    END IF;
    SELECT * INTO closed FROM holdfast.end_requests(own, jsonb_build_array(jsonb_build_object(
      'id', given.id, 'status', given.status, 'outcome', given.outcome, 'reason', given.reason,
      'changed_fields', given.changed_fields)), at);
    CONTINUE WHEN NOT FOUND;
    INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
      VALUES (own, 'instance', closed.instance_id, closed.kind || '.' || coalesce(given.what, given.status),
              close_requests.actor, closed.node_id,
              coalesce(given.about, jsonb_strip_nulls(jsonb_build_object(
                'request', closed.id, 'reason', given.reason, 'changed', given.changed_fields))), at);
    RETURN NEXT closed.id;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.close_requests TO holdfast_app;
