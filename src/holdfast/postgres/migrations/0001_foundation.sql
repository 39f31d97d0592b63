-- The foundation: tenants, the people and programs that act in them, and the audit trail of everything.
--
-- Model
--   tenants         one row a tenant; every other tenant table leads its keys with the column tenant
--   users           people and programs of a tenant; never deleted, so that the audit trail can name them
--   roles           built-in ones (permissions live in the code) and the tenant's own
--   user_roles      which user has which role
--   api_tokens      credentials, stored as SHA-256, scoped, expiring, revocable
--   workflow_event  append-only events of every object, one month and one kind a partition
--   audit_head      where each object's hash chain ends, kept apart from the events
--   partition_drop  which partitions retention dropped (of the whole installation, not of one tenant)
--
-- Roles of Postgres
--   holdfast_owner  owns everything; only migrations and SECURITY DEFINER functions act as it
--   holdfast_app    what application transactions run as: sees the rows of one tenant, or none
--   holdfast_worker holdfast_app plus the few functions that look across tenants
--
-- Isolation
--   A transaction says SET LOCAL holdfast.tenant. Every policy compares with it; unset means no row matches.

CREATE FUNCTION holdfast.protect_tenant_table(target regclass) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
  EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
  EXECUTE format(
    'CREATE POLICY tenant_isolation ON %s '
    'USING (tenant = nullif(current_setting(''holdfast.tenant'', true), '''')::uuid) '
    'WITH CHECK (tenant = nullif(current_setting(''holdfast.tenant'', true), '''')::uuid)', target);
  -- For SECURITY DEFINER functions: no role needs BYPASSRLS, which managed Postgres seldom grants.
  EXECUTE format('CREATE POLICY cross_tenant ON %s TO holdfast_owner USING (true) WITH CHECK (true)', target);
END
$$;
COMMENT ON FUNCTION holdfast.protect_tenant_table IS 'Enables and forces row-level security by tenant on a table.';

CREATE FUNCTION holdfast.touch_updated_at() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := now();
  RETURN NEW;
END
$$;

-- ---------------------------------------------------------------------------------------------------- tenants

CREATE TABLE holdfast.tenants (
  tenant      uuid PRIMARY KEY,
  slug        text COLLATE "C" NOT NULL
              CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' AND slug NOT IN ('me', 'permissions')),
  name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  settings    jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);
-- The one unique key that cannot lead with tenant: a slug is how a tenant is found.
CREATE UNIQUE INDEX tenants_slug ON holdfast.tenants (slug);
SELECT holdfast.protect_tenant_table('holdfast.tenants');
CREATE TRIGGER touch BEFORE UPDATE ON holdfast.tenants FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

-- ----------------------------------------------------------------------------------- users, roles, credentials

CREATE TABLE holdfast.users (
  tenant          uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  user_id         uuid NOT NULL,
  name            text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  kind            text NOT NULL DEFAULT 'user' CHECK (kind IN ('user', 'service')),
  display_name    text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 256),
  email           text CHECK (length(email) BETWEEN 3 AND 320),
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  deactivated_at  timestamptz,
  PRIMARY KEY (tenant, user_id),
  UNIQUE (tenant, name)
);
SELECT holdfast.protect_tenant_table('holdfast.users');
CREATE TRIGGER touch BEFORE UPDATE ON holdfast.users FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TABLE holdfast.roles (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  role         text COLLATE "C" NOT NULL CHECK (role ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  permissions  text[],
  description  text NOT NULL DEFAULT '' CHECK (length(description) <= 1000),
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, role),
  -- NULL permissions mark a built-in role; what it may do is the code's to say, so that a release can extend it.
  CONSTRAINT roles_built_in CHECK (
    (permissions IS NULL) = (role IN ('viewer', 'author', 'approver', 'operator', 'admin')))
);
SELECT holdfast.protect_tenant_table('holdfast.roles');

CREATE FUNCTION holdfast.guard_built_in_role() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.permissions IS NULL THEN
    RAISE EXCEPTION 'the role % is built in and cannot be changed', OLD.role
      USING ERRCODE = 'HF001', HINT = 'define a role of your own with the permissions you want';
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;
CREATE TRIGGER guard_built_in BEFORE UPDATE OR DELETE ON holdfast.roles
  FOR EACH ROW EXECUTE FUNCTION holdfast.guard_built_in_role();

