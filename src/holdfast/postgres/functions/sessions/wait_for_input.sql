-- The graph asked: open its prompts, tell of them, and wait. A prompt that was asked before, by an attempt that was lost,
-- is not told again. What the graph shows stands beside the prompt's id, and cannot take its place. Without an open prompt
-- there is nobody to wait for.
CREATE OR REPLACE FUNCTION holdfast.wait_for_input(
  for_tenant uuid, session uuid, run uuid, epoch bigint, ids text[], contents text[], schemas text[], lifetimes interval[],
  at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  due timestamptz;
  prompts jsonb[];
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN 'lost';
  END IF;
  IF EXISTS (SELECT FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = session AND s.interrupted) THEN
    RETURN 'more';
  END IF;
  WITH opened AS (
    INSERT INTO holdfast.session_prompts AS p
      (tenant, workflow_session_id, prompt_id, content, response_schema, opened_at, expires_at)
      SELECT for_tenant, session, n.id, n.content::jsonb, n.schema::jsonb, at, at + n.lifetime
      FROM unnest(ids, contents, schemas, lifetimes) n (id, content, schema, lifetime)
      ON CONFLICT (tenant, workflow_session_id, prompt_id) DO UPDATE
        SET status = 'open', closed_at = NULL, opened_at = excluded.opened_at, expires_at = excluded.expires_at
        WHERE p.status = 'withdrawn'
      RETURNING p.prompt_id, p.content, p.response_schema, p.expires_at
  )
  SELECT min(o.expires_at), array_agg(
      o.content || jsonb_strip_nulls(jsonb_build_object('prompt_id', o.prompt_id, 'response_schema', o.response_schema,
                                                        'expires_at', o.expires_at)))
    INTO due, prompts FROM opened o;
  IF NOT EXISTS (SELECT FROM holdfast.session_prompts p
                 WHERE p.tenant = for_tenant AND p.workflow_session_id = session AND p.status = 'open') THEN
    RETURN 'unasked';
  END IF;
  UPDATE holdfast.workflow_sessions s SET status = 'waiting_for_input' WHERE s.tenant = for_tenant AND s.id = session;
  IF prompts IS NOT NULL THEN
    PERFORM holdfast.add_messages(
      for_tenant, session, array_fill('workflow_waiting_for_input'::text, ARRAY[cardinality(prompts)]), prompts, at);
  END IF;
  IF due IS NOT NULL THEN
    PERFORM holdfast.enqueue_expiry(for_tenant, session, due, at);
  END IF;
  RETURN 'waiting';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.wait_for_input TO holdfast_worker;
