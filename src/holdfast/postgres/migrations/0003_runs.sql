-- Runs: durable units of work, leased by workers, retried, fenced.
--
-- Model
--   workflow_run_live       runs that are pending or leased: stays small whatever happens
--   workflow_run_done       runs that succeeded, failed or were cancelled, cut by the month in which they finished: retention drops months
--   workflow_run            a view of both
--   workflow_run_key        idempotency keys; apart from the runs, because they are unique over both tables
--   workflow_run_step       results of the durable steps of runs
--   workflow_lane           which types each tenant ever enqueued: what a claim looks through, instead of the runs
--   workflow_pause          prefixes of types that a tenant has paused
--   workflow_awaited_event  events by key. An event happens once and stays: who waits later finds it at once
--   workflow_nudge          "look at this key again": consumed by tend_runs
--   run_worker              who is running: the types a worker handles with how often it tries each, the prefixes it takes
--   workflow_rate           when the next run of a type with a limited rate may start
--
-- States, enforced by check_run() and by which of the two tables a run is in
--
--   pending ──claim──▶ leased ──▶ succeeded | failed | cancelled
--      │ ▲               │
--      │ └───────────────┘ retry, snooze, hand-back, lease expired
--      └──▶ cancelled
--
-- A claim bumps lease_epoch and counts the attempt. Whatever the holder does later names (id, epoch): a holder that lost its lease
-- finds no row. `ready` is false for a pending run whose time has not come, that waits for an event (waiting_for; run_at is then when
-- it gives up) or for its turn under its concurrency key (blocked): such runs are not in the index that claims read.
--
-- Who changes whom: a tenant's transaction may be long, so it must neither hold a lock a worker waits for nor wait for one. What it
-- does (enqueue with a key, emit, cancel) leaves a nudge; workers read nudges after they are committed, in short transactions. A
-- worker whose run begins to wait leaves one too: whichever of event and wait is committed last, its nudge finds the other.

-- No CHECK constraints: Postgres reads those of a table anew for every statement that writes to it, which took as long as all else that
-- enqueueing or claiming one run does. A function is read once by each connection: see check_run().
CREATE TABLE holdfast.workflow_run_live (
  tenant             uuid NOT NULL,
  id                 uuid NOT NULL,
  type               text COLLATE "C" NOT NULL,
  status             text COLLATE "C" NOT NULL DEFAULT 'pending',
  priority           integer NOT NULL DEFAULT 0,
  ready              boolean NOT NULL DEFAULT true,
  blocked            boolean NOT NULL DEFAULT false,
  waiting_for        text COLLATE "C",
  idempotency_key    text,
  payload            jsonb NOT NULL,
  error              jsonb,
  last_error         text,
  attempt            integer NOT NULL DEFAULT 0,
  max_attempts       integer NOT NULL DEFAULT 3,
  run_at             timestamptz NOT NULL,
  lease_epoch        bigint NOT NULL DEFAULT 0,
  lease_until        timestamptz,
  leased_by          text,
  trace_parent       text,
  parent_id          uuid,
  concurrency_key    text COLLATE "C",
  concurrency_limit  integer,
  created_by         text NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  updated_at         timestamptz NOT NULL DEFAULT now(),
  deleted_at         timestamptz,
  delete_reason      text,
  -- As whom its handler acts, with the rights of then; nothing for trusted code, which is most of what is enqueued.
  party              jsonb,
  CONSTRAINT workflow_run_live_pkey PRIMARY KEY (tenant, id) WITH (fillfactor = 50)
) -- Every run leaves two dead rows here: vacuum must come by often, and finds little to do each time.
WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- The order in which runs are claimed, whole: a claim reads exactly the rows it takes.
CREATE INDEX workflow_run_ready ON holdfast.workflow_run_live (tenant, type, priority DESC, run_at, id)
  WITH (deduplicate_items = off) WHERE status = 'pending' AND ready AND deleted_at IS NULL;

-- Runs whose time has not come.
CREATE INDEX workflow_run_delayed ON holdfast.workflow_run_live (tenant, run_at)
  WHERE status = 'pending' AND NOT ready AND NOT blocked AND deleted_at IS NULL;

-- What is in flight: as many rows as the workers have places. Without lease_until, so that a heartbeat touches no index.
CREATE INDEX workflow_run_leased ON holdfast.workflow_run_live (tenant, id) WHERE status = 'leased';

-- Those who wait for their turn under a key, in the order in which they get it.
CREATE INDEX workflow_run_blocked ON holdfast.workflow_run_live (tenant, concurrency_key, priority DESC, run_at, id)
  WHERE blocked AND deleted_at IS NULL;

-- Those who have it: ready ones, and those that execute. A deleted run keeps its turn only as long as it executes.
CREATE INDEX workflow_run_admitted ON holdfast.workflow_run_live (tenant, concurrency_key)
  WHERE concurrency_key IS NOT NULL AND ready AND (deleted_at IS NULL OR lease_until IS NOT NULL);

CREATE INDEX workflow_run_waiting ON holdfast.workflow_run_live (tenant, waiting_for) WHERE waiting_for IS NOT NULL;

CREATE INDEX workflow_run_children ON holdfast.workflow_run_live (tenant, parent_id) WHERE parent_id IS NOT NULL;

-- Those that are deleted but not finished: retention takes them too.
CREATE INDEX workflow_run_deleted ON holdfast.workflow_run_live (tenant, deleted_at) WHERE deleted_at IS NOT NULL;

