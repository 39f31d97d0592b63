-- Processes: definitions, instances, their steps, the receipts that make each step happen once, what the engine takes up, waits, triggers.
--
-- Model
--   workflow_definitions      three kinds of rows for each entity type: the vendor's skeleton (envelope), an organisation's patches
--                             (org_patch), and what they compile to (effective), which instances are pinned to
--   workflow_instances        where each process stands; a projection, rebuilt from the steps at any time
--   workflow_step_executions  what happened, step by step: the source of truth; one month a partition
--   workflow_step_receipts    which steps have been taken: one row each, never a second (WF-02, WF-16)
--   workflow_outbox_receipts  which events and effects have been written (WF-11)
--   workflow_events_outbox    the engine inbox: what processes must hear of, written with the change; one month a partition
--   workflow_inbound_events   events from outside that nobody waits for yet
--   workflow_triggers         what starts a process
--   workflow_run_wait         which step waits for which run
--   workflow_draft_editors    who edits a draft just now, in which window
--   workflow_test_cases       simulations that are kept for a type, with what must come of them
--   workflow_what_ifs         past documents replayed through a draft: what was asked, how far it is
--   workflow_what_if_groups   where ways part, and how many documents do so there
--   workflow_what_if_documents  which documents those are
--
-- States, and what else makes a row sound, are enforced by triggers (check_instance, check_step, check_inbox_event): constraints would be read and
-- planned anew by every statement
--
--   definition  draft ──▶ published ──▶ archived          (content changes in draft only; an envelope never)
--   instance    running ◀──▶ paused;  both ──▶ completed | failed | cancelled
--   step        pending ──▶ running;  both ──▶ completed | failed | skipped | cancelled
--   event       pending ◀──▶ processing ──▶ completed;  processing ──▶ failed ──▶ processing | dead_letter
--               (a dead letter goes back to pending, or is cancelled, only where holdfast.admin_override is on)
--
-- A step belongs to the month it was opened in. (tenant, created_at, id) finds it: the instance's tokens know both. An advance is two
-- calls: open_instances() takes the locks and reads, write_advance() writes whatever followed. Whatever an event of the inbox says stays
-- said (no right to change it is given); only its delivery may move.

CREATE TABLE holdfast.workflow_definitions (
  tenant                uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id                    uuid NOT NULL,
  entity_type           text COLLATE "C" NOT NULL CHECK (entity_type ~ '^[a-z][a-z0-9_]{0,63}$'),
  definition_kind       text COLLATE "C" NOT NULL CHECK (definition_kind IN ('envelope', 'org_patch', 'effective')),
  version               integer NOT NULL DEFAULT 1 CHECK (version >= 1),
  name                  text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  note                  text NOT NULL DEFAULT '' CHECK (length(note) <= 4000),
  status                text COLLATE "C" NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'published', 'archived')),
  is_default            boolean NOT NULL DEFAULT false,
  automation            boolean NOT NULL DEFAULT false,
  contract_json         jsonb,
  nodes_json            jsonb,
  edges_json            jsonb,
  slots_json            jsonb,
  base_ref              jsonb,
  body_patches_json     jsonb,
  held_back_json        jsonb,
  compiled_json         jsonb,
  compiled_hash         text COLLATE "C" CHECK (compiled_hash ~ '^[0-9a-f]{64}$'),
  compiler_version      text COLLATE "C",
  source_definition_id  uuid,
  revision              integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
  editors               text[] NOT NULL DEFAULT '{}',
  proposed_at           timestamptz,
  proposed_by           text,
  created_at            timestamptz NOT NULL DEFAULT now(),
  created_by            text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  updated_at            timestamptz NOT NULL DEFAULT now(),
  published_at          timestamptz,
  published_by          text,
  archived_at           timestamptz,
  PRIMARY KEY (tenant, id),
  -- An envelope's version is its contract's; patches and what they compile to count on their own.
  UNIQUE (tenant, entity_type, definition_kind, version),
  FOREIGN KEY (tenant, source_definition_id) REFERENCES holdfast.workflow_definitions (tenant, id),
  CONSTRAINT workflow_definitions_envelope CHECK (definition_kind <> 'envelope' OR (
    is_default AND status = 'published' AND nodes_json IS NOT NULL AND edges_json IS NOT NULL AND slots_json IS NOT NULL
    AND contract_json IS NOT NULL AND body_patches_json IS NULL AND base_ref IS NULL AND compiled_json IS NULL
    AND compiled_hash IS NULL)),
  CONSTRAINT workflow_definitions_org_patch CHECK (definition_kind <> 'org_patch' OR (
    NOT is_default AND body_patches_json IS NOT NULL AND base_ref IS NOT NULL AND nodes_json IS NULL
    AND edges_json IS NULL AND slots_json IS NULL AND compiled_json IS NULL AND compiled_hash IS NULL
    AND contract_json IS NULL)),
  -- What is not compiled is not effective: no row of this kind is a draft (WF-07).
  CONSTRAINT workflow_definitions_effective CHECK (definition_kind <> 'effective' OR (
    NOT is_default AND status <> 'draft' AND compiled_json IS NOT NULL AND compiled_hash IS NOT NULL
    AND compiler_version IS NOT NULL AND nodes_json IS NOT NULL AND edges_json IS NOT NULL AND base_ref IS NOT NULL
    AND body_patches_json IS NULL AND contract_json IS NULL)),
  CONSTRAINT workflow_definitions_published CHECK ((status = 'draft') = (published_at IS NULL)),
  CONSTRAINT workflow_definitions_proposed CHECK ((proposed_at IS NULL) = (proposed_by IS NULL)),
  -- What a rebase could not carry over is decided before anything is published: nothing is dropped silently.
  CONSTRAINT workflow_definitions_held_back CHECK (held_back_json IS NULL OR (definition_kind = 'org_patch' AND status = 'draft'))
);
COMMENT ON COLUMN holdfast.workflow_definitions.entity_type IS 'The document type, or the name of the automation.';
COMMENT ON COLUMN holdfast.workflow_definitions.contract_json IS
  'The contract an envelope was generated from; for an automation, the schemas of what starts it and of its variables.';
