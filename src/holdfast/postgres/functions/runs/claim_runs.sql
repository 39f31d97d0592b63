-- Claims runs of several lanes in one statement (asking them one by one was measured 45 % slower at 64 lanes). Rides on workflow_run_ready. The
-- story, in order; each step is a name in the WITH:
--
--   lane       what was asked for: tenant, type, quota, lease, mark; paused ones are left out
--   head       the first run of each lane: more important than its mark, else behind its mark, else (thorough) whatever is first; by age, that of
--              the priority that has waited longest
--   ranked     of a tenant's lanes, those whose head has the highest priority go first
--   first      those, with how many of the tenant's lanes share its slots; types whose handlers share a worker's threads (`threaded`) share the
--              slots for them too, whatever the other types get
--   chosen     each lane's share; what does not divide goes to the lanes that have waited longest
--   picked     the runs, locked where they lie: SKIP LOCKED, so that no claim waits for another
--   passed_by  of tenants of whom nothing was picked, because all of it was locked: what is not locked in any of their lanes,
--   instead    cut to their slots
--   wanted     both, materialised: the UPDATE must see exactly what was locked
--   taken      the claim itself: status, epoch, attempt, lease
--   recorded   an event for each, for those who want all events
--
-- The answer marks the last run of each lane (next_mark): where the lane's next claim may begin.
CREATE OR REPLACE FUNCTION holdfast.claim_runs(
  worker text, tenants uuid[], types text[], quotas integer[], leases interval[], by_age boolean, event_level text,
  at timestamptz, threaded boolean[] DEFAULT '{}', marks holdfast.run_mark[] DEFAULT '{}', thorough boolean[] DEFAULT '{}')
