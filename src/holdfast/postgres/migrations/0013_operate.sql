-- Operate: work over many things at once, how the queues did minute by minute, and who operates the installation.
--
-- Model
--   workflow_operation       something asked for over many things: retry all that failed, try a definition on all documents
--   workflow_operation_item  what became of each of them
--   queue_minute             what each queue of a tenant did in a minute: finished, errors, how long it took
--   queue_depth              how much waited in it at that minute, where anything did
--   queue_rollup             up to which minute that is counted, for all tenants together
--   installation_token       credentials of the installation's operator, stored as SHA-256
--
-- States of an operation, enforced by the trigger guard
--
--   pending ──▶ running ──▶ completed | failed | cancelled          completed says that it came to its end, not that all went well
--      └────────────────────────────────────▲
--
-- An operation is executed by a run, in batches: what a batch did, what became of each item and where the next one begins are one
-- transaction, so that a worker that dies in between has done nothing twice. (run_id) is who executes it; no other run may.
--
-- The minutes are counted from what is finished, some time after it was: nothing that finishes something writes here.

CREATE TABLE holdfast.workflow_operation (
  tenant        uuid NOT NULL,
  id            uuid NOT NULL,
  kind          text COLLATE "C" NOT NULL CHECK (kind ~ '^[a-z][a-z0-9_.]{0,62}$'),
  input         jsonb NOT NULL CHECK (jsonb_typeof(input) = 'object'),
  status        text COLLATE "C" NOT NULL DEFAULT 'pending'
                CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  run_id        uuid NOT NULL,
  position      jsonb,
  total         bigint CHECK (total >= 0),
  succeeded     bigint NOT NULL DEFAULT 0,
  skipped       bigint NOT NULL DEFAULT 0,
  failed        bigint NOT NULL DEFAULT 0,
  result        jsonb,
  error         text,
  party         jsonb NOT NULL CHECK (party ? 'kind' AND party ? 'name'),
  created_by    text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  created_at    timestamptz NOT NULL DEFAULT now(),
  started_at    timestamptz,
  finished_at   timestamptz,
  cancelled_by  text,
  PRIMARY KEY (tenant, id),
  CONSTRAINT workflow_operation_finished CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL)),
  CONSTRAINT workflow_operation_error CHECK (status <> 'failed' OR error IS NOT NULL)
);
COMMENT ON COLUMN holdfast.workflow_operation.position IS 'Where the next batch begins, as its kind understands it.';
COMMENT ON COLUMN holdfast.workflow_operation.party IS 'Who asked for it, with the rights they had then.';

CREATE INDEX workflow_operation_finished_at ON holdfast.workflow_operation (tenant, finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE holdfast.workflow_operation_item (
  tenant        uuid NOT NULL,
  operation_id  uuid NOT NULL,
  seq           bigint NOT NULL CHECK (seq >= 1),
  item          text NOT NULL CHECK (length(item) BETWEEN 1 AND 512),
  outcome       text COLLATE "C" NOT NULL CHECK (outcome IN ('succeeded', 'skipped', 'failed')),
  code          text,
  detail        text CHECK (length(detail) <= 2000),
  PRIMARY KEY (tenant, operation_id, seq),
  FOREIGN KEY (tenant, operation_id) REFERENCES holdfast.workflow_operation (tenant, id) ON DELETE CASCADE
);

-- Those that did not go well, among many that did.
CREATE INDEX workflow_operation_item_outcome ON holdfast.workflow_operation_item (tenant, operation_id, outcome, seq);

CREATE TABLE holdfast.queue_minute (
  tenant    uuid NOT NULL,
  queue     text COLLATE "C" NOT NULL CHECK (queue IN ('runs', 'engine', 'effects', 'outbox', 'sessions')),
  minute    timestamptz NOT NULL,
  finished  integer NOT NULL CHECK (finished >= 0),
  errors    integer NOT NULL CHECK (errors >= 0),
  buckets   jsonb NOT NULL CHECK (jsonb_typeof(buckets) = 'object'),
  PRIMARY KEY (tenant, queue, minute)
);
COMMENT ON COLUMN holdfast.queue_minute.buckets IS 'How many took how long, by the number of latency_bucket.';

CREATE TABLE holdfast.queue_depth (
  tenant   uuid NOT NULL,
  queue    text COLLATE "C" NOT NULL CHECK (queue IN ('runs', 'engine', 'effects', 'outbox', 'sessions')),
  minute   timestamptz NOT NULL,
  pending  bigint NOT NULL,
  stuck    bigint NOT NULL,
  dead     bigint NOT NULL,
  oldest   double precision,
  PRIMARY KEY (tenant, queue, minute)
);

CREATE TABLE holdfast.queue_rollup (
  one        boolean PRIMARY KEY DEFAULT true CHECK (one),
  until      timestamptz NOT NULL
);

CREATE TABLE holdfast.installation_token (
  token_id      uuid PRIMARY KEY,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  hash          bytea NOT NULL UNIQUE CHECK (octet_length(hash) = 32),
  created_at    timestamptz NOT NULL DEFAULT now(),
  created_by    text NOT NULL,
  expires_at    timestamptz CHECK (expires_at > created_at),
  revoked_at    timestamptz,
  last_used_at  timestamptz
);

GRANT SELECT, INSERT,
  UPDATE (status, position, total, succeeded, skipped, failed, result, error, started_at, finished_at, cancelled_by)
  ON holdfast.workflow_operation TO holdfast_app;
GRANT SELECT, INSERT ON holdfast.workflow_operation_item TO holdfast_app;
GRANT SELECT ON holdfast.queue_minute, holdfast.queue_depth, holdfast.queue_rollup TO holdfast_app;