COMMENT ON COLUMN holdfast.workflow_definitions.revision IS 'Counts the changes of a draft, so that two editors notice each other.';
COMMENT ON COLUMN holdfast.workflow_definitions.editors IS 'Everybody who began or changed the draft.';
COMMENT ON COLUMN holdfast.workflow_definitions.proposed_by IS
  'Who asks for the draft, as it is, to be published; nobody any more once it is changed.';
COMMENT ON COLUMN holdfast.workflow_definitions.held_back_json IS
  'Patches that a rebase could not carry over, by slot, each with what is in its way; NULL when nothing is left to decide.';
COMMENT ON COLUMN holdfast.workflow_definitions.source_definition_id IS 'The org_patch that an effective row was compiled from.';

CREATE INDEX workflow_definitions_status ON holdfast.workflow_definitions (tenant, entity_type, status, definition_kind);

-- New instances follow one effective workflow; those before it are archived and stay for the instances pinned to them.
CREATE UNIQUE INDEX workflow_definitions_current ON holdfast.workflow_definitions (tenant, entity_type)
  WHERE definition_kind = 'effective' AND status = 'published';

-- ----------------------------------------------------------------------------------------------------- instances

CREATE TABLE holdfast.workflow_instances (
  tenant                  uuid NOT NULL,
  id                      uuid NOT NULL,
  definition_id           uuid NOT NULL,
  definition_version      integer NOT NULL,
  compiled_hash           text COLLATE "C" NOT NULL,
  entity_type             text COLLATE "C" NOT NULL,
  workflow_id             text COLLATE "C" GENERATED ALWAYS AS (entity_type) STORED,
  entity_id               uuid,
  entity_version          integer NOT NULL DEFAULT 1,
  subject_id              text COLLATE "C" NOT NULL DEFAULT '',
  partition_id            text COLLATE "C" NOT NULL DEFAULT '',
  status                  text COLLATE "C" NOT NULL DEFAULT 'running',
  reason                  text,
  doc_status              text COLLATE "C",
  current_nodes           text[] NOT NULL DEFAULT '{}',
  current_step            text GENERATED ALWAYS AS (current_nodes[1]) STORED,
  active_tokens           jsonb NOT NULL DEFAULT '[]',
  context_json            jsonb NOT NULL DEFAULT '{}',
  state                   jsonb NOT NULL DEFAULT '{}',
  edit_window             text COLLATE "C" NOT NULL DEFAULT 'editable',
  version                 integer NOT NULL DEFAULT 1,
  timeout_at              timestamptz,
  timer_sent_for          timestamptz,
  paused_at                 timestamptz,
  paused_by                 text,
  pause_reason             text,
  rejection               jsonb,
  amended_from_instance   uuid,
  created_by              text NOT NULL,
  party                   jsonb,
  trace_id                text,
  started_at              timestamptz NOT NULL DEFAULT now(),
  completed_at            timestamptz,
  created_at              timestamptz NOT NULL DEFAULT now(),
  updated_at              timestamptz NOT NULL DEFAULT now(),
  last_step_execution_id  uuid,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, definition_id) REFERENCES holdfast.workflow_definitions (tenant, id),
  FOREIGN KEY (tenant, entity_id) REFERENCES holdfast.entities (tenant, id)
) WITH (fillfactor = 70, toast_tuple_target = 4080); -- a projection is rewritten with every advance: compressing it, and storing it apart, costs more
COMMENT ON COLUMN holdfast.workflow_instances.timeout_at IS 'When the next timer or timeout of its open steps is due.';
COMMENT ON COLUMN holdfast.workflow_instances.state IS
  'What a position holds beside tokens and variables: splits and loops under way, unused decisions, counters.';
