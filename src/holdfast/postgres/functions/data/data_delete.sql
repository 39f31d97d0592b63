-- Deletes keys; those that were there, with the revision their end has. An expired one is removed too, but was not there.
CREATE OR REPLACE FUNCTION holdfast.data_delete(
  own uuid, in_namespace text, in_keys text[], expected bigint, actor text, origin jsonb, step text, at timestamptz)
RETURNS TABLE (status text, deleted_key text, revision bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  known holdfast.workflow_data_store;
  wanted text;
BEGIN
  PERFORM holdfast.require_tenant(own);
  rule := holdfast.data_rule(own, in_namespace, 0, actor, at);
  -- In one order, so that two who delete the same keys cannot deadlock.
  FOR wanted IN SELECT DISTINCT k COLLATE "C" FROM unnest(in_keys) k ORDER BY 1 LOOP
    SELECT * INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = wanted FOR UPDATE;
    deleted_key := wanted;
    revision := CASE WHEN known.expires_at <= at THEN 0 ELSE coalesce(known.revision, 0) END;
    IF expected <> revision THEN
      status := 'conflict';
      RETURN NEXT;
      RETURN;
    END IF;
    CONTINUE WHEN known.store_id IS NULL;
    status := CASE WHEN revision = 0 THEN 'expired' ELSE 'deleted' END;
    revision := nextval('holdfast.data_revision');
    DELETE FROM holdfast.workflow_data_store s WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = wanted;
    IF rule.max_keys IS NOT NULL OR rule.max_bytes IS NOT NULL THEN
      PERFORM holdfast.data_charge(own, in_namespace, -1, -known.size, actor, at);
    END IF;
    PERFORM holdfast.data_tell(own, in_namespace, wanted, status, revision, known.store_id, '{}', actor, origin, step, at);
    IF status = 'deleted' THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_delete TO holdfast_app;
