-- What time has brought: events whose worker died come back or are buried, timers and timeouts become events, each once.
-- A paused instance has no time: what became due meanwhile is found when it is resumed. Answers with the earliest time at
-- which there is more to do.
CREATE OR REPLACE FUNCTION holdfast.tend_events(at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  row record;
  due text;
  mark text;
  soonest timestamptz;
BEGIN
  UPDATE holdfast.workflow_events_outbox o
    SET status = CASE WHEN o.attempts < o.max_attempts THEN 'failed' ELSE 'dead_letter' END, next_retry_at = at,
        lease_until = NULL, leased_by = NULL, error = coalesce(o.error, 'the worker stopped in the middle')
    FROM holdfast.tenants t
    WHERE o.tenant = t.tenant AND o.status = 'processing' AND o.lease_until <= at;
  FOR row IN
    SELECT i.tenant, i.id, i.entity_type, i.entity_id, i.entity_version, i.timeout_at, i.trace_id
    FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT x.* FROM holdfast.workflow_instances x
      WHERE x.tenant = t.tenant AND x.status IN ('running', 'paused') AND x.timeout_at <= at
        AND x.paused_at IS NULL AND x.timer_sent_for IS DISTINCT FROM x.timeout_at
      ORDER BY x.timeout_at LIMIT 500 FOR UPDATE SKIP LOCKED) i
  LOOP
    -- The key is that of WF-11, written here by hand: canonical JSON of so little is easy.
    due := to_char(row.timeout_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"');
    mark := encode(sha256(convert_to(format('{"due":"%s"}', due), 'UTF8')), 'hex');
    mark := encode(sha256(convert_to(format('["%s","on_timer","%s",%s]', row.id, mark, row.entity_version), 'UTF8')), 'hex');
    PERFORM holdfast.post_events_for(row.tenant, jsonb_build_array(jsonb_build_object(
      'id', gen_random_uuid(), 'instance_id', row.id, 'entity_type', row.entity_type, 'entity_id', row.entity_id,
      'entity_version', row.entity_version, 'event_type', 'on_timer', 'payload', jsonb_build_object('due', due), 'key', mark,
      'trace_id', row.trace_id)), at);
    UPDATE holdfast.workflow_instances i SET timer_sent_for = row.timeout_at WHERE i.tenant = row.tenant AND i.id = row.id;
  END LOOP;
  SELECT min(next) INTO soonest FROM (
    SELECT (SELECT x.timeout_at FROM holdfast.workflow_instances x
            WHERE x.tenant = t.tenant AND x.status IN ('running', 'paused') AND x.timeout_at > at AND x.paused_at IS NULL
            ORDER BY x.timeout_at LIMIT 1) AS next FROM holdfast.tenants t
    UNION ALL
    SELECT (SELECT x.next_retry_at FROM holdfast.workflow_events_outbox x
            WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs IS NULL AND x.next_retry_at > at
            ORDER BY x.next_retry_at LIMIT 1) FROM holdfast.tenants t
    UNION ALL
    SELECT (SELECT x.next_at FROM holdfast.workflow_triggers x
            WHERE x.tenant = t.tenant AND x.enabled AND x.trigger_type = 'on_timer' ORDER BY x.next_at LIMIT 1)
    FROM holdfast.tenants t) every_tenant;
  RETURN soonest;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.tend_events TO holdfast_worker;