COMMENT ON COLUMN holdfast.workflow_instances.rejection IS
  'The latest decision against: node, by, reason, entity_version, at. Gone when a gate is passed after it.';
COMMENT ON COLUMN holdfast.workflow_instances.paused_at IS 'When an operator stopped it; a failed step pauses it without this.';
COMMENT ON COLUMN holdfast.workflow_instances.timer_sent_for IS 'The timeout_at for which the engine has been told already.';

-- One active process a document; those that are over stay for history. Automations have no document of their own.
CREATE UNIQUE INDEX workflow_instances_active ON holdfast.workflow_instances (tenant, entity_type, entity_id)
  WHERE status IN ('running', 'paused') AND entity_id IS NOT NULL;

CREATE INDEX workflow_instances_entity ON holdfast.workflow_instances (tenant, entity_type, entity_id);

CREATE INDEX workflow_instances_status ON holdfast.workflow_instances (tenant, status, id);

-- The process of a document, whatever its type.
CREATE INDEX workflow_instances_document ON holdfast.workflow_instances (tenant, entity_id, id) WHERE entity_id IS NOT NULL;

CREATE INDEX workflow_instances_definition ON holdfast.workflow_instances (tenant, definition_id, status);

CREATE INDEX workflow_instances_subject ON holdfast.workflow_instances (tenant, subject_id) WHERE subject_id <> '';

-- find_active pages by when they began, newest first; only what is alive is in here.
CREATE INDEX workflow_instances_alive ON holdfast.workflow_instances (tenant, workflow_id, started_at, id)
  WHERE status IN ('running', 'paused');

-- Newest first is by the time an instance began: an id may be the caller's own, and then says nothing about time.
CREATE INDEX workflow_instances_started ON holdfast.workflow_instances (tenant, started_at, id);

CREATE INDEX workflow_instances_expired ON holdfast.workflow_instances (tenant, timeout_at)
  WHERE status IN ('running', 'paused') AND timeout_at IS NOT NULL;

-- --------------------------------------------------------------------------------------------------------- steps

CREATE TABLE holdfast.workflow_step_executions (
  tenant                 uuid NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  id                     uuid NOT NULL,
  instance_id            uuid NOT NULL,
  node_id                text COLLATE "C" NOT NULL,
  node_type              text COLLATE "C" NOT NULL,
  token_id               text COLLATE "C" NOT NULL,
  entity_version         integer NOT NULL,
  status                 text COLLATE "C" NOT NULL DEFAULT 'pending',
  outcome                text COLLATE "C",
  run_as                 text COLLATE "C" NOT NULL DEFAULT 'actor',
  idempotency_key        text COLLATE "C" NOT NULL,
  join_key               text COLLATE "C",
  origin                 text COLLATE "C",
  opened_seq             integer NOT NULL,
  settled_seq            integer,
  waited                 text COLLATE "C",
  started_at             timestamptz,
  completed_at           timestamptz,
  duration_ms            integer,
  input_json             jsonb,
  opened_output          jsonb,
  output_json            jsonb,
  output_packed          bytea,
  output_hash            bytea,
  error                  jsonb,
  actor_user_id          text,
  acted_as               text,
  settled_by             text,
  approval_request_id    uuid,
  applied                boolean,
  snapshot_version_id    uuid,
  resume_at              timestamptz,
  waiting_for_event_key  text COLLATE "C",
  trace_id               text,
  PRIMARY KEY (tenant, created_at, id),
  FOREIGN KEY (tenant, snapshot_version_id) REFERENCES holdfast.entity_versions (tenant, id)
    DEFERRABLE INITIALLY DEFERRED
) PARTITION BY RANGE (created_at);
COMMENT ON COLUMN holdfast.workflow_step_executions.acted_as IS 'Whose rights the step used: the evidence for run_as.';
COMMENT ON COLUMN holdfast.workflow_step_executions.opened_output IS 'The output of the record that opened a step which rested.';
COMMENT ON COLUMN holdfast.workflow_step_executions.output_packed IS
  'After twelve months, in place of output_json: its text, compressed by zlib. output_hash is the SHA-256 of that text, and Postgres made it.';
