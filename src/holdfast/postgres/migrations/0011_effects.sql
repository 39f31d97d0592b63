-- Effects: what is sent to the outside by processes.
--
-- Model
--   workflow_side_effects_outbox  webhooks, mails, messages; one month a partition (WF-10)
--   workflow_effect_lane          which tenants ever sent one: what a claim looks through
--   workflow_secrets              what signs webhooks: ciphertext, written by the application, read by workers only, for an effect that names it
--
-- States, enforced by the trigger restrict_status_regression
--
--   pending ──▶ processing ──▶ completed
--    ▲   ▲          │  ▲
--    │   └──────────┘  └──── failed ──▶ dead_letter          all but the delivered ──▶ cancelled, with their step
--    └───────────────────────┴──────────────┘ (a dead letter, to pending or cancelled, only where holdfast.admin_override is on)

CREATE TABLE holdfast.workflow_side_effects_outbox (
  tenant                 uuid NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  id                     uuid NOT NULL,
  instance_id            uuid NOT NULL,
  step_execution_id      uuid NOT NULL,
  step_key               text COLLATE "C" NOT NULL,
  node_id                text COLLATE "C" NOT NULL,
  token_id               text COLLATE "C" NOT NULL,
  effect_type            text COLLATE "C" NOT NULL
                         CHECK (effect_type ~ '^[a-z][a-z0-9_.-]{0,62}$'), -- a channel's name, ours or an application's
  payload_json           jsonb NOT NULL DEFAULT '{}',
  event_idempotency_key  text COLLATE "C" NOT NULL CHECK (event_idempotency_key ~ '^[0-9a-f]{64}$'),
  awaited                boolean NOT NULL DEFAULT false,
  created_by             text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  trace_id               text CHECK (length(trace_id) <= 256),
  status                 text COLLATE "C" NOT NULL DEFAULT 'pending'
                         CHECK (status IN ('pending', 'processing', 'completed', 'failed', 'dead_letter', 'cancelled')),
  attempts               integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
  max_attempts           integer NOT NULL DEFAULT 5 CHECK (max_attempts BETWEEN 1 AND 50),
  next_retry_at          timestamptz NOT NULL DEFAULT now(),
  lease_epoch            bigint NOT NULL DEFAULT 0,
  lease_until            timestamptz,
  leased_by              text,
  completed_at           timestamptz,
  error                  text,
  response_json          jsonb,
  PRIMARY KEY (tenant, created_at, id),
  CONSTRAINT workflow_side_effects_outbox_completed CHECK (status <> 'completed' OR completed_at IS NOT NULL),
  CONSTRAINT workflow_side_effects_outbox_lease CHECK (
    (status = 'processing') = (lease_until IS NOT NULL) AND (status = 'processing') = (leased_by IS NOT NULL))
) PARTITION BY RANGE (created_at);
COMMENT ON COLUMN holdfast.workflow_side_effects_outbox.awaited IS 'Whether its step waits for it.';

-- By kind: mail that waits for a worker that can send it, however much, costs those that cannot nothing.
CREATE INDEX workflow_side_effects_outbox_due_kind
  ON holdfast.workflow_side_effects_outbox (tenant, effect_type, next_retry_at, created_at, id)
  WHERE status IN ('pending', 'failed');

CREATE INDEX workflow_side_effects_outbox_processing ON holdfast.workflow_side_effects_outbox (tenant, id)
  WHERE status = 'processing';

CREATE INDEX workflow_side_effects_outbox_dead ON holdfast.workflow_side_effects_outbox (tenant, created_at)
  WHERE status = 'dead_letter';

CREATE INDEX workflow_side_effects_outbox_instance ON holdfast.workflow_side_effects_outbox (tenant, instance_id);

CREATE INDEX workflow_side_effects_outbox_step ON holdfast.workflow_side_effects_outbox (tenant, step_execution_id);

-- What was completed lately, for figures; a summary of each stretch.
CREATE INDEX workflow_side_effects_outbox_lately ON holdfast.workflow_side_effects_outbox USING brin (tenant, completed_at)
  WITH (autosummarize = on);

CREATE TABLE holdfast.workflow_side_effects_outbox_default PARTITION OF holdfast.workflow_side_effects_outbox DEFAULT;

-- Delivery moves through the workers' functions only: what is written here has not begun.
GRANT SELECT,
  INSERT (tenant, created_at, id, instance_id, step_execution_id, step_key, node_id, token_id, effect_type, payload_json,
          event_idempotency_key, awaited, max_attempts, created_by, next_retry_at)
  ON holdfast.workflow_side_effects_outbox TO holdfast_app;

CREATE TABLE holdfast.workflow_secrets (
  tenant      uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  name        text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  hosts       text[] NOT NULL CHECK (cardinality(hosts) BETWEEN 1 AND 50),
  key_id      text NOT NULL,
  wrapped_key bytea NOT NULL,
  ciphertext  bytea NOT NULL,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  updated_by  text NOT NULL CHECK (length(updated_by) BETWEEN 1 AND 300),
  PRIMARY KEY (tenant, name)
);

CREATE TABLE holdfast.workflow_effect_lane (
  tenant  uuid PRIMARY KEY REFERENCES holdfast.tenants (tenant)
);

COMMENT ON COLUMN holdfast.workflow_secrets.hosts IS 'Where it may sign; authenticated with the ciphertext, as tenant and name are.';
COMMENT ON COLUMN holdfast.workflow_secrets.wrapped_key IS 'The key of this one secret, under the installation''s key of that id.';

-- Secrets are written and named, never read; what is stored is ciphertext, and its key is not in the database.
GRANT SELECT (tenant, name, hosts, key_id, updated_at, updated_by), INSERT,
  UPDATE (hosts, key_id, wrapped_key, ciphertext, updated_at, updated_by), DELETE
  ON holdfast.workflow_secrets TO holdfast_app;
GRANT SELECT, INSERT ON holdfast.workflow_effect_lane TO holdfast_app;
