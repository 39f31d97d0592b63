-- Wakes somebody up when a session or one of its prompts runs out of time.
CREATE OR REPLACE FUNCTION holdfast.enqueue_expiry(for_tenant uuid, session uuid, due timestamptz, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.enqueue_run_for(
    for_tenant, holdfast.time_ordered_id(at), 'session.expire.v1', jsonb_build_object('session', session)::text, 0, due, 10,
    NULL::text, 'system:sessions', 'exceptions', at);
END
$$;