COMMENT ON COLUMN holdfast.workflow_step_executions.waited IS 'The status it rested in; NULL when it passed straight through.';

CREATE INDEX workflow_step_executions_timeline ON holdfast.workflow_step_executions (tenant, instance_id, created_at);

CREATE INDEX workflow_step_executions_actor ON holdfast.workflow_step_executions (tenant, actor_user_id, status);

CREATE INDEX workflow_step_executions_node ON holdfast.workflow_step_executions (tenant, instance_id, node_id, status);

CREATE INDEX workflow_step_executions_resume ON holdfast.workflow_step_executions (tenant, resume_at)
  WHERE resume_at IS NOT NULL AND status IN ('pending', 'running');

CREATE INDEX workflow_step_executions_snapshot ON holdfast.workflow_step_executions (tenant, snapshot_version_id)
  WHERE snapshot_version_id IS NOT NULL;

CREATE INDEX workflow_step_executions_event ON holdfast.workflow_step_executions (tenant, waiting_for_event_key)
  WHERE status = 'pending' AND waiting_for_event_key IS NOT NULL;

-- Months of steps in which nothing is left to pack.
CREATE TABLE holdfast.step_month_packed (
  partition  text PRIMARY KEY,
  packed_at  timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE holdfast.workflow_step_executions_default PARTITION OF holdfast.workflow_step_executions DEFAULT;

-- ------------------------------------------------------------------------------------------------------ receipts
--
-- Not partitioned: a unique key of a partitioned table would have to contain the month, and so not be one.

CREATE TABLE holdfast.workflow_step_receipts (
  tenant             uuid NOT NULL,
  instance_id        uuid NOT NULL,
  idempotency_key    text COLLATE "C" NOT NULL CHECK (idempotency_key ~ '^[0-9a-f]{64}$'),
  step_execution_id  uuid NOT NULL,
  created_at         timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, instance_id, idempotency_key)
);

CREATE TABLE holdfast.workflow_outbox_receipts (
  tenant                 uuid NOT NULL,
  instance_id            uuid NOT NULL,
  source_table           text COLLATE "C" NOT NULL CHECK (source_table IN ('events', 'side_effects')),
  event_idempotency_key  text COLLATE "C" NOT NULL CHECK (event_idempotency_key ~ '^[0-9a-f]{64}$'),
  created_at             timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, instance_id, source_table, event_idempotency_key)
);

-- ---------------------------------------------------------------------------------------------- waits and triggers

CREATE TABLE holdfast.workflow_inbound_events (
  tenant        uuid NOT NULL,
  id            uuid NOT NULL,
  event_key     text COLLATE "C" NOT NULL CHECK (length(event_key) BETWEEN 1 AND 512),
  dedup_key     text COLLATE "C" NOT NULL CHECK (length(dedup_key) BETWEEN 1 AND 512),
  payload_json  jsonb NOT NULL DEFAULT '{}',
  actor         text NOT NULL CHECK (length(actor) BETWEEN 1 AND 300),
  trace_id      text CHECK (length(trace_id) <= 256),
  received_at   timestamptz NOT NULL DEFAULT now(),
  expires_at    timestamptz NOT NULL CHECK (expires_at > received_at),
  matched_at    timestamptz,
  instance_id   uuid,
  PRIMARY KEY (tenant, id),
  -- The same event delivered twice is one event.
  UNIQUE (tenant, event_key, dedup_key),
  CONSTRAINT workflow_inbound_events_matched CHECK (instance_id IS NULL OR matched_at IS NOT NULL)
);

