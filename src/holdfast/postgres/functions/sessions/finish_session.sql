-- The graph came to its end, or failed. With an input waiting to be taken up, it has not come to its end yet. The output is
-- given, or where it is.
CREATE OR REPLACE FUNCTION holdfast.finish_session(
  for_tenant uuid, session uuid, run uuid, epoch bigint, output text, reference text, hash text, size bigint,
  error text, trace text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN 'lost';
  END IF;
  IF error IS NULL THEN
    IF holdfast.next_input(for_tenant, session) IS NOT NULL THEN
      RETURN 'more';
    END IF;
    UPDATE holdfast.workflow_sessions s SET status = 'completed', output_data = output::jsonb, output_reference = reference,
        output_hash = hash, output_size = size, completed_at = at
      WHERE s.tenant = for_tenant AND s.id = session;
    PERFORM holdfast.add_messages(
      for_tenant, session, ARRAY['system'], ARRAY[jsonb_build_object('message', 'Session completed')], at);
    RETURN 'completed';
  END IF;
  UPDATE holdfast.workflow_sessions s SET status = 'failed', error_message = error, completed_at = at
    WHERE s.tenant = for_tenant AND s.id = session;
  PERFORM holdfast.add_messages(
    for_tenant, session, ARRAY['error'],
    ARRAY[CASE WHEN starts_with(trace, '{"$sealed"') THEN jsonb_build_object('error', error) || trace::jsonb
               ELSE jsonb_strip_nulls(jsonb_build_object('error', error, 'stack_trace', trace)) END], at);
  RETURN 'failed';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.finish_session TO holdfast_worker;