CREATE TABLE holdfast.user_roles (
  tenant      uuid NOT NULL,
  user_id     uuid NOT NULL,
  role        text COLLATE "C" NOT NULL,
  granted_at  timestamptz NOT NULL DEFAULT now(),
  granted_by  text NOT NULL,
  PRIMARY KEY (tenant, user_id, role),
  FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users (tenant, user_id),
  FOREIGN KEY (tenant, role) REFERENCES holdfast.roles (tenant, role)
);
CREATE INDEX user_roles_role ON holdfast.user_roles (tenant, role);
SELECT holdfast.protect_tenant_table('holdfast.user_roles');

CREATE TABLE holdfast.api_tokens (
  tenant        uuid NOT NULL,
  token_id      uuid NOT NULL,
  user_id       uuid NOT NULL,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  hash          bytea NOT NULL CHECK (octet_length(hash) = 32),
  scopes        text[],
  created_at    timestamptz NOT NULL DEFAULT now(),
  created_by    text NOT NULL,
  expires_at    timestamptz CHECK (expires_at > created_at),
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  PRIMARY KEY (tenant, token_id),
  UNIQUE (tenant, hash),
  FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users (tenant, user_id)
);
CREATE INDEX api_tokens_user ON holdfast.api_tokens (tenant, user_id);
SELECT holdfast.protect_tenant_table('holdfast.api_tokens');

CREATE FUNCTION holdfast.guard_token() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.revoked_at IS NOT NULL AND NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN
    RAISE EXCEPTION 'a revoked token stays revoked' USING ERRCODE = 'HF001', HINT = 'create a new token';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON holdfast.api_tokens FOR EACH ROW EXECUTE FUNCTION holdfast.guard_token();

-- ---------------------------------------------------------------------------------------------- audit trail

CREATE SEQUENCE holdfast.workflow_event_id;

-- No foreign key to tenants: locking one tenant's row for every event would make it the busiest row there is.
CREATE TABLE holdfast.workflow_event (
  tenant       uuid NOT NULL,
  object_kind  text COLLATE "C" NOT NULL,
  object_id    uuid NOT NULL,
  id           bigint NOT NULL DEFAULT nextval('holdfast.workflow_event_id'),
  event_type   text COLLATE "C" NOT NULL CHECK (length(event_type) BETWEEN 1 AND 128),
  actor        text NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
  step_id      text,
  data         jsonb NOT NULL DEFAULT '{}',
  trace_id     text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  seq          bigint,
  prev_hash    bytea,
  hash         bytea,
  -- (created_at, id) is the order of the tenant's timeline and its keyset cursor.
  PRIMARY KEY (tenant, created_at, id, object_kind)
) PARTITION BY LIST (object_kind);
CREATE INDEX workflow_event_object ON holdfast.workflow_event (tenant, object_id, created_at, id);
SELECT holdfast.protect_tenant_table('holdfast.workflow_event');

CREATE TABLE holdfast.audit_head (
  tenant       uuid NOT NULL,
  object_kind  text COLLATE "C" NOT NULL,
  object_id    uuid NOT NULL,
  seq          bigint NOT NULL,
  hash         bytea NOT NULL,
  PRIMARY KEY (tenant, object_kind, object_id)
) WITH (fillfactor = 80);
SELECT holdfast.protect_tenant_table('holdfast.audit_head');

CREATE TABLE holdfast.partition_drop (
  partition   text PRIMARY KEY,
  branch      text NOT NULL,
  month       date NOT NULL,
  dropped_at  timestamptz NOT NULL DEFAULT now()
);

