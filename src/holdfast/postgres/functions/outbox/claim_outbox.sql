-- Leases up to `slots` lanes and answers with the first events of each, in order, at most `per_lane` and about a megabyte;
-- with one only where something failed before, so that what is tried again is tried alone. Tenants take turns, beginning
-- after the one given: each gets its share of the slots, and what others leave. A lane without events is a row without one.
-- With `marks`, as `claim_events` has them, it looks behind what was claimed before, and at the tenants that have a mark alone.
CREATE OR REPLACE FUNCTION holdfast.claim_outbox(
  dispatcher text, slots integer, per_lane integer, lease interval, after_tenant uuid, at timestamptz, marks jsonb DEFAULT NULL)
RETURNS TABLE (tenant uuid, slug text, aggregate_type text, aggregate_id text, lease_epoch bigint, attempts integer,
               id uuid, seq bigint, event_type text, subject text, payload text, trace_parent text, delivered text[],
               created_at timestamptz, due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  waiting uuid[] := '{}';
  probe uuid := after_tenant;
  around boolean := false;
  found_tenant uuid;
  found_due timestamptz;
  room integer := slots;
  share integer;
  own uuid;
  -- Less than every lane's place: where nothing was claimed before.
  mark_due timestamptz := '-infinity';
  mark_type text COLLATE "C" := '';
  mark_id text COLLATE "C" := '';
  new_types text[];
  new_ids text[];
  taken_tenants uuid[] := '{}';
  taken_types text[] := '{}';
  taken_ids text[] := '{}';
BEGIN
  -- Who has something due: one look each at the lane that has waited longest.
  IF marks IS NOT NULL THEN
    SELECT coalesce(array_agg(w.tenant ORDER BY w.tenant <= after_tenant, w.tenant), '{}') INTO waiting FROM (
      SELECT m.tenant FROM jsonb_to_recordset(marks) m (tenant uuid, due timestamptz, aggregate_type text, aggregate_id text)
      CROSS JOIN LATERAL (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = m.tenant AND l.lease_until IS NULL AND NOT l.blocked AND l.due_at <= at
          AND (l.due_at, l.aggregate_type, l.aggregate_id) > (m.due, m.aggregate_type, m.aggregate_id) LIMIT 1) next
      ORDER BY m.tenant <= after_tenant, m.tenant LIMIT least(slots, 64)) w;
  END IF;
  WHILE marks IS NULL AND cardinality(waiting) < least(slots, 64) LOOP
    SELECT l.tenant, l.due_at INTO found_tenant, found_due FROM holdfast.outbox_lane l
      WHERE l.tenant > probe AND l.lease_until IS NULL AND NOT l.blocked ORDER BY l.tenant, l.due_at LIMIT 1;
    IF NOT FOUND THEN
      EXIT WHEN around;
      around := true;
      -- The least uuid there is belongs to no tenant.
      probe := '00000000-0000-0000-0000-000000000000';
      CONTINUE;
    END IF;
    EXIT WHEN around AND found_tenant > after_tenant;
    probe := found_tenant;
    IF found_due <= at THEN
      waiting := waiting || found_tenant;
    END IF;
  END LOOP;
  FOR round IN 1 .. 2 LOOP
    FOR place IN 1 .. cardinality(waiting) LOOP
      EXIT WHEN room <= 0;
      own := waiting[place];
      IF marks IS NOT NULL THEN
        SELECT m.due, m.aggregate_type, m.aggregate_id INTO mark_due, mark_type, mark_id
          FROM jsonb_to_recordset(marks) m (tenant uuid, due timestamptz, aggregate_type text, aggregate_id text) WHERE m.tenant = own;
      END IF;
      share := CASE WHEN round = 1 THEN greatest(1, room / (cardinality(waiting) - place + 1)) ELSE room END;
      WITH picked AS MATERIALIZED (
        SELECT l.ctid AS address FROM holdfast.outbox_lane l
        WHERE l.tenant = own AND l.lease_until IS NULL AND NOT l.blocked AND l.due_at <= at
          AND (l.due_at, l.aggregate_type, l.aggregate_id) > (mark_due, mark_type, mark_id)
        ORDER BY l.due_at, l.aggregate_type, l.aggregate_id LIMIT share FOR NO KEY UPDATE SKIP LOCKED
      ), leased AS (
        UPDATE holdfast.outbox_lane l
        SET lease_epoch = nextval('holdfast.outbox_lease_epoch'), attempts = l.attempts + 1, lease_until = at + lease,
            leased_by = dispatcher
        FROM picked p WHERE l.ctid = p.address -- locked above, so it stays where it is
        RETURNING l.aggregate_type, l.aggregate_id
      )
      SELECT array_agg(k.aggregate_type), array_agg(k.aggregate_id) INTO new_types, new_ids FROM leased k;
      IF new_types IS NOT NULL THEN
        room := room - cardinality(new_types);
        taken_tenants := taken_tenants || array_fill(own, ARRAY[cardinality(new_types)]);
        taken_types := taken_types || new_types;
        taken_ids := taken_ids || new_ids;
      END IF;
    END LOOP;
  END LOOP;
  RETURN QUERY
    SELECT l.tenant, t.slug, l.aggregate_type, l.aggregate_id, l.lease_epoch, l.attempts, e.id, e.seq, e.event_type,
           e.subject, e.payload, e.trace_parent, e.delivered, e.created_at, l.due_at
    FROM unnest(taken_tenants, taken_types, taken_ids) WITH ORDINALITY k (tenant, kind, id, place)
    JOIN holdfast.outbox_lane l ON l.tenant = k.tenant AND l.aggregate_type = k.kind AND l.aggregate_id = k.id
    JOIN holdfast.tenants t ON t.tenant = k.tenant
    LEFT JOIN LATERAL (
      SELECT w.* FROM (
        SELECT x.*, sum(octet_length(x.payload)) OVER (ORDER BY x.seq) - octet_length(x.payload) AS before FROM (
          SELECT y.id, y.seq, y.event_type, y.subject, y.payload::text AS payload, y.trace_parent, y.delivered, y.created_at
          FROM holdfast.outbox_event_live y
          WHERE y.tenant = l.tenant AND y.aggregate_type = l.aggregate_type AND y.aggregate_id = l.aggregate_id
            AND y.status = 'pending'
          ORDER BY y.seq LIMIT CASE WHEN l.attempts > 1 THEN 1 ELSE per_lane END) x) w
      WHERE w.before < 1048576) e ON true
    ORDER BY k.place, e.seq;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.claim_outbox TO holdfast_worker;
