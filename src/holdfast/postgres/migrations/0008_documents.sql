-- Documents: what organisations work on, every version of it, and what happened to it.
--
-- Model
--   entities             documents as they stand; data is NULL when the content lives in a table of the user's own
--   entity_versions      the content of every version, append-only; approvals and steps refer to these
--   entity_readers       who may read a document because they made it or are asked about it
--   workflow_rules       small rules that look at a change before and after it is made
--   workflow_executions  what each rule found, append-only; one month a partition
--   document_views       filters of the list that a person keeps under a name
--
-- Promises kept here
--   The version of a document changes exactly when its content does, by one, and a snapshot of each version exists: the row refers to it.
--   Nothing changes a document that was deleted or replaced by an amended one.
--   Whoever makes, edits or submits a document, and whoever is asked about it, is in entity_readers from that transaction on.
--
--   alive (doc_status as its contract says) ──▶ deleted | replaced by the document that was amended from it

CREATE TABLE holdfast.entities (
  tenant            uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id                uuid NOT NULL,
  entity_type       text COLLATE "C" NOT NULL CHECK (entity_type ~ '^[a-z][a-z0-9_]{0,63}$'),
  doc_status        text COLLATE "C" NOT NULL CHECK (length(doc_status) BETWEEN 1 AND 128),
  entity_version    integer NOT NULL DEFAULT 1 CHECK (entity_version >= 1),
  contract_version  integer NOT NULL CHECK (contract_version >= 1),
  data              jsonb CHECK (jsonb_typeof(data) = 'object'),
  content_hash      text COLLATE "C" NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  version_id        uuid NOT NULL,
  amended_from_id   uuid,
  created_at        timestamptz NOT NULL DEFAULT now(),
  created_by        text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  updated_at        timestamptz NOT NULL DEFAULT now(),
  updated_by        text NOT NULL CHECK (length(updated_by) BETWEEN 1 AND 300),
  deleted_at        timestamptz,
  PRIMARY KEY (tenant, id),
  -- A document is replaced once.
  UNIQUE (tenant, amended_from_id),
  FOREIGN KEY (tenant, amended_from_id) REFERENCES holdfast.entities (tenant, id),
  CONSTRAINT entities_not_amended_from_itself CHECK (amended_from_id <> id)
);

-- Lists, newest first: ids are made in the order of time.
CREATE INDEX entities_type ON holdfast.entities (tenant, entity_type, id) WHERE deleted_at IS NULL;

CREATE INDEX entities_status ON holdfast.entities (tenant, entity_type, doc_status, id) WHERE deleted_at IS NULL;

CREATE TABLE holdfast.entity_versions (
  tenant            uuid NOT NULL,
  id                uuid NOT NULL,
  entity_id         uuid NOT NULL,
  version           integer NOT NULL CHECK (version >= 1),
  contract_version  integer NOT NULL CHECK (contract_version >= 1),
  doc_status        text COLLATE "C" NOT NULL,
  data              jsonb NOT NULL CHECK (jsonb_typeof(data) = 'object'),
  content_hash      text COLLATE "C" NOT NULL CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  changed_fields    text[] NOT NULL DEFAULT '{}',
  instance_id       uuid,
  created_at        timestamptz NOT NULL DEFAULT now(),
  created_by        text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, entity_id, version),
  UNIQUE (tenant, entity_id, version, content_hash),
  FOREIGN KEY (tenant, entity_id) REFERENCES holdfast.entities (tenant, id)
);
COMMENT ON COLUMN holdfast.entity_versions.instance_id IS 'The process whose own step wrote this version, if one did.';

-- No version without its snapshot, no content but that of the snapshot.
ALTER TABLE holdfast.entities ADD CONSTRAINT entities_snapshot
  FOREIGN KEY (tenant, id, entity_version, content_hash)
  REFERENCES holdfast.entity_versions (tenant, entity_id, version, content_hash) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE holdfast.entities ADD CONSTRAINT entities_version
  FOREIGN KEY (tenant, version_id) REFERENCES holdfast.entity_versions (tenant, id) DEFERRABLE INITIALLY DEFERRED;

-- ------------------------------------------------------------------------------------------------------- readers

