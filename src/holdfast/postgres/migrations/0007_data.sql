-- Data: what workflows remember. Keys hold JSON values, links connect records.
--
-- Model
--   workflow_data_store      one row a key: (tenant, namespace, key) → value, revision, perhaps a time at which it expires
--   workflow_entity_links    one row a typed edge: (namespace, left, right, relation) → attributes
--   workflow_data_change     what happened to keys, in a form that can be followed; cut by month, dropped by month
--   workflow_data_namespace  only namespaces with rules of their own: a JSON Schema, quotas with what they count
--
-- Revisions come from one sequence, so no two writes of an installation ever have the same: a key that was deleted and made
-- again can never satisfy the revision somebody remembers. A key whose time is over is absent everywhere, also while its
-- row still waits for the janitor. Reading never writes.
--
-- The application may read these tables and change them only through the functions below. What a caller can expect to
-- happen (a conflict, a full namespace) is an answer, not an exception: the transaction goes on.
--
-- Following changes. A number taken from a sequence becomes visible when its transaction commits, which is another order.
-- So a change also keeps the id of its transaction, and who follows remembers a snapshot: what is new is what that snapshot
-- could not see and a later one can. Nothing is skipped, nothing comes twice, and no writer waits for another.
--
-- There is no index (tenant, namespace), and none (tenant, namespace, left_type, left_id): the unique keys begin with them.
-- And no foreign key to tenants, as for runs: locking the tenant's row for every new key would make it the busiest there is.

CREATE SEQUENCE holdfast.data_revision;

CREATE TABLE holdfast.workflow_data_store (
  tenant             uuid NOT NULL,
  store_id           uuid NOT NULL,
  namespace          text COLLATE "C" NOT NULL CHECK (length(namespace) BETWEEN 1 AND 256),
  key                text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 512),
  value              jsonb NOT NULL,
  value_type         text COLLATE "C" NOT NULL DEFAULT 'json' CHECK (value_type IN ('string', 'number', 'boolean', 'json')),
  revision           bigint NOT NULL CHECK (revision > 0),
  expires_at         timestamptz,
  size               integer NOT NULL CHECK (size >= 0),
  created_by_run_id  uuid,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, store_id),
  CONSTRAINT workflow_data_store_key UNIQUE (tenant, namespace, key)
) WITH (fillfactor = 85); -- counters are updated in place
CREATE INDEX workflow_data_store_expiry ON holdfast.workflow_data_store (tenant, expires_at) WHERE expires_at IS NOT NULL;
SELECT holdfast.protect_tenant_table('holdfast.workflow_data_store');

CREATE TABLE holdfast.workflow_entity_links (
  tenant             uuid NOT NULL,
  link_id            uuid NOT NULL,
  namespace          text COLLATE "C" NOT NULL CHECK (length(namespace) BETWEEN 1 AND 256),
  left_type          text COLLATE "C" NOT NULL CHECK (length(left_type) BETWEEN 1 AND 256),
  left_id            text COLLATE "C" NOT NULL CHECK (length(left_id) BETWEEN 1 AND 512),
  right_type         text COLLATE "C" NOT NULL CHECK (length(right_type) BETWEEN 1 AND 256),
  right_id           text COLLATE "C" NOT NULL CHECK (length(right_id) BETWEEN 1 AND 512),
  relation           text COLLATE "C" NOT NULL DEFAULT 'related' CHECK (length(relation) BETWEEN 1 AND 256),
  attributes         jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(attributes) = 'object'),
  created_by_run_id  uuid,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, link_id),
  -- The pair alone is not unique: two records may be connected in several ways.
  CONSTRAINT workflow_entity_links_edge
    UNIQUE (tenant, namespace, left_type, left_id, right_type, right_id, relation)
);
-- The way back, in the order in which it is answered.
CREATE INDEX workflow_entity_links_reverse ON holdfast.workflow_entity_links
  (tenant, namespace, right_type, right_id, left_type, left_id, relation);
SELECT holdfast.protect_tenant_table('holdfast.workflow_entity_links');