CREATE INDEX workflow_inbound_events_waiting ON holdfast.workflow_inbound_events (tenant, event_key, received_at, id)
  WHERE matched_at IS NULL;

CREATE INDEX workflow_inbound_events_expiry ON holdfast.workflow_inbound_events (tenant, expires_at);

CREATE TABLE holdfast.workflow_triggers (
  tenant        uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id            uuid NOT NULL,
  name          text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  workflow_id   text COLLATE "C" NOT NULL CHECK (length(workflow_id) BETWEEN 1 AND 256),
  trigger_type  text COLLATE "C" NOT NULL CHECK (trigger_type IN
                ('on_create', 'on_lifecycle_transition', 'on_mutation', 'on_timer', 'on_event', 'manual')),
  entity_type   text COLLATE "C",
  event_key     text COLLATE "C" CHECK (length(event_key) BETWEEN 1 AND 512),
  cron          text CHECK (length(cron) BETWEEN 1 AND 256),
  config        jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(config) = 'object'),
  condition     text CHECK (length(condition) BETWEEN 1 AND 500),
  enabled       boolean NOT NULL DEFAULT true,
  next_at       timestamptz,
  last_at       timestamptz,
  created_at    timestamptz NOT NULL DEFAULT now(),
  created_by    text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  party         jsonb CHECK (party ? 'kind' AND party ? 'name'),
  updated_at    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, name),
  CONSTRAINT workflow_triggers_shape CHECK (
    CASE trigger_type
      WHEN 'on_event' THEN event_key IS NOT NULL AND cron IS NULL
      WHEN 'on_timer' THEN cron IS NOT NULL AND event_key IS NULL
      WHEN 'manual' THEN event_key IS NULL AND cron IS NULL
      ELSE entity_type IS NOT NULL AND event_key IS NULL AND cron IS NULL END)
);

CREATE INDEX workflow_triggers_entity ON holdfast.workflow_triggers (tenant, trigger_type, entity_type) WHERE enabled;

CREATE INDEX workflow_triggers_event ON holdfast.workflow_triggers (tenant, event_key)
  WHERE enabled AND trigger_type = 'on_event';

CREATE INDEX workflow_triggers_due ON holdfast.workflow_triggers (tenant, next_at)
  WHERE enabled AND trigger_type = 'on_timer';

-- ----------------------------------------------------------------------------------------------- engine inbox

CREATE TABLE holdfast.workflow_events_outbox (
  tenant                 uuid NOT NULL,
  created_at             timestamptz NOT NULL DEFAULT now(),
  id                     uuid NOT NULL,
  instance_id            uuid NOT NULL,
  entity_type            text COLLATE "C",
  entity_id              uuid,
  entity_version         integer NOT NULL,
  definition_version     integer,
  event_type             text COLLATE "C" NOT NULL,
  payload_json           jsonb NOT NULL DEFAULT '{}',
  event_idempotency_key  text COLLATE "C" NOT NULL,
  actor                  jsonb NOT NULL,
  trace_id               text,
  status                 text COLLATE "C" NOT NULL DEFAULT 'pending',
  attempts               integer NOT NULL DEFAULT 0,
  max_attempts           integer NOT NULL DEFAULT 5,
  next_retry_at          timestamptz NOT NULL DEFAULT now(),
  lease_epoch            bigint NOT NULL DEFAULT 0,
  lease_until            timestamptz,
  leased_by              text,
  completed_at           timestamptz,
  error                  text,
  needs                  text COLLATE "C",
  PRIMARY KEY (tenant, created_at, id)
) PARTITION BY RANGE (created_at);
COMMENT ON COLUMN holdfast.workflow_events_outbox.instance_id IS
  'The instance it is for; or, when it may start one, the id that one gets, so that starting twice is starting once.';
COMMENT ON COLUMN holdfast.workflow_events_outbox.needs IS
  'What a worker must know to take it: action:‹name›, rule:‹name›, resolver:‹name›, custom:‹node type›. NULL: any worker takes it.';

