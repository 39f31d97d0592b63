-- Forgets objects of a session, but for the one that is named, and has them deleted.
CREATE OR REPLACE FUNCTION holdfast.discard_outputs(
  for_tenant uuid, session uuid, kept text, due timestamptz, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one text;
BEGIN
  FOR one IN
    DELETE FROM holdfast.session_outputs o
      WHERE o.tenant = for_tenant AND o.workflow_session_id = session AND o.object IS DISTINCT FROM kept
      RETURNING o.object
  LOOP
    PERFORM holdfast.enqueue_run_for(
      for_tenant, holdfast.time_ordered_id(at), 'session.discard.v1', jsonb_build_object('object', one)::text, 0, due, 100,
      NULL::text, 'system:sessions', 'exceptions', at);
  END LOOP;
END
$$;