CREATE TABLE holdfast.workflow_data_change (
  tenant      uuid NOT NULL,
  namespace   text COLLATE "C" NOT NULL,
  xid         xid8 NOT NULL,
  id          bigint NOT NULL,
  op          text COLLATE "C" NOT NULL CHECK (op IN ('set', 'deleted', 'expired')),
  key         text COLLATE "C" NOT NULL,
  revision    bigint NOT NULL,
  created_at  timestamptz NOT NULL,
  -- In the order in which they are told: for who has much to read.
  PRIMARY KEY (tenant, namespace, id, created_at)
) PARTITION BY RANGE (created_at);
-- By transaction: for who is up to date, and asks for the newest few.
CREATE INDEX workflow_data_change_xid ON holdfast.workflow_data_change (tenant, namespace, xid);
SELECT holdfast.protect_tenant_table('holdfast.workflow_data_change');
CREATE TABLE holdfast.workflow_data_change_default PARTITION OF holdfast.workflow_data_change DEFAULT;
SELECT holdfast.protect_tenant_table('holdfast.workflow_data_change_default');

CREATE TABLE holdfast.workflow_data_namespace (
  tenant          uuid NOT NULL,
  namespace       text COLLATE "C" NOT NULL CHECK (length(namespace) BETWEEN 1 AND 256),
  namespace_id    uuid NOT NULL,
  json_schema     jsonb,
  schema_version  bigint NOT NULL DEFAULT 0,
  max_keys        bigint CHECK (max_keys > 0),
  max_bytes       bigint CHECK (max_bytes > 0),
  keys            bigint NOT NULL DEFAULT 0,
  bytes           bigint NOT NULL DEFAULT 0,
  warned_at       timestamptz,
  updated_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, namespace)
) WITH (fillfactor = 50); -- the counters change all the time
SELECT holdfast.protect_tenant_table('holdfast.workflow_data_namespace');

-- ------------------------------------------------------------------------------------------------------ small parts

-- Functions of tenants name the tenant, and must name the transaction's own.
CREATE FUNCTION holdfast.require_tenant(own uuid) RETURNS void
LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF own IS DISTINCT FROM nullif(current_setting('holdfast.tenant', true), '')::uuid THEN
    RAISE EXCEPTION 'this transaction has another tenant, or none' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;

-- For a statement that is a transaction of its own: enters the tenant and answers with it, so that what follows in the
-- same statement can depend on it.
CREATE FUNCTION holdfast.enter_tenant(wanted uuid) RETURNS uuid
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('holdfast.tenant', wanted::text, true);
  RETURN wanted;
END
$$;

-- Writes down what happened to a key: for those who follow, and for the audit trail. The number is taken here, while the
-- key is locked, so the changes of one key are numbered in the order in which they happen.
CREATE FUNCTION holdfast.data_tell(
  own uuid, in_namespace text, in_key text, what text, at_revision bigint, object uuid, facts jsonb, actor text, origin jsonb,
  step text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  number bigint := nextval('holdfast.workflow_event_id');
BEGIN
  INSERT INTO holdfast.workflow_data_change (tenant, namespace, xid, id, op, key, revision, created_at)
    VALUES (own, in_namespace, pg_current_xact_id(), number, what, in_key, at_revision, at);
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, id, event_type, actor, step_id, data, created_at)
    VALUES (own, 'data', object, number, 'data.' || what, data_tell.actor, step,
            jsonb_build_object('namespace', in_namespace, 'key', in_key, 'revision', at_revision) || facts || origin, at);
END
$$;

-- Removes keys whose time is over. Rules are locked before keys, as everywhere; keys that somebody is writing are left alone.
CREATE FUNCTION holdfast.data_sweep_tenant(own uuid, in_namespace text, most integer, actor text, at timestamptz)
RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
  swept integer;
