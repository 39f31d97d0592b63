-- The input or edit that is to be taken up next, as JSON; urgent ones first.
CREATE OR REPLACE FUNCTION holdfast.next_input(for_tenant uuid, session uuid) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('id', i.id, 'kind', i.kind, 'body', i.body, 'as_node', i.as_node)::text
    FROM holdfast.session_inputs i
    WHERE i.tenant = for_tenant AND i.workflow_session_id = session AND i.taken_at IS NULL
    ORDER BY i.urgent DESC, i.id LIMIT 1);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.next_input TO holdfast_worker;
