-- Audit: append-only events of every object.
--
-- Model
--   workflow_event_chained  events of documents, instances, definitions and access: kept. Each one is a link of its object's chain
--                           (seq, prev_hash, hash), which `holdfast audit verify` walks
--   workflow_event_plain    events of runs, data, sessions, actions, schedules, the outbox and reads: dropped by the month
--   workflow_event          a view of both: any object's timeline is one query
--   audit_head              where each chain ends, kept apart from the events
--   retention               how long months are kept, and since when that is the rule; the newest row of a branch counts
--   partition_drop          which months retention dropped (of the whole installation, not of one tenant)
--   audit_tombstone         what a dropped month held of a tenant: a chain of its own, each link signed by whoever dropped it
--   audit_tombstone_range   which links of which chains those were
--   audit_anchor            when the heads were last sent to a place outside
--   installation            one row: which installation this is
--
-- Both tables are cut by month. Nobody but the owner may change or remove a row, and nobody chooses its time or its place in the chain.
-- There is no foreign key to tenants: locking one tenant's row for every event would make it the busiest row there is.
--
--   appended ──(its month is older than the retention of its class)──▶ dropped

CREATE SEQUENCE holdfast.workflow_event_id;

CREATE TABLE holdfast.workflow_event_chained (
  tenant       uuid NOT NULL,
  object_kind  text COLLATE "C" NOT NULL,
  object_id    uuid NOT NULL,
  id           bigint NOT NULL DEFAULT nextval('holdfast.workflow_event_id'),
  event_type   text COLLATE "C" NOT NULL,
  actor        text NOT NULL,
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
  object_kind  text COLLATE "C" NOT NULL CHECK (object_kind IN ('action', 'data', 'outbox', 'read', 'run', 'schedule', 'session')),
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
  prev_hash    bytea,
  hash         bytea NOT NULL,
  moved_at     timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, object_kind, object_id)
) WITH (fillfactor = 80);

CREATE TABLE holdfast.installation (
  only_one  boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  id        uuid NOT NULL DEFAULT gen_random_uuid(),
  is_test   boolean NOT NULL DEFAULT false
);
COMMENT ON COLUMN holdfast.installation.is_test IS 'Whether events may have another time than now, as tests want it.';
INSERT INTO holdfast.installation DEFAULT VALUES;

CREATE TABLE holdfast.retention (
  branch  text NOT NULL,
  since   timestamptz NOT NULL DEFAULT clock_timestamp(),
  days    integer CHECK (days >= 0),
  set_by  text NOT NULL DEFAULT session_user,
  PRIMARY KEY (branch, since)
);
COMMENT ON COLUMN holdfast.retention.days IS 'NULL: for ever. 0: as long as whoever drops them wants, but never this month''s.';
INSERT INTO holdfast.retention (branch, since, days) VALUES
  ('workflow_event_chained', '-infinity', NULL), ('workflow_event_plain', '-infinity', 365),
  ('workflow_run_done', '-infinity', 0), ('outbox_event_done', '-infinity', 0), ('workflow_data_change', '-infinity', 0);

CREATE TABLE holdfast.partition_drop (
  partition   text PRIMARY KEY,
  branch      text NOT NULL,
  month       date NOT NULL,
  dropped_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE holdfast.audit_tombstone (
  tenant      uuid NOT NULL,
  seq         bigint NOT NULL,
  branch      text NOT NULL,
  month       date NOT NULL,
  days        integer NOT NULL,
  chains      bigint NOT NULL,
  events      bigint NOT NULL,
  dropped_at  timestamptz NOT NULL,
  dropped_by  text NOT NULL,
  prev_hash   bytea NOT NULL,
  hash        bytea NOT NULL,
  key_id      text,
  signature   bytea,
  PRIMARY KEY (tenant, seq),
  CONSTRAINT audit_tombstone_signed CHECK ((key_id IS NULL) = (signature IS NULL))
);
COMMENT ON COLUMN holdfast.audit_tombstone.days IS 'How long the policy kept such months when this one was dropped.';
COMMENT ON COLUMN holdfast.audit_tombstone.hash IS 'Over the link before it, every column and every range.';

CREATE TABLE holdfast.audit_tombstone_range (
  tenant       uuid NOT NULL,
  seq          bigint NOT NULL,
  object_kind  text COLLATE "C" NOT NULL,
  object_id    uuid NOT NULL,
  first_seq    bigint NOT NULL,
  last_seq     bigint NOT NULL CHECK (last_seq >= first_seq),
  prev_hash    bytea NOT NULL,
  last_hash    bytea NOT NULL,
  PRIMARY KEY (tenant, seq, object_kind, object_id, first_seq)
);

CREATE TABLE holdfast.audit_anchor (
  place        text PRIMARY KEY,
  anchored_at  timestamptz NOT NULL
);

-- Append-only: no UPDATE, no DELETE, no TRUNCATE, for anybody but the owner. Number, hashes and id are the database's to give.
GRANT SELECT ON holdfast.workflow_event_chained, holdfast.workflow_event_plain TO holdfast_app;
GRANT INSERT (tenant, object_kind, object_id, event_type, actor, step_id, data, trace_id, created_at)
  ON holdfast.workflow_event_chained, holdfast.workflow_event_plain TO holdfast_app;
GRANT USAGE ON SEQUENCE holdfast.workflow_event_id TO holdfast_app;
GRANT SELECT ON holdfast.audit_head, holdfast.partition_drop, holdfast.installation, holdfast.retention,
  holdfast.audit_tombstone, holdfast.audit_tombstone_range, holdfast.audit_anchor TO holdfast_app;
