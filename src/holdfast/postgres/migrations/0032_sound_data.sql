-- Data that cannot be spoilt, and receipts that belong to somebody.
--
-- Counters have an end: a sum of more than a thousand digits, those after the point included, is refused, as it is for every
-- other number. Before, it was stored, and nothing that read the key could write it down again.
--
-- Following from a revision misses nothing. A revision is taken before its transaction commits, so one that is smaller may
-- become visible later. A change now keeps which transactions were over when it was made (`seen`): what others have written may
-- be news to who knows only the revision. Changes from before do not say; who begins with one of those is told everything
-- that is kept.
--
-- Who waits for changes is woken. A notification at every write would make all commits of the server queue up, whether anybody
-- waits or not. So those who wait hold a lock, shared, of nobody's rows, and a write that finds it free notifies nobody.
--
-- `created_by_run_id` is the run or, where a step of a process writes, the process instance.
--
-- An idempotency key belongs to who used it first. Receipts from before name nobody, and answer whoever asks until they are
-- dropped.

ALTER TABLE holdfast.workflow_data_change ADD COLUMN seen pg_snapshot;
ALTER TABLE holdfast.workflow_action_receipt ADD COLUMN actor text COLLATE "C";

-- Whether a number can be written down: at most a thousand digits, a leading zero not counted.
CREATE FUNCTION holdfast.data_fits(number numeric) RETURNS boolean
LANGUAGE sql IMMUTABLE
RETURN octet_length(translate(trim_scale(abs(number))::text, '.', '')) - (abs(number) < 1)::integer <= 1000;

-- Wakes those who follow a namespace, if anybody follows any. The lock is had for a moment only: whoever is refused because
-- of that notifies needlessly.
CREATE FUNCTION holdfast.data_wake(own uuid, in_namespace text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_lock(hashtextextended('holdfast.data_followed', 0)) THEN
    PERFORM pg_advisory_unlock(hashtextextended('holdfast.data_followed', 0));
  ELSE
    PERFORM pg_notify('holdfast_data', own || ':' || in_namespace);
  END IF;
END
$$;

-- Writes down what happened to a key: for those who follow, and for the audit trail. The number is taken here, while the
-- key is locked, so the changes of one key are numbered in the order in which they happen.
CREATE OR REPLACE FUNCTION holdfast.data_tell(
  own uuid, in_namespace text, in_key text, what text, at_revision bigint, object uuid, facts jsonb, actor text, origin jsonb,
  step text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  number bigint := nextval('holdfast.workflow_event_id');
BEGIN
  INSERT INTO holdfast.workflow_data_change (tenant, namespace, xid, seen, id, op, key, revision, created_at)
    VALUES (own, in_namespace, pg_current_xact_id(), pg_current_snapshot(), number, what, in_key, at_revision, at);
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, id, event_type, actor, step_id, data, created_at)
    VALUES (own, 'data', object, number, 'data.' || what, data_tell.actor, step,
            jsonb_build_object('namespace', in_namespace, 'key', in_key, 'revision', at_revision) || facts || origin, at);
  PERFORM holdfast.data_wake(own, in_namespace);
END
$$;

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
  ), told AS (
    INSERT INTO holdfast.workflow_data_change (tenant, namespace, xid, seen, id, op, key, revision, created_at)
    SELECT own, n.namespace, pg_current_xact_id(), pg_current_snapshot(), n.id, 'expired', n.key, n.revision, at
    FROM numbered n
  ), noted AS (
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, id, event_type, actor, data, created_at)
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

