-- Claims due events, the longest due first, at most `share` of each tenant; and as many of those that need something the
-- worker knows. Counting the attempt here means that an event that kills its worker runs out of attempts.
CREATE OR REPLACE FUNCTION holdfast.claim_events(worker text, share integer, lease interval, at timestamptz, known text[])
RETURNS TABLE (
  tenant uuid, id uuid, created_at timestamptz, epoch bigint, instance_id uuid, entity_type text, entity_id uuid,
  entity_version integer, definition_version integer, event_type text, payload text, actor text, trace_id text,
  attempts integer, max_attempts integer)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH picked AS MATERIALIZED (
      SELECT o.leaf, o.place FROM holdfast.tenants t CROSS JOIN LATERAL (
        SELECT x.tableoid AS leaf, x.ctid AS place FROM holdfast.workflow_events_outbox x
        WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs IS NULL AND x.next_retry_at <= at
        ORDER BY x.next_retry_at, x.created_at LIMIT share FOR UPDATE SKIP LOCKED) o
      UNION ALL
      SELECT o.leaf, o.place FROM (
        -- Few tenants have any; the others are not asked for everything the worker knows.
        SELECT x.tenant FROM holdfast.tenants x WHERE EXISTS (
          SELECT FROM holdfast.workflow_events_outbox w
          WHERE w.tenant = x.tenant AND w.status IN ('pending', 'failed') AND w.needs IS NOT NULL) OFFSET 0) t
      CROSS JOIN LATERAL (
        SELECT n.leaf, n.place FROM unnest(known) k (name) CROSS JOIN LATERAL (
          SELECT x.tableoid AS leaf, x.ctid AS place FROM holdfast.workflow_events_outbox x
          WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs = k.name AND x.next_retry_at <= at
          ORDER BY x.next_retry_at, x.created_at LIMIT share FOR UPDATE SKIP LOCKED) n
        LIMIT share) o
    )
    UPDATE holdfast.workflow_events_outbox u
      SET status = 'processing', attempts = u.attempts + 1, lease_epoch = u.lease_epoch + 1, lease_until = at + lease,
          leased_by = worker
      FROM picked p WHERE u.tableoid = p.leaf AND u.ctid = p.place -- locked above, so it stays in its place
      RETURNING u.tenant, u.id, u.created_at, u.lease_epoch, u.instance_id, u.entity_type, u.entity_id, u.entity_version,
                u.definition_version, u.event_type, u.payload_json::text, u.actor::text, u.trace_id, u.attempts,
                u.max_attempts;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.claim_events TO holdfast_worker;
