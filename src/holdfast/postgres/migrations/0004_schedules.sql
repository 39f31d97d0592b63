-- Schedules: runs that are enqueued by the clock.
--
-- Model
--   workflow_schedule  one row a schedule: what to enqueue, when (cron expression and time zone), and what to do about
--                      fires that were missed. next_fire_at is the cursor: everything before it is dealt with.
--
-- Exactly one run a fire: whoever holds the row's lock enqueues the run, with the idempotency key
-- schedule:‹id›:‹fire time›, and moves next_fire_at on, in one transaction. Others skip the locked row.
--
--   waiting ──(next_fire_at passes)──▶ waiting        paused ◀──▶ waiting ──▶ ended
--
-- A schedule without next_fire_at does not fire: it is paused, it has ended, or it cannot be evaluated (last_error).

CREATE TABLE holdfast.workflow_schedule (
  tenant        uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id            uuid NOT NULL,
  name          text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  description   text NOT NULL DEFAULT '' CHECK (length(description) <= 1000),
  type          text COLLATE "C" NOT NULL CHECK (length(type) BETWEEN 1 AND 256),
  payload       jsonb NOT NULL DEFAULT '{}',
  cron          text NOT NULL CHECK (length(cron) BETWEEN 1 AND 200),
  timezone      text NOT NULL CHECK (length(timezone) BETWEEN 1 AND 64),
  priority      integer NOT NULL DEFAULT 0 CHECK (priority BETWEEN -1000 AND 1000),
  max_attempts  integer CHECK (max_attempts BETWEEN 1 AND 1000),
  missed        text NOT NULL DEFAULT 'once' CHECK (missed IN ('skip', 'once', 'all')),
  missed_limit  integer NOT NULL DEFAULT 100 CHECK (missed_limit BETWEEN 1 AND 1000),
  overlap       text NOT NULL DEFAULT 'allow' CHECK (overlap IN ('allow', 'skip')),
  starts_at     timestamptz,
  ends_at       timestamptz,
  paused_at     timestamptz,
  paused_by     text,
  next_fire_at  timestamptz,
  last_fire_at  timestamptz,
  last_run_id   uuid,
  last_error    text,
  created_by    text NOT NULL,
  -- As whom its runs act: who made or last changed it, with the rights of then; nothing for trusted code.
  party         jsonb,
  created_at    timestamptz NOT NULL DEFAULT now(),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, name),
  -- Names that begin with holdfast. are the system's own, and stay what they are.
  CONSTRAINT workflow_schedule_reserved CHECK (
    NOT starts_with(name, 'holdfast.') OR (name = 'holdfast.checkpoint-retention' AND type = 'session.retain.v1')),
  CONSTRAINT workflow_schedule_span CHECK (starts_at < ends_at),
  CONSTRAINT workflow_schedule_pause CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  CONSTRAINT workflow_schedule_at_rest CHECK (paused_at IS NULL OR next_fire_at IS NULL)
);

CREATE INDEX workflow_schedule_due ON holdfast.workflow_schedule (tenant, next_fire_at) WHERE next_fire_at IS NOT NULL;

GRANT SELECT, INSERT, DELETE ON holdfast.workflow_schedule TO holdfast_app;
GRANT UPDATE (description, type, payload, cron, timezone, priority, max_attempts, missed, missed_limit, overlap, starts_at,
              ends_at, paused_at, paused_by, next_fire_at, last_fire_at, last_run_id, last_error, updated_at,
              party)
  ON holdfast.workflow_schedule TO holdfast_app;