CREATE FUNCTION holdfast.measured(part text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN convert_to(octet_length(convert_to(part, 'UTF8'))::text || ':' || part, 'UTF8');
END
$$;
COMMENT ON FUNCTION holdfast.measured IS '‹length›:‹bytes›, so that no field of a hash can bleed into the next.';

-- Gives an event its place in the object's chain. The head row's lock makes concurrent writers queue, so no two
-- events of one object can have the same number or the same predecessor.
CREATE FUNCTION holdfast.chain_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head holdfast.audit_head;
BEGIN
  LOOP
    SELECT * INTO head FROM holdfast.audit_head h
      WHERE h.tenant = NEW.tenant AND h.object_kind = NEW.object_kind AND h.object_id = NEW.object_id
      FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO holdfast.audit_head (tenant, object_kind, object_id, seq, hash)
      VALUES (NEW.tenant, NEW.object_kind, NEW.object_id, 0, '') ON CONFLICT DO NOTHING;
  END LOOP;
  NEW.seq := head.seq + 1;
  NEW.prev_hash := head.hash;
  NEW.hash := sha256(
    NEW.prev_hash
    || holdfast.measured(NEW.tenant::text)
    || holdfast.measured(NEW.object_kind)
    || holdfast.measured(NEW.object_id::text)
    || holdfast.measured(NEW.seq::text)
    || holdfast.measured(NEW.event_type)
    || holdfast.measured(NEW.actor)
    || holdfast.measured(coalesce(NEW.step_id, ''))
    || holdfast.measured(coalesce(NEW.trace_id, ''))
    || holdfast.measured((extract(epoch FROM NEW.created_at) * 1000000)::bigint::text)
    || holdfast.measured(NEW.data::text));
  UPDATE holdfast.audit_head h SET seq = NEW.seq, hash = NEW.hash
    WHERE h.tenant = NEW.tenant AND h.object_kind = NEW.object_kind AND h.object_id = NEW.object_id;
  RETURN NEW;
END
$$;

-- A kind of object gets a partition of its own, cut by month below it, so that each kind has its own retention.
CREATE FUNCTION holdfast.add_event_kind(kind text, chained boolean) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  branch text := 'workflow_event_' || kind;
BEGIN
  EXECUTE format('CREATE TABLE holdfast.%I PARTITION OF holdfast.workflow_event FOR VALUES IN (%L) '
                 'PARTITION BY RANGE (created_at)', branch, kind);
  PERFORM holdfast.protect_tenant_table(format('holdfast.%I', branch)::regclass);
  -- Catches what no month covers, so that an event is never refused because a janitor was not running.
  EXECUTE format('CREATE TABLE holdfast.%I PARTITION OF holdfast.%I DEFAULT', branch || '_default', branch);
  PERFORM holdfast.protect_tenant_table(format('holdfast.%I', branch || '_default')::regclass);
  IF chained THEN
    EXECUTE format('CREATE TRIGGER chain BEFORE INSERT ON holdfast.%I '
                   'FOR EACH ROW EXECUTE FUNCTION holdfast.chain_event()', branch);
  END IF;
END
$$;

SELECT holdfast.add_event_kind('access', chained => true);
SELECT holdfast.add_event_kind('document', chained => true);
SELECT holdfast.add_event_kind('instance', chained => true);
SELECT holdfast.add_event_kind('data', chained => false);
SELECT holdfast.add_event_kind('run', chained => false);
SELECT holdfast.add_event_kind('session', chained => false);

-- Makes the monthly partitions of every table that is cut by month, this month's and those ahead. Each is built apart,
-- takes over what the default partition caught for its month, and is then attached, which does not block readers or
-- writers of the parent.
CREATE FUNCTION holdfast.create_partitions(at timestamptz, months_ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  parent text;
  cut_by text;
  leaf text;
  first timestamptz;
  next timestamptz;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.partitions', 0));
  FOR parent, cut_by IN
    SELECT c.relname, a.attname FROM pg_partitioned_table p JOIN pg_class c ON c.oid = p.partrelid
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.partattrs[0]
    WHERE c.relnamespace = 'holdfast'::regnamespace AND p.partstrat = 'r' ORDER BY c.relname
  LOOP
    FOR ahead IN 0 .. months_ahead LOOP
      first := (date_trunc('month', at AT TIME ZONE 'UTC') + make_interval(months => ahead)) AT TIME ZONE 'UTC';
      next := (date_trunc('month', at AT TIME ZONE 'UTC') + make_interval(months => ahead + 1)) AT TIME ZONE 'UTC';
      leaf := parent || to_char(first AT TIME ZONE 'UTC', '_YYYY_MM');
      CONTINUE WHEN to_regclass(format('holdfast.%I', leaf)) IS NOT NULL;
      EXECUTE format('CREATE TABLE holdfast.%I (LIKE holdfast.%I INCLUDING ALL)', leaf, parent);
      EXECUTE format(
        'WITH moved AS (DELETE FROM holdfast.%I WHERE %I >= %L AND %I < %L RETURNING *) '
        'INSERT INTO holdfast.%I SELECT * FROM moved', parent || '_default', cut_by, first, cut_by, next, leaf);
      PERFORM holdfast.protect_tenant_table(format('holdfast.%I', leaf)::regclass);
      EXECUTE format('ALTER TABLE holdfast.%I ATTACH PARTITION holdfast.%I FOR VALUES FROM (%L) TO (%L)',
                     parent, leaf, first, next);
      made := made + 1;
    END LOOP;
  END LOOP;
  RETURN made;
END
$$;

-- Drops the months of a table cut by month that ended before a time, and remembers which.
CREATE FUNCTION holdfast.drop_partitions(branch text, before timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '10s' AS $$
DECLARE
  leaf text;
  month date;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.partitions', 0));
  FOR leaf IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = to_regclass(format('holdfast.%I', branch)) AND c.relname ~ '_\d{4}_\d{2}$'
    ORDER BY c.relname
  LOOP
    month := to_date(right(leaf, 7), 'YYYY_MM');
    CONTINUE WHEN ((month + interval '1 month') AT TIME ZONE 'UTC') > before;
    EXECUTE format('DROP TABLE holdfast.%I', leaf);
    INSERT INTO holdfast.partition_drop (partition, branch, month) VALUES (leaf, branch, month)
      ON CONFLICT (partition) DO UPDATE SET dropped_at = excluded.dropped_at;
    RETURN NEXT leaf;
  END LOOP;
END
$$;

-- ------------------------------------------------------------------------------------ looking across tenants

CREATE FUNCTION holdfast.find_tenant(wanted text)
RETURNS TABLE (tenant uuid, slug text, name text, settings jsonb)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT t.tenant, t.slug, t.name, t.settings FROM holdfast.tenants t WHERE t.slug = wanted;
END
$$;
COMMENT ON FUNCTION holdfast.find_tenant IS 'The tenant of a slug: what a transaction needs before it can have a tenant.';

CREATE FUNCTION holdfast.list_tenants()
RETURNS TABLE (tenant uuid, slug text, name text, settings jsonb, created_at timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT t.tenant, t.slug, t.name, t.settings, t.created_at FROM holdfast.tenants t ORDER BY t.slug;
END
$$;

CREATE FUNCTION holdfast.create_tenant(
  new_tenant uuid, new_slug text, new_name text, created_by text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO holdfast.tenants (tenant, slug, name, created_at) VALUES (new_tenant, new_slug, new_name, at)
    ON CONFLICT (slug) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO holdfast.roles (tenant, role)
    SELECT new_tenant, built_in FROM unnest(ARRAY['viewer', 'author', 'approver', 'operator', 'admin']) built_in;
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, created_at)
    VALUES (new_tenant, 'access', new_tenant, 'tenant.created', created_by,
            jsonb_build_object('slug', new_slug, 'name', new_name), at);
  RETURN true;
END
$$;

-- ------------------------------------------------------------------------------------------------- grants

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA holdfast FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA holdfast FROM PUBLIC;
ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;

GRANT SELECT, UPDATE (name, settings, updated_at) ON holdfast.tenants TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (display_name, email, updated_at, deactivated_at) ON holdfast.users TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (permissions, description), DELETE ON holdfast.roles TO holdfast_app;
GRANT SELECT, INSERT, DELETE ON holdfast.user_roles TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_at) ON holdfast.api_tokens TO holdfast_app;
-- Append-only: no UPDATE, no DELETE, no TRUNCATE, for anybody but the owner.
GRANT SELECT, INSERT ON holdfast.workflow_event TO holdfast_app;
GRANT USAGE ON SEQUENCE holdfast.workflow_event_id TO holdfast_app;
GRANT SELECT ON holdfast.audit_head, holdfast.partition_drop TO holdfast_app;
GRANT EXECUTE ON FUNCTION holdfast.find_tenant(text) TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.list_tenants(), holdfast.create_tenant(uuid, text, text, text, timestamptz),
  holdfast.create_partitions(timestamptz, integer), holdfast.drop_partitions(text, timestamptz)
  TO holdfast_worker;

SELECT holdfast.create_partitions(now(), 3);