BEGIN
  PERFORM FROM holdfast.workflow_data_namespace n
    WHERE n.tenant = own AND n.namespace IN (
      SELECT s.namespace FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.expires_at <= at AND (in_namespace IS NULL OR s.namespace = in_namespace)
      ORDER BY s.expires_at LIMIT most)
    ORDER BY n.namespace FOR UPDATE;
  WITH gone AS (
    DELETE FROM holdfast.workflow_data_store d USING (
      SELECT s.store_id FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.expires_at <= at AND (in_namespace IS NULL OR s.namespace = in_namespace)
      ORDER BY s.expires_at LIMIT most FOR UPDATE SKIP LOCKED) e
    WHERE d.tenant = own AND d.store_id = e.store_id
    RETURNING d.namespace, d.key, d.store_id, d.size
  ), numbered AS MATERIALIZED (
    SELECT g.*, nextval('holdfast.data_revision') AS revision, nextval('holdfast.workflow_event_id') AS id FROM gone g
  ), told AS (
    INSERT INTO holdfast.workflow_data_change (tenant, namespace, xid, id, op, key, revision, created_at)
    SELECT own, n.namespace, pg_current_xact_id(), n.id, 'expired', n.key, n.revision, at FROM numbered n
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
  SELECT count(*) INTO swept FROM numbered;
  RETURN swept;
END
$$;

-- Takes room in a namespace with quotas, whose rule the caller has locked. Refuses growth beyond a quota; tells of 80 %,
-- once in the audit trail and in every answer.
CREATE FUNCTION holdfast.data_charge(
  own uuid, in_namespace text, more_keys integer, more_bytes bigint, actor text, at timestamptz,
  OUT refused text, OUT notice text)
LANGUAGE plpgsql AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  filled numeric;
BEGIN
  SELECT * INTO rule FROM holdfast.workflow_data_namespace n
    WHERE n.tenant = own AND n.namespace = in_namespace FOR UPDATE;
  rule.keys := rule.keys + more_keys;
  rule.bytes := rule.bytes + more_bytes;
  refused := CASE WHEN more_keys > 0 AND rule.keys > rule.max_keys THEN 'keys'
                  WHEN more_bytes > 0 AND rule.bytes > rule.max_bytes THEN 'bytes' END;
  IF refused IS NOT NULL THEN
    notice := CASE refused WHEN 'keys' THEN rule.max_keys ELSE rule.max_bytes END;
    RETURN;
  END IF;
  filled := greatest(coalesce(rule.keys::numeric / rule.max_keys, 0), coalesce(rule.bytes::numeric / rule.max_bytes, 0));
  IF filled >= 0.8 THEN
    notice := format('the namespace is %s %% full: %s keys of %s, %s bytes of %s', floor(filled * 100), rule.keys,
                     coalesce(rule.max_keys::text, 'any number'), rule.bytes, coalesce(rule.max_bytes::text, 'any number'));
    IF rule.warned_at IS NULL AND (more_keys > 0 OR more_bytes > 0) THEN
      rule.warned_at := at;
      INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, created_at)
        VALUES (own, 'data', rule.namespace_id, 'data.quota_warning', data_charge.actor,
                jsonb_build_object('namespace', in_namespace, 'keys', rule.keys, 'max_keys', rule.max_keys,
                                   'bytes', rule.bytes, 'max_bytes', rule.max_bytes), at);
    END IF;
  ELSE
    rule.warned_at := NULL;
  END IF;
  UPDATE holdfast.workflow_data_namespace n SET keys = rule.keys, bytes = rule.bytes, warned_at = rule.warned_at
    WHERE n.tenant = own AND n.namespace = in_namespace;
END
$$;

-- The rules of a namespace, locked when it has quotas. Makes room first when there is little: keys that are no longer there
-- must not stand in the way.
CREATE FUNCTION holdfast.data_rule(own uuid, in_namespace text, more_bytes integer, actor text, at timestamptz)
RETURNS holdfast.workflow_data_namespace
LANGUAGE plpgsql AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
BEGIN
  SELECT * INTO rule FROM holdfast.workflow_data_namespace n WHERE n.tenant = own AND n.namespace = in_namespace;
  IF rule.max_keys IS NOT NULL OR rule.max_bytes IS NOT NULL THEN
    SELECT * INTO rule FROM holdfast.workflow_data_namespace n
      WHERE n.tenant = own AND n.namespace = in_namespace FOR UPDATE;
    IF rule.keys >= rule.max_keys OR rule.bytes + more_bytes > rule.max_bytes THEN
      PERFORM holdfast.data_sweep_tenant(own, in_namespace, 10000, actor, at);
    END IF;
  END IF;
  RETURN rule;
