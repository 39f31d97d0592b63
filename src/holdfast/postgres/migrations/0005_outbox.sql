-- The outbox: events for other systems, written in the transaction of the change they tell of, sent afterwards, in order.
--
-- Model
--   outbox_event_live  events that are pending or dead: as small as what is still to be sent
--   outbox_event_done  published events, cut by the month of publication: retention drops months
--   outbox_event       a view of both
--   outbox_lane        one row for each aggregate that has something to send: what dispatchers lease. It goes with the last event.
--   outbox_order       one row for each aggregate that has a lane: publishers of one aggregate pass here one after the other, so
--                      that the numbers of its events (seq) are in the order in which their transactions commit.
--
-- States of an event
--
--   pending ──sent──▶ published          shown as `processing` while its lane is leased
--      │ ▲               │
--      │ └───────────────┘ replay
--      └──▶ dead ──replay──▶ pending
--
-- Order. A dispatcher leases a lane, sends its events by seq, and stops at the first that fails; the next holder begins with
-- that one. Nobody else sends for the aggregate meanwhile. A claim draws lease_epoch from a sequence: whatever a holder does
-- later names it, and one that lost its lease finds no row, even if the lane has gone and come back in between.
--
-- Publishers and dispatchers never wait for each other: a publisher holds a lane with KEY SHARE, which leasing it does not
-- mind; only taking the lane away does, and that is done only when nobody is publishing to it.

CREATE SEQUENCE holdfast.outbox_event_seq;

CREATE SEQUENCE holdfast.outbox_lease_epoch;

CREATE TABLE holdfast.outbox_event_live (
  tenant          uuid NOT NULL,
  id              uuid NOT NULL,
  seq             bigint NOT NULL,
  event_type      text COLLATE "C" NOT NULL
                  CHECK (length(event_type) <= 256 AND event_type ~ '^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$'),
  aggregate_type  text COLLATE "C" NOT NULL
                  CHECK (length(aggregate_type) <= 128 AND aggregate_type ~ '^[A-Za-z0-9_.-]+$'),
  aggregate_id    text COLLATE "C" NOT NULL CHECK (length(aggregate_id) BETWEEN 1 AND 512),
  subject         text CHECK (length(subject) BETWEEN 1 AND 1024),
  payload         jsonb NOT NULL,
  status          text COLLATE "C" NOT NULL DEFAULT 'pending' CONSTRAINT outbox_event_status_check
                  CHECK (status IN ('pending', 'dead')),
  attempts        integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  last_error      text,
  delivered       text[] NOT NULL DEFAULT '{}',
  trace_parent    text CHECK (length(trace_parent) BETWEEN 1 AND 256),
  created_by      text NOT NULL,
  created_at      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

CREATE TABLE holdfast.outbox_event_done (
  tenant          uuid NOT NULL,
  id              uuid NOT NULL,
  seq             bigint NOT NULL,
  event_type      text COLLATE "C" NOT NULL,
  aggregate_type  text COLLATE "C" NOT NULL,
  aggregate_id    text COLLATE "C" NOT NULL,
  subject         text,
  payload         jsonb NOT NULL,
  attempts        integer NOT NULL,
  last_error      text,
  delivered       text[] NOT NULL,
  trace_parent    text,
  created_by      text NOT NULL,
  created_at      timestamptz NOT NULL,
  published_at    timestamptz NOT NULL,
  PRIMARY KEY (tenant, id, published_at)
) PARTITION BY RANGE (published_at);

CREATE TABLE holdfast.outbox_event_done_default PARTITION OF holdfast.outbox_event_done DEFAULT;

-- The events of one aggregate that are still to be sent, in the order in which they are.
CREATE INDEX outbox_event_pending ON holdfast.outbox_event_live (tenant, aggregate_type, aggregate_id, seq)
  WHERE status = 'pending';

CREATE INDEX outbox_event_dead ON holdfast.outbox_event_live (tenant, id) WHERE status = 'dead';

-- The history of one aggregate.
CREATE INDEX outbox_event_history ON holdfast.outbox_event_done (tenant, aggregate_type, aggregate_id, seq);

-- As for finished runs: a summary of each stretch finds the latest, and costs writing nothing.
CREATE INDEX outbox_event_done_lately ON holdfast.outbox_event_done USING brin (tenant, published_at)
  WITH (autosummarize = on);

CREATE TABLE holdfast.outbox_lane (
  tenant          uuid NOT NULL,
  aggregate_type  text COLLATE "C" NOT NULL,
  aggregate_id    text COLLATE "C" NOT NULL,
  due_at          timestamptz NOT NULL,
  attempts        integer NOT NULL DEFAULT 0,
  blocked         boolean NOT NULL DEFAULT false,
  lease_epoch     bigint NOT NULL DEFAULT 0,
  lease_until     timestamptz,
  leased_by       text,
  PRIMARY KEY (tenant, aggregate_type, aggregate_id),
  CONSTRAINT outbox_lane_lease CHECK ((lease_until IS NULL) = (leased_by IS NULL) AND NOT (blocked AND lease_until IS NOT NULL))
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000,
        autovacuum_vacuum_cost_delay = 0);

COMMENT ON COLUMN holdfast.outbox_lane.attempts IS 'how often the event that is next has been tried';

COMMENT ON COLUMN holdfast.outbox_lane.blocked IS 'a dead event stops the lane until somebody replays or skips it';

-- The lanes that may be claimed, the one that has waited longest first; those that became due together have an order too, so that a claim can begin
-- behind the last lane that was claimed.
CREATE INDEX outbox_lane_ready ON holdfast.outbox_lane (tenant, due_at, aggregate_type, aggregate_id) WHERE lease_until IS NULL AND NOT blocked;

-- What is in flight. Without lease_until, so that a heartbeat touches no index.
CREATE INDEX outbox_lane_leased ON holdfast.outbox_lane (tenant, aggregate_type, aggregate_id)
  WHERE lease_until IS NOT NULL;

CREATE INDEX outbox_lane_blocked ON holdfast.outbox_lane (tenant) WHERE blocked;

CREATE TABLE holdfast.outbox_order (
  tenant          uuid NOT NULL,
  aggregate_type  text COLLATE "C" NOT NULL,
  aggregate_id    text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, aggregate_type, aggregate_id)
) WITH (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

GRANT SELECT ON holdfast.outbox_event_live, holdfast.outbox_event_done, holdfast.outbox_lane, holdfast.outbox_order TO holdfast_app;