RETURNS TABLE (tenant uuid, id uuid, type text, lease_epoch bigint, attempt integer, max_attempts integer, payload text,
               trace_parent text, concurrency_key text, address tid, next_mark text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
BEGIN
  IF cardinality(tenants) = 0 THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH lane AS (
      SELECT l.tenant, l.type, l.quota, l.lease, l.threaded, l.mark_priority, l.mark_at, l.mark_id,
             l.mark_id IS NULL OR l.thorough IS NOT FALSE AS whole
      FROM unnest(tenants, types, quotas, leases, threaded, marks, thorough)
        l (tenant, type, quota, lease, threaded, mark_priority, mark_at, mark_id, thorough)
      WHERE NOT EXISTS (SELECT FROM holdfast.workflow_pause p WHERE p.tenant = l.tenant AND starts_with(l.type, p.prefix))
    ), head AS (
      SELECT l.*, h.* FROM lane l CROSS JOIN LATERAL (
        -- In this order, and no further than to the first one found.
        SELECT e.priority, e.run_at, e.behind FROM (
          (SELECT r.priority, r.run_at, false AS behind FROM holdfast.workflow_run_live r
           WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
             AND r.priority > l.mark_priority
           ORDER BY r.priority DESC, r.run_at, r.id LIMIT 1)
          UNION ALL
          (SELECT r.priority, r.run_at, true FROM holdfast.workflow_run_live r
           WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
             AND r.priority = l.mark_priority AND (r.run_at, r.id) > (l.mark_at, l.mark_id)
           ORDER BY r.run_at, r.id LIMIT 1)
          UNION ALL
          (SELECT r.priority, r.run_at, false FROM holdfast.workflow_run_live r
           WHERE r.tenant = l.tenant AND r.type = l.type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
             AND l.whole
           ORDER BY r.priority DESC, r.run_at, r.id LIMIT 1)) e
        LIMIT 1) h
      WHERE NOT by_age
      UNION ALL
      SELECT l.*, h.* FROM lane l CROSS JOIN LATERAL (
        SELECT level.priority, level.run_at, false FROM holdfast.priority_levels(l.tenant, l.type) level
        ORDER BY level.run_at LIMIT 1) h
      WHERE by_age
    ), ranked AS (
      SELECT h.*, rank() OVER (PARTITION BY h.tenant ORDER BY CASE WHEN by_age THEN 0 ELSE -h.priority END) AS standing
      FROM head h
    ), first AS (
      SELECT r.*, row_number() OVER of_tenant AS number, count(*) OVER all_of_tenant AS lanes,
             max(r.quota) OVER all_of_tenant AS slots, row_number() OVER of_kind AS kind_number,
             count(*) OVER all_of_kind AS kind_lanes, max(r.quota) OVER all_of_kind AS kind_slots
      FROM ranked r WHERE r.standing = 1
      WINDOW all_of_tenant AS (PARTITION BY r.tenant), of_tenant AS (PARTITION BY r.tenant ORDER BY r.run_at, r.type),
             all_of_kind AS (PARTITION BY r.tenant, r.threaded),
             of_kind AS (PARTITION BY r.tenant, r.threaded ORDER BY r.run_at, r.type)
    ), chosen AS (
      -- A tenant's slots, shared evenly between its lanes; what does not divide goes to those that waited longest.
      SELECT f.*, least(
        f.quota, f.slots / f.lanes + CASE WHEN f.number <= f.slots % f.lanes THEN 1 ELSE 0 END,
        CASE WHEN f.threaded
             THEN f.kind_slots / f.kind_lanes + CASE WHEN f.kind_number <= f.kind_slots % f.kind_lanes THEN 1 ELSE 0 END
        END) AS share
      FROM first f
    ), picked AS MATERIALIZED (
      SELECT c.tenant, r.address, c.lease FROM chosen c CROSS JOIN LATERAL (
        SELECT x.ctid AS address FROM holdfast.workflow_run_live x
        WHERE x.tenant = c.tenant AND x.type = c.type AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
          AND x.priority = c.mark_priority AND (x.run_at, x.id) > (c.mark_at, c.mark_id)
        ORDER BY x.run_at, x.id LIMIT c.share FOR UPDATE SKIP LOCKED) r
      WHERE c.behind
      UNION ALL
      SELECT c.tenant, r.address, c.lease FROM chosen c CROSS JOIN LATERAL (
        SELECT x.ctid AS address FROM holdfast.workflow_run_live x
        WHERE x.tenant = c.tenant AND x.type = c.type AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
          AND x.priority BETWEEN
            CASE WHEN by_age THEN c.priority WHEN c.priority > c.mark_priority THEN c.mark_priority + 1 ELSE -1000 END
            AND c.priority
        ORDER BY x.priority DESC, x.run_at, x.id LIMIT c.share FOR UPDATE SKIP LOCKED) r
      WHERE NOT c.behind
    ), passed_by AS MATERIALIZED (
      -- Of tenants of whom nothing was picked: what is not locked, in any of their lanes.
      SELECT l.tenant, l.threaded, l.quota, l.lease, r.* FROM lane l CROSS JOIN LATERAL (
        SELECT x.ctid AS address, x.priority, x.run_at, x.id FROM holdfast.workflow_run_live x
        WHERE x.tenant = l.tenant AND x.type = l.type AND x.status = 'pending' AND x.ready AND x.deleted_at IS NULL
        ORDER BY x.priority DESC, x.run_at, x.id LIMIT l.quota FOR UPDATE SKIP LOCKED) r
      WHERE l.whole AND l.tenant <> ALL (ARRAY(SELECT DISTINCT p.tenant FROM picked p))
    ), instead AS (
      SELECT b.address, b.lease, row_number() OVER of_tenant AS number, max(b.quota) OVER all_of_tenant AS slots,
             b.threaded, row_number() OVER of_kind AS kind_number, max(b.quota) OVER all_of_kind AS kind_slots
      FROM passed_by b
      WINDOW all_of_tenant AS (PARTITION BY b.tenant),
             of_tenant AS (PARTITION BY b.tenant ORDER BY b.priority DESC, b.run_at, b.id),
             all_of_kind AS (PARTITION BY b.tenant, b.threaded),
             of_kind AS (PARTITION BY b.tenant, b.threaded ORDER BY b.priority DESC, b.run_at, b.id)
    ), wanted AS MATERIALIZED (
      SELECT p.address, p.lease FROM picked p
      UNION ALL
      SELECT i.address, i.lease FROM instead i
      WHERE i.number <= i.slots AND (NOT i.threaded OR i.kind_number <= i.kind_slots)
    ), taken AS (
      UPDATE holdfast.workflow_run_live u
      SET status = 'leased', lease_epoch = u.lease_epoch + 1, attempt = u.attempt + 1, lease_until = at + w.lease,
          leased_by = worker, updated_at = at
      FROM wanted w WHERE u.ctid = w.address -- locked above, so it stays where it is
      RETURNING u.tenant, u.id, u.type, u.lease_epoch, u.attempt, u.max_attempts, u.payload::text, u.trace_parent,
                u.concurrency_key, u.ctid, u.priority, u.run_at, u.party
    ), recorded AS (
      INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
      SELECT t.tenant, 'run', t.id, 'run.leased', 'worker:' || worker,
             jsonb_strip_nulls(jsonb_build_object('epoch', t.lease_epoch, 'attempt', t.attempt,
                                                  'party', holdfast.behalf_of(t.party))), t.trace_parent, at
      FROM taken t WHERE event_level = 'all'
    )
    SELECT t.tenant, t.id, t.type, t.lease_epoch, t.attempt, t.max_attempts, t.payload, t.trace_parent, t.concurrency_key,
           t.ctid, CASE WHEN t.id = ANY (ARRAY(
             SELECT DISTINCT ON (f.tenant, f.type) f.id FROM taken f WHERE NOT by_age
             ORDER BY f.tenant, f.type, f.priority, f.run_at DESC, f.id DESC))
           THEN ROW(t.priority, t.run_at, t.id)::holdfast.run_mark::text END
    FROM taken t;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.claim_runs TO holdfast_worker;
