-- Removes keys whose time is over, longest first, and tells of them in that order. Rules are locked before keys, as everywhere; keys that somebody is writing are left alone.
CREATE OR REPLACE FUNCTION holdfast.data_sweep_tenant(own uuid, in_namespace text, most integer, actor text, at timestamptz)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  swept integer;
  emptied text[];
  one text;
BEGIN
  PERFORM FROM holdfast.workflow_data_namespace n
    WHERE n.tenant = own AND n.namespace IN (
      SELECT s.namespace FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.expires_at <= at AND (in_namespace IS NULL OR s.namespace = in_namespace)
      ORDER BY s.expires_at LIMIT most)
    ORDER BY n.namespace FOR UPDATE;
  -- Materialised: as a part of the join it might be read again for every row, and each time choose others.
  WITH chosen AS MATERIALIZED (
    SELECT s.store_id FROM holdfast.workflow_data_store s
    WHERE s.tenant = own AND s.expires_at <= at AND (in_namespace IS NULL OR s.namespace = in_namespace)
    ORDER BY s.expires_at, s.namespace, s.key LIMIT most FOR UPDATE SKIP LOCKED
  ), gone AS (
    DELETE FROM holdfast.workflow_data_store d USING chosen c
    WHERE d.tenant = own AND d.store_id = c.store_id
    RETURNING d.namespace, d.key, d.store_id, d.size, d.expires_at
  ), numbered AS MATERIALIZED (
    SELECT g.*, nextval('holdfast.data_revision') AS revision, nextval('holdfast.workflow_event_id') AS id
    FROM (SELECT * FROM gone ORDER BY expires_at, namespace, key) g
  ), recorded AS (
    INSERT INTO holdfast.workflow_data_change (tenant, namespace, xid, seen, id, op, key, revision, created_at)
    SELECT own, n.namespace, pg_current_xact_id(), pg_current_snapshot(), n.id, 'expired', n.key, n.revision, at
    FROM numbered n
  ), noted AS (
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, id, event_type, actor, data, created_at)
    SELECT own, 'data', n.store_id, n.id, 'data.expired', data_sweep_tenant.actor,
           jsonb_build_object('namespace', n.namespace, 'key', n.key, 'revision', n.revision), at
    FROM numbered n
  ), freed AS (
    UPDATE holdfast.workflow_data_namespace r SET keys = r.keys - g.keys, bytes = r.bytes - g.bytes
    FROM (SELECT n.namespace, count(*) AS keys, sum(n.size) AS bytes FROM numbered n GROUP BY n.namespace) g
    WHERE r.tenant = own AND r.namespace = g.namespace
  )
  SELECT coalesce(sum(g.keys), 0), coalesce(array_agg(g.namespace), '{}') INTO swept, emptied
    FROM (SELECT n.namespace, count(*) AS keys FROM numbered n GROUP BY n.namespace) g;
  FOREACH one IN ARRAY emptied LOOP
    PERFORM holdfast.data_wake(own, one);
  END LOOP;
  RETURN swept;
END
$$;