END
$$;

-- -------------------------------------------------------------------------------------------------------- keys

-- `status` of an answer: done, or why nothing was written: conflict (known_revision is what there is, 0 for nothing),
-- schema (the caller checked the value against another version than known_revision, whose text is `note`), keys or bytes
-- (the quota, in `note`), not_a_number. With done, `note` is a warning.
CREATE FUNCTION holdfast.data_set(
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
            created_by_run_id = CASE WHEN created THEN (origin ->> 'run_id')::uuid ELSE s.created_by_run_id END
        WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key
        RETURNING s.revision, s.store_id INTO new_revision, object;
    ELSE
      INSERT INTO holdfast.workflow_data_store AS s
        (tenant, store_id, namespace, key, value, value_type, revision, expires_at, size, created_by_run_id, created_at,
         updated_at)
        VALUES (own, new_id, in_namespace, in_key, new_value::jsonb, new_type, nextval('holdfast.data_revision'), at + lives,
                new_size, (origin ->> 'run_id')::uuid, at, at)
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
CREATE FUNCTION holdfast.data_increment(
  own uuid, in_namespace text, in_key text, new_id uuid, by numeric, initial numeric, lives interval, checked bigint,
  allowed numeric, actor text, origin jsonb, step text, at timestamptz,
  OUT status text, OUT new_revision bigint, OUT new_value text, OUT created boolean, OUT known_revision bigint, OUT note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  object uuid;
  known text;
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
        AND (allowed IS NULL OR s.value::numeric + by = allowed)
      RETURNING s.revision, s.store_id, s.value::text INTO new_revision, object, new_value;
    IF FOUND THEN
      status := 'done';
      created := false;
      -- A number's few bytes are not worth counting anew each time; the janitor's count has them.
      PERFORM holdfast.data_tell(own, in_namespace, in_key, 'set', new_revision, object,
                                 '{"created": false}', actor, origin, step, at);
      RETURN;
    END IF;
    SELECT jsonb_typeof(s.value) INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key AND (s.expires_at IS NULL OR s.expires_at > at);
    IF FOUND AND known <> 'number' THEN
      status := 'not_a_number';
      note := known;
      RETURN;
    END IF;
    IF allowed IS NOT NULL AND (FOUND OR initial + by <> allowed) THEN
      status := 'conflict';
      RETURN;
    END IF;
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

-- Deletes keys; those that were there, with the revision their end has. An expired one is removed too, but was not there.
CREATE FUNCTION holdfast.data_delete(
  own uuid, in_namespace text, in_keys text[], expected bigint, actor text, origin jsonb, step text, at timestamptz)
RETURNS TABLE (status text, deleted_key text, revision bigint)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  known holdfast.workflow_data_store;
  wanted text;
BEGIN
  PERFORM holdfast.require_tenant(own);
  rule := holdfast.data_rule(own, in_namespace, 0, actor, at);
  -- In one order, so that two who delete the same keys cannot deadlock.
  FOR wanted IN SELECT DISTINCT k COLLATE "C" FROM unnest(in_keys) k ORDER BY 1 LOOP
    SELECT * INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = wanted FOR UPDATE;
    deleted_key := wanted;
    revision := CASE WHEN known.expires_at <= at THEN 0 ELSE coalesce(known.revision, 0) END;
    IF expected <> revision THEN
      status := 'conflict';
      RETURN NEXT;
      RETURN;
    END IF;
    CONTINUE WHEN known.store_id IS NULL;
    status := CASE WHEN revision = 0 THEN 'expired' ELSE 'deleted' END;
    revision := nextval('holdfast.data_revision');
    DELETE FROM holdfast.workflow_data_store s WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = wanted;
    IF rule.max_keys IS NOT NULL OR rule.max_bytes IS NOT NULL THEN
      PERFORM holdfast.data_charge(own, in_namespace, -1, -known.size, actor, at);
    END IF;
    PERFORM holdfast.data_tell(own, in_namespace, wanted, status, revision, known.store_id, '{}', actor, origin, step, at);
    IF status = 'deleted' THEN
      RETURN NEXT;
    END IF;
  END LOOP;
END
$$;

-- Sets many keys or none. The answer is that of the first that could not be set, or one row for each.
CREATE FUNCTION holdfast.data_set_many(
  own uuid, in_namespace text, in_keys text[], new_ids uuid[], new_values text[], new_types text[], lives interval[],
  expected bigint[], checked bigint, actor text, origin jsonb, step text, at timestamptz)
RETURNS TABLE (set_key text, status text, new_revision bigint, created boolean, known_revision bigint, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  item record;
  made record;
BEGIN
  BEGIN
    FOR item IN
      SELECT n.* FROM unnest(in_keys, new_ids, new_values, new_types, lives, expected)
        n (key, id, value, type, lives, expected) ORDER BY n.key COLLATE "C"
    LOOP
      SELECT * INTO made FROM holdfast.data_set(own, in_namespace, item.key, item.id, item.value, item.type, item.lives,
                                                item.expected, checked, actor, origin, step, at);
      set_key := item.key;
      status := made.status;
      new_revision := made.new_revision;
      created := made.created;
      known_revision := made.known_revision;
      note := made.note;
      IF status <> 'done' THEN
        RAISE EXCEPTION USING ERRCODE = 'HF100'; -- undoes what this block has written so far
      END IF;
      RETURN NEXT;
    END LOOP;
  EXCEPTION WHEN SQLSTATE 'HF100' THEN
    RETURN NEXT;
  END;
END
$$;

CREATE FUNCTION holdfast.data_get(own uuid, in_namespace text, in_key text, at timestamptz)
RETURNS TABLE (key text, value text, value_type text, revision bigint, expires_at timestamptz, created_by_run_id uuid,
               created_at timestamptz, updated_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  RETURN QUERY
    SELECT s.key, s.value::text, s.value_type, s.revision, s.expires_at, s.created_by_run_id, s.created_at, s.updated_at
    FROM holdfast.workflow_data_store s
    WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key AND (s.expires_at IS NULL OR s.expires_at > at);
END
$$;

CREATE FUNCTION holdfast.data_list(
  own uuid, in_namespace text, low text, high text, past text, at_most integer, at timestamptz)
RETURNS TABLE (key text, value text, value_type text, revision bigint, expires_at timestamptz, created_by_run_id uuid,
               created_at timestamptz, updated_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  RETURN QUERY
    SELECT s.key, s.value::text, s.value_type, s.revision, s.expires_at, s.created_by_run_id, s.created_at, s.updated_at
    FROM holdfast.workflow_data_store s
    WHERE s.tenant = own AND s.namespace = in_namespace AND s.key >= low AND s.key < high AND s.key > past
      AND (s.expires_at IS NULL OR s.expires_at > at)
    ORDER BY s.key LIMIT at_most;
END
$$;

-- A namespace's own rules. What it holds is counted here, and again by the janitor: who was writing while it was counted for
-- the first time may not be in it.
CREATE FUNCTION holdfast.data_configure(
  own uuid, in_namespace text, new_id uuid, new_schema text, keys_at_most bigint, bytes_at_most bigint, at timestamptz)
RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  INSERT INTO holdfast.workflow_data_namespace AS n
    (tenant, namespace, namespace_id, json_schema, schema_version, max_keys, max_bytes, updated_at)
    VALUES (own, in_namespace, new_id, new_schema::jsonb,
            CASE WHEN new_schema IS NULL THEN 0 ELSE nextval('holdfast.data_revision') END, keys_at_most, bytes_at_most, at)
    ON CONFLICT (tenant, namespace) DO UPDATE SET
      json_schema = excluded.json_schema,
      schema_version = CASE WHEN n.json_schema IS NOT DISTINCT FROM excluded.json_schema THEN n.schema_version
                            ELSE excluded.schema_version END,
      max_keys = excluded.max_keys, max_bytes = excluded.max_bytes, warned_at = NULL, updated_at = excluded.updated_at;
  PERFORM holdfast.data_recount(own, in_namespace);
END
$$;

CREATE FUNCTION holdfast.data_recount(own uuid, in_namespace text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM holdfast.workflow_data_namespace n
    WHERE n.tenant = own AND n.namespace = in_namespace FOR UPDATE;
  UPDATE holdfast.workflow_data_namespace n SET keys = s.keys, bytes = s.bytes
    FROM (SELECT count(*) AS keys, coalesce(sum(d.size), 0) AS bytes FROM holdfast.workflow_data_store d
          WHERE d.tenant = own AND d.namespace = in_namespace) s
    WHERE n.tenant = own AND n.namespace = in_namespace;
END
$$;

CREATE FUNCTION holdfast.data_sweep(own uuid, most integer, actor text, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  RETURN holdfast.data_sweep_tenant(own, NULL, most, actor, at);
END
$$;

-- The janitor's round over all tenants: expired keys go, quotas are counted anew.
CREATE FUNCTION holdfast.data_tidy(most integer, recount boolean, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one record;
  swept integer := 0;
BEGIN
  IF NOT pg_try_advisory_xact_lock(hashtextextended('holdfast.data_tidy', 0)) THEN
    RETURN 0;
  END IF;
  FOR one IN SELECT t.tenant FROM holdfast.tenants t ORDER BY t.tenant LOOP
    swept := swept + holdfast.data_sweep_tenant(one.tenant, NULL, most, 'system:janitor', at);
  END LOOP;
  IF recount THEN
    FOR one IN SELECT n.tenant, n.namespace FROM holdfast.workflow_data_namespace n
      WHERE n.max_keys IS NOT NULL OR n.max_bytes IS NOT NULL ORDER BY n.tenant, n.namespace
    LOOP
      PERFORM holdfast.data_recount(one.tenant, one.namespace);
    END LOOP;
  END IF;
  RETURN swept;
END
$$;

-- ------------------------------------------------------------------------------------------------------ links

CREATE FUNCTION holdfast.links_upsert(
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
              coalesce(new_attributes::jsonb, '{}'), (origin ->> 'run_id')::uuid, at, at)
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

CREATE FUNCTION holdfast.links_delete(
  own uuid, in_namespace text, from_type text, from_id text, to_type text, to_id text, of_relation text, actor text,
  origin jsonb, step text, at timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  PERFORM holdfast.require_tenant(own);
  IF from_id IS NULL AND to_id IS NULL THEN
    RAISE EXCEPTION 'neither from nor to is given' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH removed AS (
    DELETE FROM holdfast.workflow_entity_links l
    WHERE l.tenant = own AND l.namespace = in_namespace
      AND (from_id IS NULL OR (l.left_type = from_type AND l.left_id = from_id))
      AND (to_id IS NULL OR (l.right_type = to_type AND l.right_id = to_id))
      AND (of_relation IS NULL OR l.relation = of_relation)
    RETURNING l.*
  ), told AS (
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    SELECT own, 'data', r.link_id, 'link.deleted', links_delete.actor, step,
           jsonb_build_object('namespace', in_namespace, 'from', jsonb_build_array(r.left_type, r.left_id),
                              'to', jsonb_build_array(r.right_type, r.right_id), 'relation', r.relation) || origin, at
    FROM removed r
  )
  SELECT count(*) INTO gone FROM removed;
  RETURN gone;
END
$$;

-- Matches of a record, in the order (type, id, relation, link_id) of what it is linked with. A record linked with itself is
-- found going forward; the way back leaves it out.
CREATE FUNCTION holdfast.links_lookup(
  own uuid, in_namespace text, of_type text, of_id text, forward boolean, reverse boolean, of_relation text, other_type text,
  after_type text, after_id text, after_relation text, after_link uuid, at_most integer)
RETURNS TABLE (link_id uuid, type text, id text, relation text, attributes text, direction text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  -- One direction comes from its index in order; only both together have to be put together and sorted.
  IF forward AND NOT reverse THEN
    RETURN QUERY
      SELECT l.link_id, l.right_type, l.right_id, l.relation, l.attributes::text, 'forward'
      FROM holdfast.workflow_entity_links l
      WHERE l.tenant = own AND l.namespace = in_namespace AND l.left_type = of_type AND l.left_id = of_id
        AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.right_type = other_type)
        AND (after_link IS NULL OR
             (l.right_type, l.right_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
      ORDER BY l.right_type, l.right_id, l.relation, l.link_id LIMIT at_most;
    RETURN;
  END IF;
  IF reverse AND NOT forward THEN
    RETURN QUERY
      SELECT l.link_id, l.left_type, l.left_id, l.relation, l.attributes::text, 'reverse'
      FROM holdfast.workflow_entity_links l
      WHERE l.tenant = own AND l.namespace = in_namespace AND l.right_type = of_type AND l.right_id = of_id
        AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.left_type = other_type)
        AND (after_link IS NULL OR
             (l.left_type, l.left_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
      ORDER BY l.left_type, l.left_id, l.relation, l.link_id LIMIT at_most;
    RETURN;
  END IF;
  RETURN QUERY
    SELECT * FROM (
      (SELECT l.link_id, l.right_type, l.right_id, l.relation, l.attributes::text, 'forward'
       FROM holdfast.workflow_entity_links l
       WHERE l.tenant = own AND l.namespace = in_namespace AND l.left_type = of_type AND l.left_id = of_id
         AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.right_type = other_type)
         AND (after_link IS NULL OR
              (l.right_type, l.right_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
       ORDER BY l.right_type, l.right_id, l.relation, l.link_id LIMIT at_most)
      UNION ALL
      (SELECT l.link_id, l.left_type, l.left_id, l.relation, l.attributes::text, 'reverse'
       FROM holdfast.workflow_entity_links l
       WHERE l.tenant = own AND l.namespace = in_namespace AND l.right_type = of_type AND l.right_id = of_id
         -- A link of a record with itself was found already.
         AND NOT (l.left_type = of_type AND l.left_id = of_id)
         AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.left_type = other_type)
         AND (after_link IS NULL OR
              (l.left_type, l.left_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
       ORDER BY l.left_type, l.left_id, l.relation, l.link_id LIMIT at_most)
    ) found (link_id, type, id, relation, attributes, direction)
    ORDER BY found.type, found.id, found.relation, found.link_id LIMIT at_most;
END
$$;

-- ------------------------------------------------------------------------------------------------------ grants

GRANT SELECT ON holdfast.workflow_data_store, holdfast.workflow_entity_links, holdfast.workflow_data_change,
  holdfast.workflow_data_namespace TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.data_set(uuid, text, text, uuid, text, text, interval, bigint, bigint, text, jsonb, text, timestamptz),
  holdfast.data_increment(uuid, text, text, uuid, numeric, numeric, interval, bigint, numeric, text, jsonb, text,
                          timestamptz),
  holdfast.data_delete(uuid, text, text[], bigint, text, jsonb, text, timestamptz),
  holdfast.data_set_many(uuid, text, text[], uuid[], text[], text[], interval[], bigint[], bigint, text, jsonb, text,
                         timestamptz),
  holdfast.data_get(uuid, text, text, timestamptz),
  holdfast.data_list(uuid, text, text, text, text, integer, timestamptz),
  holdfast.data_configure(uuid, text, uuid, text, bigint, bigint, timestamptz),
  holdfast.data_sweep(uuid, integer, text, timestamptz),
  holdfast.links_upsert(uuid, text, uuid, text, text, text, text, text, text, text, jsonb, text, timestamptz),
  holdfast.links_delete(uuid, text, text, text, text, text, text, text, jsonb, text, timestamptz),
  holdfast.links_lookup(uuid, text, text, text, boolean, boolean, text, text, text, text, text, uuid, integer)
  TO holdfast_app;
GRANT EXECUTE ON FUNCTION holdfast.enter_tenant(uuid), holdfast.data_tidy(integer, boolean, timestamptz) TO holdfast_worker;

SELECT holdfast.create_partitions(now(), 3);