-- `status` of an answer: done, or why nothing was written: conflict (known_revision is what there is, 0 for nothing),
-- schema (the caller checked the value against another version than known_revision, whose text is `note`), keys or bytes
-- (the quota, in `note`), not_a_number. With done, `note` is a warning.
CREATE OR REPLACE FUNCTION holdfast.data_set(
  own uuid, in_namespace text, in_key text, new_id uuid, new_value text, new_type text, lives interval, expected bigint,
  checked bigint, actor text, origin jsonb, step text, at timestamptz,
  OUT status text, OUT new_revision bigint, OUT created boolean, OUT known_revision bigint, OUT note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  known holdfast.workflow_data_store;
  new_size integer := octet_length(new_value);
  counted boolean;
  object uuid;
BEGIN
  PERFORM holdfast.require_tenant(own);
  rule := holdfast.data_rule(own, in_namespace, new_size, actor, at);
  IF coalesce(rule.schema_version, 0) <> checked THEN
    status := 'schema';
    known_revision := coalesce(rule.schema_version, 0);
    note := rule.json_schema::text;
    RETURN;
  END IF;
  counted := rule.max_keys IS NOT NULL OR rule.max_bytes IS NOT NULL;
  created := false;
  status := 'done';
  IF NOT counted AND expected IS DISTINCT FROM 0 THEN
    -- The short way: the key is there, and nobody counts.
    UPDATE holdfast.workflow_data_store s
      SET value = new_value::jsonb, value_type = new_type, revision = nextval('holdfast.data_revision'),
          expires_at = at + lives, size = new_size, updated_at = at
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key
        AND (s.expires_at IS NULL OR s.expires_at > at) AND (expected IS NULL OR s.revision = expected)
      RETURNING s.revision, s.store_id INTO new_revision, object;
  END IF;
  WHILE new_revision IS NULL LOOP
    SELECT * INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key FOR UPDATE;
    known_revision := CASE WHEN known.expires_at <= at THEN 0 ELSE coalesce(known.revision, 0) END;
    IF expected <> known_revision THEN
      status := 'conflict';
      RETURN;
    END IF;
    created := known_revision = 0;
    IF counted THEN
      SELECT c.refused, c.notice INTO status, note FROM holdfast.data_charge(
        own, in_namespace, (known.store_id IS NULL)::integer, new_size - coalesce(known.size, 0), actor, at) c;
      IF status IS NOT NULL THEN
        RETURN;
      END IF;
      status := 'done';
    END IF;
    IF known.store_id IS NOT NULL THEN
      UPDATE holdfast.workflow_data_store s
        SET value = new_value::jsonb, value_type = new_type, revision = nextval('holdfast.data_revision'),
            expires_at = at + lives, size = new_size, updated_at = at,
            store_id = CASE WHEN created THEN new_id ELSE s.store_id END,
            created_at = CASE WHEN created THEN at ELSE s.created_at END,
            created_by_run_id = CASE WHEN created THEN coalesce(origin ->> 'run_id', origin ->> 'instance_id')::uuid
                                     ELSE s.created_by_run_id END
        WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key
        RETURNING s.revision, s.store_id INTO new_revision, object;
    ELSE
      INSERT INTO holdfast.workflow_data_store AS s
        (tenant, store_id, namespace, key, value, value_type, revision, expires_at, size, created_by_run_id, created_at,
         updated_at)
        VALUES (own, new_id, in_namespace, in_key, new_value::jsonb, new_type, nextval('holdfast.data_revision'), at + lives,
                new_size, coalesce(origin ->> 'run_id', origin ->> 'instance_id')::uuid, at, at)
        -- Somebody else makes it at this moment: having waited for them, look again.
        ON CONFLICT DO NOTHING
        RETURNING s.revision, s.store_id INTO new_revision, object;
      IF new_revision IS NULL AND counted THEN
        PERFORM holdfast.data_charge(own, in_namespace, -1, -new_size, actor, at);
      END IF;
    END IF;
  END LOOP;
  known_revision := NULL;
  PERFORM holdfast.data_tell(
    own, in_namespace, in_key, 'set', new_revision, object, jsonb_build_object('created', created), actor, origin, step, at);
END
$$;

-- Adds to a number, exactly. A key that is not there begins with `initial`, and lives as long as `lives` says. In a
-- namespace with a schema the caller must have seen the sum: it is written only if it is `allowed`.
CREATE OR REPLACE FUNCTION holdfast.data_increment(
  own uuid, in_namespace text, in_key text, new_id uuid, by numeric, initial numeric, lives interval, checked bigint,
  allowed numeric, actor text, origin jsonb, step text, at timestamptz,
  OUT status text, OUT new_revision bigint, OUT new_value text, OUT created boolean, OUT known_revision bigint, OUT note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  object uuid;
  known jsonb;
  made record;
BEGIN
  PERFORM holdfast.require_tenant(own);
  rule := holdfast.data_rule(own, in_namespace, 0, actor, at);
  IF coalesce(rule.schema_version, 0) <> checked OR (rule.json_schema IS NOT NULL AND allowed IS NULL) THEN
    status := 'schema';
    known_revision := coalesce(rule.schema_version, 0);
    note := rule.json_schema::text;
    RETURN;
  END IF;
  LOOP
    UPDATE holdfast.workflow_data_store s
      SET value = to_jsonb(trim_scale(s.value::numeric + by)), value_type = 'number',
          revision = nextval('holdfast.data_revision'), size = octet_length(trim_scale(s.value::numeric + by)::text),
          updated_at = at
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key
        AND (s.expires_at IS NULL OR s.expires_at > at) AND jsonb_typeof(s.value) = 'number'
        AND (allowed IS NULL OR s.value::numeric + by = allowed) AND holdfast.data_fits(s.value::numeric + by)
      RETURNING s.revision, s.store_id, s.value::text INTO new_revision, object, new_value;
    IF FOUND THEN
      status := 'done';
      created := false;
      -- A number's few bytes are not worth counting anew each time; the janitor's count has them.
      PERFORM holdfast.data_tell(own, in_namespace, in_key, 'set', new_revision, object,
                                 '{"created": false}', actor, origin, step, at);
      RETURN;
    END IF;
    SELECT s.value INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key AND (s.expires_at IS NULL OR s.expires_at > at);
    IF jsonb_typeof(known) <> 'number' THEN
      status := 'not_a_number';
      note := jsonb_typeof(known);
      RETURN;
    END IF;
    IF NOT holdfast.data_fits(coalesce(known::numeric, initial) + by) THEN
      status := 'too_long';
      RETURN;
    END IF;
    IF allowed IS NOT NULL AND (known IS NOT NULL OR initial + by <> allowed) THEN
      status := 'conflict';
      RETURN;
    END IF;
    -- Somebody else made it, or made it smaller, since the first look: look again.
    CONTINUE WHEN known IS NOT NULL;
    new_value := trim_scale(initial + by)::text;
    SELECT * INTO made FROM holdfast.data_set(
      own, in_namespace, in_key, new_id, new_value, 'number', lives, 0, checked, actor, origin, step, at);
    -- Somebody else made it at this moment: add to theirs.
    CONTINUE WHEN made.status = 'conflict';
    status := made.status;
    new_revision := made.new_revision;
    created := true;
    known_revision := made.known_revision;
    note := made.note;
    RETURN;
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION holdfast.links_upsert(
  own uuid, in_namespace text, new_id uuid, from_type text, from_id text, to_type text, to_id text, new_relation text,
  new_attributes text, actor text, origin jsonb, step text, at timestamptz, OUT id uuid, OUT created boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  LOOP
    UPDATE holdfast.workflow_entity_links l
      SET attributes = coalesce(new_attributes::jsonb, l.attributes), updated_at = at
      WHERE l.tenant = own AND l.namespace = in_namespace AND l.left_type = from_type AND l.left_id = from_id
        AND l.right_type = to_type AND l.right_id = to_id AND l.relation = new_relation
      RETURNING l.link_id INTO id;
    created := false;
    EXIT WHEN FOUND;
    INSERT INTO holdfast.workflow_entity_links AS l
      (tenant, link_id, namespace, left_type, left_id, right_type, right_id, relation, attributes, created_by_run_id,
       created_at, updated_at)
      VALUES (own, new_id, in_namespace, from_type, from_id, to_type, to_id, new_relation,
              coalesce(new_attributes::jsonb, '{}'), coalesce(origin ->> 'run_id', origin ->> 'instance_id')::uuid, at, at)
      ON CONFLICT DO NOTHING RETURNING l.link_id INTO id;
    created := true;
    EXIT WHEN FOUND;
  END LOOP;
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    VALUES (own, 'data', id, CASE WHEN created THEN 'link.created' ELSE 'link.updated' END, links_upsert.actor, step,
            jsonb_build_object('namespace', in_namespace, 'from', jsonb_build_array(from_type, from_id),
                               'to', jsonb_build_array(to_type, to_id), 'relation', new_relation) || origin, at);
END
$$;