-- What workers poll, in the order they take it. What nobody can take must not lie in the way of what anybody can.
CREATE INDEX workflow_events_outbox_due ON holdfast.workflow_events_outbox (tenant, next_retry_at, created_at, id)
  WHERE status IN ('pending', 'failed') AND needs IS NULL;

CREATE INDEX workflow_events_outbox_needing ON holdfast.workflow_events_outbox (tenant, needs, next_retry_at, created_at, id)
  WHERE status IN ('pending', 'failed') AND needs IS NOT NULL;

CREATE INDEX workflow_events_outbox_processing ON holdfast.workflow_events_outbox (tenant, lease_until)
  WHERE status = 'processing';

CREATE INDEX workflow_events_outbox_dead ON holdfast.workflow_events_outbox (tenant, created_at)
  WHERE status = 'dead_letter';

CREATE INDEX workflow_events_outbox_instance ON holdfast.workflow_events_outbox (tenant, instance_id);

-- What was completed lately, for figures; a summary of each stretch.
CREATE INDEX workflow_events_outbox_lately ON holdfast.workflow_events_outbox USING brin (tenant, completed_at)
  WITH (autosummarize = on);

CREATE TABLE holdfast.workflow_events_outbox_default PARTITION OF holdfast.workflow_events_outbox DEFAULT;

CREATE TABLE holdfast.workflow_run_wait (
  tenant          uuid NOT NULL,
  run_id          uuid NOT NULL,
  instance_id     uuid NOT NULL,
  token_id        text NOT NULL,
  step_key        text COLLATE "C" NOT NULL CHECK (step_key ~ '^[0-9a-f]{64}$'),
  entity_version  integer NOT NULL,
  PRIMARY KEY (tenant, run_id, step_key)
);

CREATE INDEX workflow_run_wait_instance ON holdfast.workflow_run_wait (tenant, instance_id);

-- ------------------------------------------------------------------------------------------------------- designing

CREATE TABLE holdfast.workflow_draft_editors (
  tenant         uuid NOT NULL,
  definition_id  uuid NOT NULL,
  editor         text NOT NULL CHECK (length(editor) BETWEEN 1 AND 300),
  client         text COLLATE "C" NOT NULL CHECK (length(client) BETWEEN 1 AND 100),
  since          timestamptz NOT NULL DEFAULT now(),
  lease_until    timestamptz NOT NULL,
  PRIMARY KEY (tenant, definition_id),
  FOREIGN KEY (tenant, definition_id) REFERENCES holdfast.workflow_definitions (tenant, id) ON DELETE CASCADE
);
COMMENT ON COLUMN holdfast.workflow_draft_editors.client IS 'Which window or program of the editor: one person may have two open.';

CREATE TABLE holdfast.workflow_test_cases (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  entity_type  text COLLATE "C" NOT NULL CHECK (entity_type ~ '^[a-z][a-z0-9_]{0,63}$'),
  name         text COLLATE "C" NOT NULL CHECK (length(name) BETWEEN 1 AND 200 AND name !~ '/'),
  description  text NOT NULL DEFAULT '' CHECK (length(description) <= 1000),
  content      jsonb NOT NULL CHECK (jsonb_typeof(content) = 'object'),
  created_at   timestamptz NOT NULL DEFAULT now(),
  created_by   text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  updated_by   text NOT NULL CHECK (length(updated_by) BETWEEN 1 AND 300),
  PRIMARY KEY (tenant, entity_type, name)
);
COMMENT ON COLUMN holdfast.workflow_test_cases.content IS 'document, world, script, payload and expect.';

