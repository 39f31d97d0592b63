-- What happens in a tenant, for those who look at it while it happens.

-- name: news
-- What transactions wrote that `since` could not see: of that, what `upto` can see and comes at or after a number, then the rest, up
-- to what `until` can see, or now. On workflow_event_chained_xid, workflow_event_plain_xid and workflow_notifications_xid. One row at
-- least: it tells where the tenant is now. Who is asked, and about which document, is looked up for the few that were found.
WITH fresh AS MATERIALIZED (
  SELECT e.id, e.object_kind, e.object_id, e.event_type,
         CASE WHEN e.event_type ~ '^(approval|task)[.]' AND e.data ->> 'request' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
              THEN (e.data ->> 'request')::uuid END AS request,
         NULL::text AS name, pg_visible_in_snapshot(e.xid, %(upto)s::pg_snapshot) AS early
  FROM holdfast.workflow_event_chained e
  WHERE e.tenant = %(tenant)s AND e.xid >= pg_snapshot_xmin(%(since)s::pg_snapshot)
    AND NOT pg_visible_in_snapshot(e.xid, %(since)s::pg_snapshot)
    AND (%(until)s::pg_snapshot IS NULL OR pg_visible_in_snapshot(e.xid, %(until)s::pg_snapshot))
  UNION ALL
  SELECT e.id, e.object_kind, e.object_id, e.event_type, NULL, NULL, pg_visible_in_snapshot(e.xid, %(upto)s::pg_snapshot)
  FROM holdfast.workflow_event_plain e
  WHERE e.tenant = %(tenant)s AND e.xid >= pg_snapshot_xmin(%(since)s::pg_snapshot)
    AND e.object_kind IN ('outbox', 'run', 'schedule', 'session')
    AND NOT pg_visible_in_snapshot(e.xid, %(since)s::pg_snapshot)
    AND (%(until)s::pg_snapshot IS NULL OR pg_visible_in_snapshot(e.xid, %(until)s::pg_snapshot))
  UNION ALL
  SELECT n.number, 'notification', n.id, 'notification.received', NULL, n.name, pg_visible_in_snapshot(n.xid, %(upto)s::pg_snapshot)
  FROM holdfast.workflow_notifications n
  WHERE n.tenant = %(tenant)s AND n.xid >= pg_snapshot_xmin(%(since)s::pg_snapshot)
    AND NOT pg_visible_in_snapshot(n.xid, %(since)s::pg_snapshot)
    AND (%(until)s::pg_snapshot IS NULL OR pg_visible_in_snapshot(n.xid, %(until)s::pg_snapshot))
), page AS (
  SELECT f.*, row_number() OVER (ORDER BY f.early DESC, f.id) AS place FROM fresh f WHERE NOT f.early OR f.id >= %(after)s
  ORDER BY f.early DESC, f.id LIMIT %(limit)s
)
SELECT here.snapshot, here.at, here.origin, p.id, p.object_kind, p.object_id, p.event_type, p.request, p.early,
       coalesce(r.entity_id, i.entity_id) AS document_id, coalesce(r.entity_type, i.entity_type, d.entity_type) AS entity_type,
       CASE WHEN p.name IS NOT NULL THEN ARRAY['user:' || p.name]
            ELSE (SELECT array_agg(a.principal) FROM holdfast.approval_assignees a
                  WHERE a.tenant = %(tenant)s AND a.request_id = p.request) END AS principals
FROM (SELECT pg_current_snapshot()::text AS snapshot, clock_timestamp() AS at,
             (SELECT oid FROM pg_catalog.pg_database WHERE datname = current_database())::bigint AS origin) here
LEFT JOIN page p ON true
LEFT JOIN holdfast.approval_requests r ON r.tenant = %(tenant)s AND r.id = p.request
LEFT JOIN holdfast.workflow_instances i ON i.tenant = %(tenant)s AND i.id = p.object_id AND p.object_kind = 'instance'
LEFT JOIN holdfast.entities d ON d.tenant = %(tenant)s AND d.id = p.object_id AND p.object_kind = 'document'
ORDER BY p.place

-- name: run_mark
-- Changes when runs come, are taken up or end. Their events are not written by default, and nothing is written for this: three
-- probes, of the primary keys of both tables and of workflow_run_leased.
SELECT md5(concat_ws(' ',
  (SELECT id FROM holdfast.workflow_run_live WHERE tenant = %(tenant)s ORDER BY id DESC LIMIT 1),
  (SELECT id FROM holdfast.workflow_run_done WHERE tenant = %(tenant)s ORDER BY id DESC LIMIT 1),
  (SELECT string_agg(l.id || ':' || l.lease_epoch, ' ' ORDER BY l.id) FROM (
     SELECT id, lease_epoch FROM holdfast.workflow_run_live
     WHERE tenant = %(tenant)s AND status = 'leased' ORDER BY id LIMIT 100) l))) AS mark

-- name: be_known_to_follow
-- Until it is said otherwise, or the connection ends: what happens is notified only while somebody holds it.
SELECT pg_advisory_lock_shared(hashtextextended('holdfast.live_followed', 0))

-- name: be_known_to_follow_no_more
SELECT pg_advisory_unlock_shared(hashtextextended('holdfast.live_followed', 0))
