-- Publishes events of any tenants, in the order given. Not for the application: it is what functions of ours call when they
-- change something others want to hear of. An event without an aggregate stands alone and waits for no other.
CREATE OR REPLACE FUNCTION holdfast.publish_events_for(
  tenants uuid[], ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[],
  trace_parents text[], actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid;
  wanted bigint;
  held bigint;
BEGIN
  -- Whoever published for one of these aggregates and has not committed yet is waited for; in one order, so that two who
  -- publish for the same ones cannot deadlock here. The WHERE makes it a lock without a write.
  INSERT INTO holdfast.outbox_order AS o (tenant, aggregate_type, aggregate_id)
    SELECT DISTINCT n.tenant, n.kind, n.id FROM unnest(tenants, aggregate_types, aggregate_ids) n (tenant, kind, id)
    WHERE n.id IS NOT NULL ORDER BY 1, 2, 3
    ON CONFLICT (tenant, aggregate_type, aggregate_id) DO UPDATE SET tenant = excluded.tenant WHERE false;
  INSERT INTO holdfast.outbox_event_live
    (tenant, id, seq, event_type, aggregate_type, aggregate_id, subject, payload, trace_parent, created_by, created_at)
    SELECT n.tenant, n.id, nextval('holdfast.outbox_event_seq'), n.type,
           CASE WHEN n.aggregate_id IS NULL THEN 'event' ELSE n.aggregate_type END, coalesce(n.aggregate_id, n.id::text),
           n.subject, n.payload::jsonb, n.trace, actor, at
    FROM (SELECT * FROM unnest(tenants, ids, types, payloads, aggregate_types, aggregate_ids, subjects, trace_parents)
            WITH ORDINALITY u (tenant, id, type, payload, aggregate_type, aggregate_id, subject, trace, place)
          ORDER BY u.place) n;
  LOOP
    INSERT INTO holdfast.outbox_lane (tenant, aggregate_type, aggregate_id, due_at)
      SELECT DISTINCT n.tenant, CASE WHEN n.aggregate_id IS NULL THEN 'event' ELSE n.aggregate_type END,
             coalesce(n.aggregate_id, n.id::text), at
      FROM unnest(tenants, ids, aggregate_types, aggregate_ids) n (tenant, id, aggregate_type, aggregate_id)
      ORDER BY 1, 2, 3
      ON CONFLICT DO NOTHING;
    -- A lane that was there must stay until we commit, or nobody would ever look for our event. One that is just being
    -- taken away is waited for and made anew.
    WITH lane AS (
      SELECT DISTINCT n.tenant, n.kind, n.id FROM unnest(tenants, aggregate_types, aggregate_ids) n (tenant, kind, id)
      WHERE n.id IS NOT NULL
    ), kept AS (
      SELECT FROM lane n CROSS JOIN LATERAL (
        SELECT FROM holdfast.outbox_lane l
        WHERE l.tenant = n.tenant AND l.aggregate_type = n.kind AND l.aggregate_id = n.id FOR KEY SHARE) mine
    )
    SELECT (SELECT count(*) FROM lane), (SELECT count(*) FROM kept) INTO wanted, held;
    EXIT WHEN held = wanted;
  END LOOP;
  FOR own IN SELECT DISTINCT t FROM unnest(tenants) t LOOP
    PERFORM pg_notify('holdfast_outbox', own::text);
  END LOOP;
END
$$;
