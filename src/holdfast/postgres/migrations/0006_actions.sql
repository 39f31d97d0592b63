-- Actions: the verbs that processes, programs, people and agents share.
--
-- Model
--   workflow_action_receipt  what a call with an idempotency key answered; the same call again gets the same answer
--   workflow_event_plain     of kind action: one line for every call
--
--   begun (no output yet, seen by its own transaction only) ──▶ answered (never changes)
--
-- The receipt is written before the action, in its transaction: two calls with one key queue here, and the second finds
-- what the first answered, or nothing when the first was undone.

CREATE TABLE holdfast.workflow_action_receipt (
  tenant           uuid NOT NULL,
  idempotency_key  text COLLATE "C" NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 512),
  action           text COLLATE "C" NOT NULL CHECK (length(action) BETWEEN 1 AND 256),
  fingerprint      bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  call_id          uuid NOT NULL,
  actor            text COLLATE "C" NOT NULL, -- a key belongs to who used it first
  output           jsonb,
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, idempotency_key)
);

CREATE INDEX workflow_action_receipt_age ON holdfast.workflow_action_receipt (tenant, created_at);

GRANT SELECT, INSERT, UPDATE (output) ON holdfast.workflow_action_receipt TO holdfast_app;