-- Finished runs come from the live table, mostly many in a statement, and have few rules.
CREATE TABLE holdfast.workflow_run_done (
  tenant             uuid NOT NULL,
  id                 uuid NOT NULL,
  type               text COLLATE "C" NOT NULL,
  status             text COLLATE "C" NOT NULL
                     CONSTRAINT workflow_run_finished CHECK (status = ANY ('{succeeded,failed,cancelled}'::text[])),
  priority           integer NOT NULL,
  idempotency_key    text,
  payload            jsonb NOT NULL,
  result             jsonb,
  error              jsonb,
  last_error         text,
  attempt            integer NOT NULL,
  max_attempts       integer NOT NULL,
  run_at             timestamptz NOT NULL,
  lease_epoch        bigint NOT NULL,
  trace_parent       text,
  parent_id          uuid,
  concurrency_key    text COLLATE "C",
  concurrency_limit  integer,
  created_by         text NOT NULL,
  created_at         timestamptz NOT NULL,
  updated_at         timestamptz NOT NULL,
  finished_at        timestamptz NOT NULL,
  deleted_at         timestamptz,
  delete_reason      text,
  party              jsonb,
  retried_as         uuid,
  PRIMARY KEY (tenant, id, finished_at)
) PARTITION BY RANGE (finished_at);
COMMENT ON COLUMN holdfast.workflow_run_done.retried_as IS
  'The run that somebody enqueued anew in its place, the latest. A failure that was taken up again counts as one no longer.';

CREATE TABLE holdfast.workflow_run_done_default PARTITION OF holdfast.workflow_run_done DEFAULT;

-- Runs lie in the order in which they finished, so a summary of each stretch finds the latest, and costs writing nothing.
CREATE INDEX workflow_run_done_lately ON holdfast.workflow_run_done USING brin (tenant, finished_at)
  WITH (autosummarize = on);

CREATE INDEX workflow_run_done_children ON holdfast.workflow_run_done (tenant, parent_id) WHERE parent_id IS NOT NULL;

-- Those somebody will look for, among many more that went well.
CREATE INDEX workflow_run_done_failed ON holdfast.workflow_run_done (tenant, id) WHERE status = 'failed';

CREATE TABLE holdfast.workflow_run_key (
  tenant           uuid NOT NULL,
  idempotency_key  text COLLATE "C" NOT NULL,
  run_id           uuid NOT NULL,
  fingerprint      bytea NOT NULL,
  PRIMARY KEY (tenant, idempotency_key)
);

CREATE INDEX workflow_run_key_run ON holdfast.workflow_run_key (tenant, run_id);

CREATE TABLE holdfast.workflow_lane (
  tenant  uuid NOT NULL,
  type    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, type)
);

CREATE TABLE holdfast.workflow_run_step (
  tenant      uuid NOT NULL,
  run_id      uuid NOT NULL,
  name        text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  result      jsonb,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, run_id, name)
);

CREATE TABLE holdfast.workflow_pause (
  tenant     uuid NOT NULL,
  prefix     text COLLATE "C" NOT NULL CHECK (length(prefix) BETWEEN 1 AND 256),
  paused_at  timestamptz NOT NULL DEFAULT now(),
  paused_by  text NOT NULL,
  PRIMARY KEY (tenant, prefix)
);

CREATE TABLE holdfast.workflow_awaited_event (
  tenant      uuid NOT NULL,
  key         text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 520),
  payload     jsonb NOT NULL,
  created_by  text NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, key)
);

CREATE INDEX workflow_awaited_event_age ON holdfast.workflow_awaited_event (tenant, created_at);

CREATE TABLE holdfast.workflow_nudge (
  tenant  uuid NOT NULL,
  id      uuid NOT NULL DEFAULT gen_random_uuid(),
  kind    text COLLATE "C" NOT NULL CHECK (kind IN ('key', 'event')),
  key     text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

-- The limit of a type for all tenants together is kept under the tenant of zeros.
CREATE TABLE holdfast.workflow_rate (
  tenant  uuid NOT NULL,
  type    text COLLATE "C" NOT NULL,
  next_at timestamptz NOT NULL,
  PRIMARY KEY (tenant, type)
);

-- Of the whole installation, not of one tenant: workers serve all of them. It is what people are told, never what a claim depends on: a
-- worker that cannot announce itself works all the same.
CREATE TABLE holdfast.run_worker (
  worker_id  uuid PRIMARY KEY,
  name       text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  types      text[] COLLATE "C" NOT NULL,
  attempts   integer[] NOT NULL CHECK (cardinality(attempts) = cardinality(types)),
  prefixes   text[] COLLATE "C" NOT NULL,
  seen_at    timestamptz NOT NULL
);

-- A place in the order of a lane's runs: where a claim ended, and the next one may begin.
CREATE TYPE holdfast.run_mark AS (priority integer, run_at timestamptz, id uuid);

GRANT SELECT ON holdfast.workflow_run_live, holdfast.workflow_run_done, holdfast.workflow_run_step, holdfast.workflow_run_key,
  holdfast.workflow_lane, holdfast.workflow_awaited_event, holdfast.workflow_nudge, holdfast.workflow_rate TO holdfast_app;
GRANT SELECT, INSERT, DELETE ON holdfast.workflow_pause TO holdfast_app;
