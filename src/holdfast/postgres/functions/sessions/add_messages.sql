-- Adds messages. The lock on the session, taken here, is what keeps their numbers without gaps.
CREATE OR REPLACE FUNCTION holdfast.add_messages(
  for_tenant uuid, session uuid, types text[], contents jsonb[], at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  last integer;
BEGIN
  UPDATE holdfast.workflow_sessions s SET last_sequence = s.last_sequence + cardinality(types)
    WHERE s.tenant = for_tenant AND s.id = session RETURNING s.last_sequence INTO last;
  INSERT INTO holdfast.session_messages
    (tenant, id, workflow_session_id, message_type, content, sequence_number, timestamp)
    SELECT for_tenant, holdfast.time_ordered_id(at), session, m.type, m.content,
           last - cardinality(types) + m.place::integer, at
    FROM unnest(types, contents) WITH ORDINALITY m (type, content, place);
  PERFORM pg_notify('holdfast_sessions', session::text);
  RETURN last;
END
$$;