CREATE TABLE holdfast.workflow_what_ifs (
  tenant         uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id             uuid NOT NULL,
  entity_type    text COLLATE "C" NOT NULL CHECK (entity_type ~ '^[a-z][a-z0-9_]{0,63}$'),
  definition_id  uuid,
  revision       integer,
  base_version   integer NOT NULL CHECK (base_version >= 1),
  patches        jsonb NOT NULL,
  before_id      uuid NOT NULL,
  narrowed       jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(narrowed) = 'object'),
  assume         jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(assume) = 'object'),
  most           integer NOT NULL CHECK (most BETWEEN 1 AND 100000),
  status         text COLLATE "C" NOT NULL DEFAULT 'pending'
                 CHECK (status IN ('pending', 'running', 'completed', 'failed', 'cancelled')),
  run_id         uuid,
  total          integer CHECK (total >= 0),
  replayed       integer NOT NULL DEFAULT 0 CHECK (replayed >= 0),
  changed        integer NOT NULL DEFAULT 0 CHECK (changed BETWEEN 0 AND replayed),
  unplayable     integer NOT NULL DEFAULT 0 CHECK (unplayable >= 0),
  last_document  uuid,
  error          text,
  created_at     timestamptz NOT NULL DEFAULT now(),
  created_by     text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  party          jsonb NOT NULL CHECK (party ? 'kind' AND party ? 'name'),
  finished_at    timestamptz,
  PRIMARY KEY (tenant, id),
  CONSTRAINT workflow_what_ifs_finished CHECK ((status IN ('completed', 'failed', 'cancelled')) = (finished_at IS NOT NULL))
);
COMMENT ON COLUMN holdfast.workflow_what_ifs.patches IS 'The draft as it was when this was asked: what is told of it stays true.';
COMMENT ON COLUMN holdfast.workflow_what_ifs.last_document IS 'How far it is: documents are replayed from the newest to the oldest.';
COMMENT ON COLUMN holdfast.workflow_what_ifs.unplayable IS 'Documents that could not be replayed; they are in a group of their own.';

CREATE INDEX workflow_what_ifs_type ON holdfast.workflow_what_ifs (tenant, entity_type, id);

CREATE TABLE holdfast.workflow_what_if_groups (
  tenant      uuid NOT NULL,
  what_if_id  uuid NOT NULL,
  id          text COLLATE "C" NOT NULL CHECK (id ~ '^[0-9a-f]{16}$'),
  parting     jsonb NOT NULL,
  documents   integer NOT NULL CHECK (documents >= 1),
  PRIMARY KEY (tenant, what_if_id, id),
  FOREIGN KEY (tenant, what_if_id) REFERENCES holdfast.workflow_what_ifs (tenant, id) ON DELETE CASCADE
);

CREATE TABLE holdfast.workflow_what_if_documents (
  tenant       uuid NOT NULL,
  what_if_id   uuid NOT NULL,
  group_id     text COLLATE "C" NOT NULL,
  document_id  uuid NOT NULL,
  because      jsonb NOT NULL,
  PRIMARY KEY (tenant, what_if_id, group_id, document_id),
  FOREIGN KEY (tenant, what_if_id, group_id) REFERENCES holdfast.workflow_what_if_groups (tenant, what_if_id, id)
    ON DELETE CASCADE
);

GRANT SELECT, INSERT, DELETE,
  UPDATE (name, note, status, base_ref, body_patches_json, held_back_json, revision, editors, proposed_at, proposed_by, updated_at,
          published_at, published_by, archived_at)
  ON holdfast.workflow_definitions TO holdfast_app;
-- Evidence: read by the application, written by the engine's functions alone (`write_advance`, `ask_people`, `settle_requests`, `pause_instance`,
-- `migrate_instance`), and thinned out by the janitor's.
GRANT SELECT ON holdfast.workflow_instances, holdfast.workflow_step_executions, holdfast.workflow_step_receipts TO holdfast_app;

GRANT SELECT ON holdfast.workflow_outbox_receipts TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (matched_at, instance_id) ON holdfast.workflow_inbound_events TO holdfast_app;
GRANT SELECT, INSERT, DELETE,
  UPDATE (entity_type, event_key, cron, config, condition, enabled, next_at, last_at, updated_at, party)
  ON holdfast.workflow_triggers TO holdfast_app;

-- Delivery moves through the workers' functions only.
GRANT SELECT ON holdfast.workflow_events_outbox TO holdfast_app;
GRANT SELECT, INSERT ON holdfast.workflow_run_wait TO holdfast_app;
GRANT SELECT, INSERT, DELETE, UPDATE (editor, client, since, lease_until) ON holdfast.workflow_draft_editors TO holdfast_app;
GRANT SELECT, INSERT, DELETE, UPDATE (description, content, updated_at, updated_by) ON holdfast.workflow_test_cases TO holdfast_app;
GRANT SELECT, INSERT, DELETE, UPDATE (status, run_id, total, replayed, changed, unplayable, last_document, error, finished_at)
  ON holdfast.workflow_what_ifs TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (documents) ON holdfast.workflow_what_if_groups TO holdfast_app;
GRANT SELECT, INSERT ON holdfast.workflow_what_if_documents TO holdfast_app;
