-- Audit: append-only events of every object.
--
-- Model
--   workflow_event_chained  events of documents, instances, definitions and access: kept. Each one is a link of its object's chain
--                           (seq, prev_hash, hash), which `holdfast audit verify` walks
--   workflow_event_plain    events of runs, data, sessions, actions, schedules and the outbox: dropped by the month
--   workflow_event          a view of both: any object's timeline is one query
--   audit_head              where each chain ends, kept apart from the events
--   partition_drop          which months retention dropped (of the whole installation, not of one tenant)
--
-- Both tables are cut by month. Nobody but the owner may change or remove a row. There is no foreign key to tenants: locking one
-- tenant's row for every event would make it the busiest row there is.
--
--   appended ──(its month is older than the retention of its class)──▶ dropped

CREATE SEQUENCE holdfast.workflow_event_id;

CREATE TABLE holdfast.workflow_event_chained (
  tenant       uuid NOT NULL,
  object_kind  text COLLATE "C" NOT NULL CHECK (object_kind IN ('access', 'definition', 'document', 'instance')),
  object_id    uuid NOT NULL,
  id           bigint NOT NULL DEFAULT nextval('holdfast.workflow_event_id'),
  event_type   text COLLATE "C" NOT NULL CHECK (length(event_type) BETWEEN 1 AND 128),
  actor        text NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
  step_id      text,
  data         jsonb NOT NULL DEFAULT '{}',
  trace_id     text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  seq          bigint NOT NULL,
  prev_hash    bytea NOT NULL,
  hash         bytea NOT NULL,
  xid          xid8 NOT NULL DEFAULT pg_current_xact_id(),
  -- (created_at, id) is the order of the tenant's timeline and its keyset cursor.
  PRIMARY KEY (tenant, created_at, id)
) PARTITION BY RANGE (created_at);

-- Catches what no month covers, so that an event is never refused because a janitor was not running.
CREATE TABLE holdfast.workflow_event_chained_default PARTITION OF holdfast.workflow_event_chained DEFAULT;

CREATE INDEX workflow_event_chained_object ON holdfast.workflow_event_chained (tenant, object_id, created_at, id);

-- For those who follow: what transactions wrote that a snapshot could not see.
CREATE INDEX workflow_event_chained_xid ON holdfast.workflow_event_chained (tenant, xid, id);

CREATE TABLE holdfast.workflow_event_plain (
  tenant       uuid NOT NULL,
  object_kind  text COLLATE "C" NOT NULL CHECK (object_kind IN ('action', 'data', 'outbox', 'run', 'schedule', 'session')),
  object_id    uuid NOT NULL,
  id           bigint NOT NULL DEFAULT nextval('holdfast.workflow_event_id'),
  event_type   text COLLATE "C" NOT NULL CHECK (length(event_type) BETWEEN 1 AND 128),
  actor        text NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
  step_id      text,
  data         jsonb NOT NULL DEFAULT '{}',
  trace_id     text,
  created_at   timestamptz NOT NULL DEFAULT now(),
  xid          xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (tenant, created_at, id)
) PARTITION BY RANGE (created_at);

CREATE TABLE holdfast.workflow_event_plain_default PARTITION OF holdfast.workflow_event_plain DEFAULT;

CREATE INDEX workflow_event_plain_object ON holdfast.workflow_event_plain (tenant, object_id, created_at, id);

-- Not of keys and actions: nobody follows those here, and they are written often.
CREATE INDEX workflow_event_plain_xid ON holdfast.workflow_event_plain (tenant, xid, id)
  WHERE object_kind IN ('outbox', 'run', 'schedule', 'session');

CREATE TABLE holdfast.audit_head (
  tenant       uuid NOT NULL,
  object_kind  text COLLATE "C" NOT NULL,
  object_id    uuid NOT NULL,
  seq          bigint NOT NULL,
  hash         bytea NOT NULL,
  PRIMARY KEY (tenant, object_kind, object_id)
) WITH (fillfactor = 80);

CREATE TABLE holdfast.partition_drop (
  partition   text PRIMARY KEY,
  branch      text NOT NULL,
  month       date NOT NULL,
  dropped_at  timestamptz NOT NULL DEFAULT now()
);

-- Append-only: no UPDATE, no DELETE, no TRUNCATE, for anybody but the owner.
GRANT SELECT, INSERT ON holdfast.workflow_event_chained, holdfast.workflow_event_plain TO holdfast_app;
GRANT USAGE ON SEQUENCE holdfast.workflow_event_id TO holdfast_app;
GRANT SELECT ON holdfast.audit_head, holdfast.partition_drop TO holdfast_app;
