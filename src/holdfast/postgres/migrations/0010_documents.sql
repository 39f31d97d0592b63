-- Documents: what organisations work on, every version of it, and what happened to it.
--
-- Model
--   entities                documents as they stand; data is NULL when the content lives in a table of the user's own
--   entity_versions         the content of every version, append-only; approvals and steps refer to these
--   workflow_rules          small rules that look at a change before and after it is made
--   workflow_executions     what each rule found, append-only
--   workflow_events_outbox  what processes must hear of, written in the transaction of the change; one month a partition
--
-- Promises kept here
--   The version of a document changes exactly when its content does, by one, and a snapshot of each version exists: the
--   row refers to it. Nothing changes a document that was deleted or replaced by an amended one. Whatever an outbox event
--   says stays said (no right to change it is given); only its delivery may move, along
--
--   pending ──▶ processing ──▶ completed
--    ▲   ▲          │  ▲
--    │   └──────────┘  └──── failed ──▶ dead_letter
--    └───────────────────────┴──────────────┘ (a dead letter only where holdfast.admin_override is on)

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
SELECT holdfast.protect_tenant_table('holdfast.entities');

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
SELECT holdfast.protect_tenant_table('holdfast.entity_versions');

-- No version without its snapshot, no content but that of the snapshot.
ALTER TABLE holdfast.entities ADD CONSTRAINT entities_snapshot
  FOREIGN KEY (tenant, id, entity_version, content_hash)
  REFERENCES holdfast.entity_versions (tenant, entity_id, version, content_hash) DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE holdfast.entities ADD CONSTRAINT entities_version
  FOREIGN KEY (tenant, version_id) REFERENCES holdfast.entity_versions (tenant, id) DEFERRABLE INITIALLY DEFERRED;

CREATE FUNCTION holdfast.guard_entity() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.deleted_at IS NOT NULL THEN
    RAISE EXCEPTION 'the document % is deleted', OLD.id USING ERRCODE = 'HF001', HINT = 'create a new document';
  END IF;
  IF EXISTS (SELECT FROM holdfast.entities e WHERE e.tenant = OLD.tenant AND e.amended_from_id = OLD.id) THEN
    RAISE EXCEPTION 'the document % was replaced by an amended one', OLD.id
      USING ERRCODE = 'HF001', HINT = 'change the amended document';
  END IF;
  IF (NEW.tenant, NEW.id, NEW.entity_type, NEW.amended_from_id, NEW.created_at, NEW.created_by)
     IS DISTINCT FROM (OLD.tenant, OLD.id, OLD.entity_type, OLD.amended_from_id, OLD.created_at, OLD.created_by) THEN
    RAISE EXCEPTION 'what the document % is never changes', OLD.id
      USING ERRCODE = 'HF001', HINT = 'only its content and its status may change';
  END IF;
  IF NEW.entity_version = OLD.entity_version THEN
    IF NEW.content_hash <> OLD.content_hash OR NEW.data IS DISTINCT FROM OLD.data OR NEW.version_id <> OLD.version_id THEN
      RAISE EXCEPTION 'the content of document % changed without a new version', OLD.id
        USING ERRCODE = 'HF001', HINT = 'change documents through mutate()';
    END IF;
  ELSIF NEW.entity_version <> OLD.entity_version + 1 OR NEW.content_hash = OLD.content_hash
        OR NEW.version_id = OLD.version_id THEN
    RAISE EXCEPTION 'document % cannot go from version % to %', OLD.id, OLD.entity_version, NEW.entity_version
      USING ERRCODE = 'HF001', HINT = 'a version is one more than the last, and its content another';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON holdfast.entities FOR EACH ROW EXECUTE FUNCTION holdfast.guard_entity();

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
SELECT holdfast.protect_tenant_table('holdfast.workflow_rules');
CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_rules FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

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
SELECT holdfast.protect_tenant_table('holdfast.workflow_executions');
CREATE TABLE holdfast.workflow_executions_default PARTITION OF holdfast.workflow_executions DEFAULT;
SELECT holdfast.protect_tenant_table('holdfast.workflow_executions_default');

-- --------------------------------------------------------------------------------------------------- events outbox

