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
--   absent ──set──▶ present ──set──▶ present        present ──▶ deleted | expired ──▶ absent
--
-- The application may read these tables and change them only through functions. What a caller can expect to
-- happen (a conflict, a full namespace) is an answer, not an exception: the transaction goes on.
--
-- Following changes. A number taken from a sequence becomes visible when its transaction commits, which is another order.
-- So a change also keeps the id of its transaction, and who follows remembers a snapshot: what is new is what that snapshot
-- could not see and a later one can. Nothing is skipped, nothing comes twice, and no writer waits for another. For those who know
-- only a revision a change keeps which transactions were over when it was made (`seen`): what others have written may be news.
--
-- Who waits for changes is woken. A notification at every write would make all commits of the server queue up, whether anybody waits or
-- not. So those who wait hold a lock, shared, of nobody's rows, and a write that finds it free notifies nobody (data_wake).
--
-- A sum of more than a thousand digits, those after the point included, is refused (data_fits): nothing that reads the key could write
-- it down again. created_by_run_id is the run or, where a step of a process writes, the process instance.
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

CREATE TABLE holdfast.workflow_data_change (
  tenant      uuid NOT NULL,
  namespace   text COLLATE "C" NOT NULL,
  xid         xid8 NOT NULL,
  id          bigint NOT NULL,
  op          text COLLATE "C" NOT NULL CHECK (op IN ('set', 'deleted', 'expired')),
  key         text COLLATE "C" NOT NULL,
  revision    bigint NOT NULL,
  seen        pg_snapshot,
  created_at  timestamptz NOT NULL,
  -- In the order in which they are told: for who has much to read.
  PRIMARY KEY (tenant, namespace, id, created_at)
) PARTITION BY RANGE (created_at);

-- By transaction: for who is up to date, and asks for the newest few.
CREATE INDEX workflow_data_change_xid ON holdfast.workflow_data_change (tenant, namespace, xid);

CREATE TABLE holdfast.workflow_data_change_default PARTITION OF holdfast.workflow_data_change DEFAULT;

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
) WITH (fillfactor = 50);

GRANT SELECT ON holdfast.workflow_data_store, holdfast.workflow_entity_links, holdfast.workflow_data_change,
  holdfast.workflow_data_namespace TO holdfast_app;