-- Written by triggers alone, so that it follows from what was made and asked. Lists of those who read nothing else ride on
-- its key: one probe for each name a person goes by.
CREATE TABLE holdfast.entity_readers (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  principal    text COLLATE "C" NOT NULL CHECK (principal = 'anyone' OR principal ~ '^(user|role):.{1,255}$'),
  entity_type  text COLLATE "C" NOT NULL,
  entity_id    uuid NOT NULL,
  source       uuid NOT NULL,
  version      integer NOT NULL CHECK (version >= 0),
  PRIMARY KEY (tenant, principal, entity_type, entity_id, source)
);
COMMENT ON COLUMN holdfast.entity_readers.source IS 'The request that asks; the document itself for those who made, edited or submitted it.';
COMMENT ON COLUMN holdfast.entity_readers.version IS 'The version that was asked about; 0 is every one.';

-- --------------------------------------------------------------------------------------------------------- rules

CREATE TABLE holdfast.workflow_rules (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id           uuid NOT NULL,
  name         text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  entity_type  text COLLATE "C" NOT NULL CHECK (entity_type ~ '^[a-z][a-z0-9_]{0,63}$'),
  timing       text COLLATE "C" NOT NULL CHECK (timing IN ('before', 'after')),
  operations   text[] NOT NULL CHECK (
    cardinality(operations) >= 1 AND operations <@ ARRAY['create', 'update', 'transition', 'amend', 'delete']),
  condition    text CHECK (length(condition) BETWEEN 1 AND 500),
  effect       text COLLATE "C" NOT NULL,
  config       jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(config) = 'object'),
  priority     integer NOT NULL DEFAULT 0 CHECK (priority BETWEEN -1000 AND 1000),
  enabled      boolean NOT NULL DEFAULT true,
  created_at   timestamptz NOT NULL DEFAULT now(),
  created_by   text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, name),
  -- A rule refuses or completes a change that is about to be made; afterwards it can only let others know (WF-09).
  CONSTRAINT workflow_rules_effect CHECK (
    (timing = 'before' AND effect IN ('reject', 'set', 'note')) OR (timing = 'after' AND effect IN ('emit', 'note')))
);

CREATE INDEX workflow_rules_type ON holdfast.workflow_rules (tenant, entity_type, timing, priority, name) WHERE enabled;

CREATE TABLE holdfast.workflow_executions (
  tenant          uuid NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  id              uuid NOT NULL,
  rule_id         uuid NOT NULL,
  rule_name       text COLLATE "C" NOT NULL,
  entity_id       uuid NOT NULL,
  entity_version  integer NOT NULL,
  operation       text COLLATE "C" NOT NULL,
  matched         boolean NOT NULL,
  evidence        jsonb NOT NULL DEFAULT '{}',
  actor           text NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
  PRIMARY KEY (tenant, created_at, id)
) PARTITION BY RANGE (created_at);

CREATE INDEX workflow_executions_entity ON holdfast.workflow_executions (tenant, entity_id, created_at);

CREATE TABLE holdfast.workflow_executions_default PARTITION OF holdfast.workflow_executions DEFAULT;

CREATE TABLE holdfast.document_views (
  tenant      uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  owner       text COLLATE "C" NOT NULL,
  name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  filters     jsonb NOT NULL CHECK (jsonb_typeof(filters) = 'object' AND pg_column_size(filters) <= 8192),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, owner, name),
  FOREIGN KEY (tenant, owner) REFERENCES holdfast.users (tenant, name)
);

-- A status moves by `move_documents`, with its event.
GRANT SELECT, INSERT,
  UPDATE (entity_version, contract_version, data, content_hash, version_id, updated_at, updated_by, deleted_at)
  ON holdfast.entities TO holdfast_app;

GRANT SELECT ON holdfast.entity_readers TO holdfast_app;

-- Append-only.
GRANT SELECT, INSERT ON holdfast.entity_versions, holdfast.workflow_executions TO holdfast_app;
GRANT SELECT, INSERT, DELETE, UPDATE (timing, operations, condition, effect, config, priority, enabled, updated_at)
  ON holdfast.workflow_rules TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (filters, updated_at), DELETE ON holdfast.document_views TO holdfast_app;
