-- Voids every unused decision on a document, or of an instance, naming the fields that changed; answers whose they were. On
-- approval_requests_entity or approval_requests_instance, and approval_decisions_person.
CREATE OR REPLACE FUNCTION holdfast.void_decisions(document uuid, instance uuid, changed text[], why text, at timestamptz)
RETURNS TABLE (instance_id uuid, request_id uuid, decided_by text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  IF document IS NOT NULL THEN
    RETURN QUERY
      UPDATE holdfast.approval_decisions d SET voided_at = at, void_reason = why, changed_fields = changed
      FROM holdfast.approval_requests r
      WHERE r.tenant = own AND r.entity_id = document AND d.tenant = own AND d.request_id = r.id
        AND NOT d.applied AND d.voided_at IS NULL
      RETURNING d.instance_id, d.request_id, d.decided_by;
  ELSE
    RETURN QUERY
      UPDATE holdfast.approval_decisions d SET voided_at = at, void_reason = why, changed_fields = changed
      FROM holdfast.approval_requests r
      WHERE r.tenant = own AND r.instance_id = instance AND d.tenant = own AND d.request_id = r.id
        AND NOT d.applied AND d.voided_at IS NULL
      RETURNING d.instance_id, d.request_id, d.decided_by;
  END IF;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.void_decisions TO holdfast_app;
