-- Claims due events, the longest due first, at most `share` of each tenant; and as many of those that need something the
-- worker knows. Counting the attempt here means that an event that kills its worker runs out of attempts.
--
-- Entries of claimed events stay in the index until vacuum takes them away; a claim that began at the head would pass all of them each time. So
-- claims tell where they ended (lane, due, created_at, id), and those that come after may begin there (marks): by tenant, and what is needed.
CREATE OR REPLACE FUNCTION holdfast.claim_events(
  worker text, share integer, lease interval, at timestamptz, known text[], marks jsonb DEFAULT NULL)
RETURNS TABLE (
  tenant uuid, id uuid, created_at timestamptz, epoch bigint, instance_id uuid, entity_type text, entity_id uuid,
  entity_version integer, definition_version integer, event_type text, payload text, actor text, trace_id text,
  attempts integer, max_attempts integer, lane text, due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET jit = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH mark AS MATERIALIZED (
      SELECT m.* FROM jsonb_to_recordset(marks) m (tenant uuid, lane text, due timestamptz, created_at timestamptz, id uuid)
    ), picked AS MATERIALIZED (
      SELECT o.leaf, o.place FROM holdfast.tenants t LEFT JOIN mark m ON m.tenant = t.tenant AND m.lane = ''
      CROSS JOIN LATERAL (
        SELECT x.tableoid AS leaf, x.ctid AS place FROM holdfast.workflow_events_outbox x
        WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs IS NULL AND x.next_retry_at <= at
          AND (x.next_retry_at, x.created_at, x.id)
            > (coalesce(m.due, '-infinity'), coalesce(m.created_at, '-infinity'), coalesce(m.id, '00000000-0000-0000-0000-000000000000'))
        ORDER BY x.next_retry_at, x.created_at, x.id LIMIT share FOR UPDATE SKIP LOCKED) o
      UNION ALL
      SELECT o.leaf, o.place FROM (
        -- Few tenants have any; the others are not asked for everything the worker knows.
        SELECT x.tenant FROM holdfast.tenants x
        WHERE CASE WHEN EXISTS (SELECT FROM mark m WHERE m.tenant = x.tenant AND m.lane <> '') THEN true ELSE EXISTS (
          SELECT FROM holdfast.workflow_events_outbox w
          WHERE w.tenant = x.tenant AND w.status IN ('pending', 'failed') AND w.needs IS NOT NULL) END OFFSET 0) t
      CROSS JOIN LATERAL (
        SELECT n.leaf, n.place FROM unnest(known) k (name) LEFT JOIN mark m ON m.tenant = t.tenant AND m.lane = k.name
        CROSS JOIN LATERAL (
          SELECT x.tableoid AS leaf, x.ctid AS place FROM holdfast.workflow_events_outbox x
          WHERE x.tenant = t.tenant AND x.status IN ('pending', 'failed') AND x.needs = k.name AND x.next_retry_at <= at
            AND (x.next_retry_at, x.created_at, x.id)
              > (coalesce(m.due, '-infinity'), coalesce(m.created_at, '-infinity'), coalesce(m.id, '00000000-0000-0000-0000-000000000000'))
          ORDER BY x.next_retry_at, x.created_at, x.id LIMIT share FOR UPDATE SKIP LOCKED) n
        LIMIT share) o
    )
    UPDATE holdfast.workflow_events_outbox u
      SET status = 'processing', attempts = u.attempts + 1, lease_epoch = u.lease_epoch + 1, lease_until = at + lease,
          leased_by = worker
      FROM picked p WHERE u.tableoid = p.leaf AND u.ctid = p.place -- locked above, so it stays in its place
      RETURNING u.tenant, u.id, u.created_at, u.lease_epoch, u.instance_id, u.entity_type, u.entity_id, u.entity_version,
                u.definition_version, u.event_type, u.payload_json::text, u.actor::text, u.trace_id, u.attempts,
                u.max_attempts, u.needs, u.next_retry_at;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.claim_events TO holdfast_worker;