CREATE TABLE holdfast.workflow_events_outbox (
  tenant                 uuid NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  id                     uuid NOT NULL,
  instance_id            uuid NOT NULL,
  entity_type            text COLLATE "C" CHECK (length(entity_type) BETWEEN 1 AND 64),
  entity_id              uuid,
  entity_version         integer NOT NULL,
  definition_version     integer,
  event_type             text COLLATE "C" NOT NULL CHECK (length(event_type) BETWEEN 1 AND 128),
  payload_json           jsonb NOT NULL DEFAULT '{}',
  event_idempotency_key  text COLLATE "C" NOT NULL CHECK (event_idempotency_key ~ '^[0-9a-f]{64}$'),
  actor                  jsonb NOT NULL CHECK (actor ? 'kind' AND actor ? 'name'),
  trace_id               text CHECK (length(trace_id) <= 256),
  status                 text COLLATE "C" NOT NULL DEFAULT 'pending'
                         CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'dead_letter')),
  attempts               integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  max_attempts           integer NOT NULL DEFAULT 5 CHECK (max_attempts BETWEEN 1 AND 1000),
  next_retry_at          timestamptz NOT NULL DEFAULT now(),
  lease_epoch            bigint NOT NULL DEFAULT 0,
  lease_until            timestamptz,
  leased_by              text,
  completed_at           timestamptz,
  error                  text,
  PRIMARY KEY (tenant, created_at, id),
  CONSTRAINT workflow_events_outbox_completed CHECK (status <> 'completed' OR completed_at IS NOT NULL),
  CONSTRAINT workflow_events_outbox_lease CHECK (
    (status = 'processing') = (lease_until IS NOT NULL) AND (status = 'processing') = (leased_by IS NOT NULL))
) PARTITION BY RANGE (created_at);
COMMENT ON COLUMN holdfast.workflow_events_outbox.instance_id IS
  'The instance it is for; or, when it may start one, the id that one gets, so that starting twice is starting once.';
-- What workers poll, in the order they take it.
CREATE INDEX workflow_events_outbox_due ON holdfast.workflow_events_outbox (tenant, next_retry_at, created_at)
  WHERE status IN ('pending', 'failed');
CREATE INDEX workflow_events_outbox_processing ON holdfast.workflow_events_outbox (tenant, lease_until)
  WHERE status = 'processing';
CREATE INDEX workflow_events_outbox_dead ON holdfast.workflow_events_outbox (tenant, created_at)
  WHERE status = 'dead_letter';
CREATE INDEX workflow_events_outbox_instance ON holdfast.workflow_events_outbox (tenant, instance_id);
SELECT holdfast.protect_tenant_table('holdfast.workflow_events_outbox');
CREATE TABLE holdfast.workflow_events_outbox_default PARTITION OF holdfast.workflow_events_outbox DEFAULT;
SELECT holdfast.protect_tenant_table('holdfast.workflow_events_outbox_default');

CREATE FUNCTION holdfast.restrict_status_regression() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: the status cannot go from % to %', TG_ARGV[0], OLD.status, NEW.status
    USING ERRCODE = 'HF001', HINT = TG_ARGV[1];
END
$$;
COMMENT ON FUNCTION holdfast.restrict_status_regression IS
  'Raises; the WHEN of each trigger says which moves are illegal, so that legal ones cost no call.';

CREATE TRIGGER restrict_status_regression BEFORE UPDATE ON holdfast.workflow_events_outbox FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NOT (
    (OLD.status = 'pending' AND NEW.status IN ('processing', 'completed'))
    OR (OLD.status = 'processing' AND NEW.status IN ('completed', 'failed', 'pending', 'dead_letter'))
    OR (OLD.status = 'failed' AND NEW.status IN ('processing', 'pending', 'dead_letter'))
    OR (OLD.status = 'dead_letter' AND NEW.status = 'pending'
        AND coalesce(current_setting('holdfast.admin_override', true), '') = 'on')))
  EXECUTE FUNCTION holdfast.restrict_status_regression('an outbox event', 'a completed event stays; an operator replays dead letters');

-- -------------------------------------------------------------------------------------------------------- grants

GRANT SELECT, INSERT,
  UPDATE (doc_status, entity_version, contract_version, data, content_hash, version_id, updated_at, updated_by, deleted_at)
  ON holdfast.entities TO holdfast_app;
-- Append-only.
GRANT SELECT, INSERT ON holdfast.entity_versions, holdfast.workflow_executions TO holdfast_app;
GRANT SELECT, INSERT, DELETE, UPDATE (timing, operations, condition, effect, config, priority, enabled, updated_at)
  ON holdfast.workflow_rules TO holdfast_app;
-- Delivery moves through the workers' functions only.
GRANT SELECT, INSERT ON holdfast.workflow_events_outbox TO holdfast_app;

SELECT holdfast.create_partitions(now(), 3);
