-- Sessions: LangGraph graphs that talk with people, checkpointed here, executed by runs.
--
-- Model
--   workflow_definition_registry  which graphs there are; of the whole installation, managed by its administrators
--   workflow_definition_version   every revision a definition ever had; a session is pinned to one
--   workflow_sessions             one execution of a graph: input, output, state, and who executes it now
--   session_messages              what happened in it, for people; numbered 1, 2, 3 … without gaps
--   session_prompts               questions a graph asked; each is answered once
--   session_inputs                inputs and edits that wait to be taken up by the graph
--   session_outputs               objects of large outputs that were, or may have been, written elsewhere
--   workflow_session_wait         which step of a process waits for which session
--   workflow_schedule             a tenant's first session brings the schedule that forgets old checkpoints, once a day
--   holdfast_langgraph.*          LangGraph's own tables, as its library makes them; rows belong to a tenant by thread
--
-- States, enforced by the trigger guard_session
--
--   pending ──▶ running ◀──▶ waiting_for_input          completed and failed are final;
--      │           │  │              │                  a cancel is failed, with the reason
--      ▼           ▼  ▼              ▼
--    failed  completed  failed     failed
--
-- Who executes a session is (run_id, run_epoch). A worker writes itself in when it begins, under the row's lock; whatever
-- it saves later locks the row, and is refused unless it is still written there and its run is still leased at that epoch.
-- So a worker that was taken over cannot add to the history that its successor has read.
--
-- Locks are taken in the order run, then session: ending a run reaches for its session, nothing holds a session and
-- reaches for its run.

-- -------------------------------------------------------------------------------------------------- definitions

CREATE TABLE holdfast.workflow_definition_registry (
  name              text COLLATE "C" PRIMARY KEY
                    CHECK (name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' AND length(name) <= 63),
  revision          integer NOT NULL CHECK (revision >= 1),
  display_name      text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 100),
  description       text NOT NULL DEFAULT '' CHECK (length(description) <= 500),
  container_image   text CHECK (container_image ~ '^[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*:[a-zA-Z0-9._-]+$'),
  input_schema      jsonb NOT NULL CHECK (jsonb_typeof(input_schema) = 'object'),
  version           text CHECK (version ~ '^v[0-9]+\.[0-9]+\.[0-9]+$'),
  tags              text[] NOT NULL DEFAULT '{}',
  concurrent_input  text NOT NULL DEFAULT 'reject' CHECK (concurrent_input IN ('reject', 'enqueue', 'interrupt')),
  timeout_seconds   double precision CHECK (timeout_seconds > 0),
  source            text NOT NULL CHECK (source IN ('code', 'registry', 'kubernetes')),
  phase             text NOT NULL DEFAULT 'Active' CHECK (phase IN ('Active', 'Deprecated', 'Error')),
  phase_reason      text,
  registered_at     timestamptz NOT NULL DEFAULT now(),
  last_updated      timestamptz NOT NULL DEFAULT now(),
  -- Without an image, a graph is executed by workers that have it in their code.
  CONSTRAINT definition_executable CHECK (source = 'code' OR container_image IS NOT NULL)
);

CREATE TABLE holdfast.workflow_definition_version (
  name        text COLLATE "C" NOT NULL,
  revision    integer NOT NULL,
  spec        jsonb NOT NULL,
  -- Its nodes and edges, once a session of it was executed.
  graph       jsonb,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, revision)
);

-- ----------------------------------------------------------------------------------------------------- sessions

-- The row is rewritten with every message, so it is kept narrow: inputs and outputs of any size are moved out of it.
CREATE TABLE holdfast.workflow_sessions (
  tenant               uuid NOT NULL,
  -- Ordered by time, also that of a row somebody inserts by hand.
  id                   uuid NOT NULL DEFAULT holdfast.time_ordered_id(now()),
  project_name         text COLLATE "C" NOT NULL,
  session_name         text COLLATE "C" NOT NULL
                       CHECK (session_name ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$'),
  workflow_name        text COLLATE "C" NOT NULL,
  definition_revision  integer NOT NULL,
  input_data           jsonb NOT NULL,
  output_data          jsonb,
  output_reference     text,
  output_hash          text,
  output_size          bigint,
  status               text COLLATE "C" NOT NULL DEFAULT 'pending' CONSTRAINT workflow_sessions_status_check
                       CHECK (status IN ('pending', 'running', 'completed', 'failed', 'waiting_for_input')),
  created_at           timestamptz NOT NULL DEFAULT now(),
  started_at           timestamptz,
  completed_at         timestamptz,
  created_by           text NOT NULL,
  -- As whom its tools act: who started it, with the rights of then; nothing for trusted code.
  party                jsonb,
  error_message        text,
  run_id               uuid,
  run_epoch            bigint,
  max_attempts         integer NOT NULL DEFAULT 5 CHECK (max_attempts BETWEEN 1 AND 1000),
  last_sequence        integer NOT NULL DEFAULT 0,
  interrupted          boolean NOT NULL DEFAULT false,
  timeout_at           timestamptz,
  forked_from          uuid,
  forked_checkpoint    text,
  notify_type          text,
  notify_payload       jsonb,
  PRIMARY KEY (tenant, id),
  CONSTRAINT workflow_sessions_project_session_key UNIQUE (tenant, session_name),
  CONSTRAINT output_data_size_check CHECK (pg_column_size(output_data) < 104857600),
  -- An output of 100 MB or more is elsewhere.
  CONSTRAINT workflow_sessions_output CHECK (
    num_nulls(output_reference, output_hash, output_size) IN (0, 3)
    AND (output_reference IS NULL OR (status = 'completed' AND output_data IS NULL AND output_hash ~ '^[0-9a-f]{64}$'))),
  CONSTRAINT workflow_sessions_completed CHECK ((status IN ('completed', 'failed')) = (completed_at IS NOT NULL)),
  CONSTRAINT workflow_sessions_started CHECK (status IN ('pending', 'failed') OR started_at IS NOT NULL),
  CONSTRAINT workflow_sessions_error CHECK ((status = 'failed') = (error_message IS NOT NULL))
) WITH (fillfactor = 60, toast_tuple_target = 512);

CREATE INDEX workflow_sessions_workflow_name_idx ON holdfast.workflow_sessions (tenant, workflow_name, id DESC);

CREATE INDEX workflow_sessions_active_workflow_idx ON holdfast.workflow_sessions (tenant, workflow_name, status)
  WHERE status IN ('pending', 'running', 'waiting_for_input');

CREATE INDEX workflow_sessions_created_at_idx ON holdfast.workflow_sessions (tenant, created_at DESC, id DESC);

CREATE INDEX workflow_sessions_active_idx ON holdfast.workflow_sessions (tenant, status, id DESC)
  WHERE status IN ('pending', 'running', 'waiting_for_input');

CREATE INDEX workflow_sessions_project_session_idx ON holdfast.workflow_sessions (tenant, session_name);

-- The one index without tenant: GIN takes none without an extension. Rows found through it are checked for their tenant like any others
-- (see sessions_with_input); on Citus each shard has its own.
CREATE INDEX workflow_sessions_input_data_gin_idx ON holdfast.workflow_sessions USING GIN (input_data);

CREATE INDEX workflow_sessions_completed_at_idx ON holdfast.workflow_sessions (tenant, completed_at)
  WHERE completed_at IS NOT NULL;

-- ----------------------------------------------------------------------------------------------------- messages

CREATE TABLE holdfast.session_messages (
  tenant               uuid NOT NULL,
  id                   uuid NOT NULL DEFAULT gen_random_uuid(),
  workflow_session_id  uuid NOT NULL,
  message_type         text COLLATE "C" NOT NULL CHECK (message_type IN (
                         'system', 'agent', 'user', 'error', 'workflow_progress', 'workflow_waiting_for_input')),
  content              jsonb NOT NULL,
  sequence_number      integer NOT NULL CHECK (sequence_number >= 1),
  timestamp            timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, id),
  CONSTRAINT session_messages_session_sequence_key UNIQUE (tenant, workflow_session_id, sequence_number),
  -- The members of its type, each of its kind; others may be added. What is not said (NULL) is no objection, and what is
  -- sealed is not for the database to judge.
  CONSTRAINT session_messages_content CHECK (
    jsonb_typeof(content) = 'object' AND (content ? '$sealed' OR CASE message_type
      WHEN 'user' THEN content ? 'response'
      WHEN 'error' THEN coalesce(jsonb_typeof(content -> 'error'), '') = 'string'
        AND coalesce(jsonb_typeof(content -> 'stack_trace'), 'string') = 'string'
      WHEN 'workflow_progress' THEN content ?| '{step,progress,message}'
        AND coalesce(jsonb_typeof(content -> 'step'), 'string') = 'string'
        AND coalesce(jsonb_typeof(content -> 'progress'), 'number') = 'number'
        AND coalesce(jsonb_typeof(content -> 'message'), 'string') = 'string'
      WHEN 'workflow_waiting_for_input' THEN coalesce(jsonb_typeof(content -> 'prompt'), '') = 'string'
        AND coalesce(jsonb_typeof(content -> 'options'), 'array') = 'array'
      ELSE coalesce(jsonb_typeof(content -> 'message'), '') = 'string'
    END)),
  FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions (tenant, id) ON DELETE CASCADE
);

-- The unique key serves what reads in order.
CREATE INDEX session_messages_timestamp_idx ON holdfast.session_messages (tenant, workflow_session_id, timestamp);

CREATE INDEX session_messages_session_id_idx ON holdfast.session_messages (tenant, workflow_session_id, sequence_number);

CREATE INDEX session_messages_type_idx ON holdfast.session_messages (tenant, workflow_session_id, message_type);

CREATE TABLE holdfast.session_prompts (
  tenant               uuid NOT NULL,
  workflow_session_id  uuid NOT NULL,
  prompt_id            text COLLATE "C" NOT NULL CHECK (length(prompt_id) BETWEEN 1 AND 256),
  status               text COLLATE "C" NOT NULL DEFAULT 'open'
                       CHECK (status IN ('open', 'answered', 'expired', 'withdrawn')),
  content              jsonb NOT NULL,
  response_schema      jsonb,
  opened_at            timestamptz NOT NULL DEFAULT now(),
  expires_at           timestamptz,
  answer               jsonb,
  answered_by          text,
  closed_at            timestamptz,
  PRIMARY KEY (tenant, workflow_session_id, prompt_id),
  FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions (tenant, id) ON DELETE CASCADE,
  CHECK ((status = 'open') = (closed_at IS NULL)),
  CHECK ((status = 'answered') = (answered_by IS NOT NULL))
);

CREATE INDEX session_prompts_open ON holdfast.session_prompts (tenant, workflow_session_id) WHERE status = 'open';

-- `urgent` ones (an edit, or an input under the policy `interrupt`) go before those that wait for the graph's end, and a session stays
-- interrupted until the last of them is taken up: while one is left, the graph neither goes on nor asks anybody.
CREATE TABLE holdfast.session_inputs (
  tenant               uuid NOT NULL,
  workflow_session_id  uuid NOT NULL,
  id                   uuid NOT NULL,
  kind                 text COLLATE "C" NOT NULL CHECK (kind IN ('input', 'edit')),
  body                 jsonb NOT NULL,
  as_node              text,
  urgent               boolean NOT NULL DEFAULT false,
  created_by           text NOT NULL,
  created_at           timestamptz NOT NULL DEFAULT now(),
  taken_at             timestamptz,
  PRIMARY KEY (tenant, workflow_session_id, id),
  FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions (tenant, id) ON DELETE CASCADE
);

-- A row is older than its object, which is deleted by a run of type session.discard.v1 when nothing names it any more: enqueued in the
-- transaction that forgets it, with its session or when its session ends without it. The latter waits for an hour, because an attempt
-- that was taken over may still be writing.
CREATE TABLE holdfast.session_outputs (
  tenant               uuid NOT NULL,
  workflow_session_id  uuid NOT NULL,
  object               text COLLATE "C" NOT NULL CHECK (length(object) BETWEEN 1 AND 4096),
  created_at           timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, workflow_session_id, object)
);

-- ------------------------------------------------------------------------------------------ LangGraph's own tables
--
-- As langgraph-checkpoint-postgres 3.2 makes them, which is why they have no column tenant; the version table says so to
-- that library, which takes it from here when it brings newer migrations. Protected by the beginning of the thread's name.

CREATE TABLE holdfast_langgraph.checkpoint_migrations (v integer PRIMARY KEY);
INSERT INTO holdfast_langgraph.checkpoint_migrations SELECT generate_series(0, 9);
GRANT USAGE ON SCHEMA holdfast_langgraph TO holdfast_app;

CREATE TABLE holdfast_langgraph.checkpoints (
  thread_id             text NOT NULL,
  checkpoint_ns         text NOT NULL DEFAULT '',
  checkpoint_id         text NOT NULL,
  parent_checkpoint_id  text,
  type                  text,
  checkpoint            jsonb NOT NULL,
  metadata              jsonb NOT NULL DEFAULT '{}',
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id)
);

CREATE INDEX checkpoints_thread_id_idx ON holdfast_langgraph.checkpoints (thread_id);

CREATE TABLE holdfast_langgraph.checkpoint_blobs (
  thread_id      text NOT NULL,
  checkpoint_ns  text NOT NULL DEFAULT '',
  channel        text NOT NULL,
  version        text NOT NULL,
  type           text NOT NULL,
  blob           bytea,
  PRIMARY KEY (thread_id, checkpoint_ns, channel, version)
);

CREATE INDEX checkpoint_blobs_thread_id_idx ON holdfast_langgraph.checkpoint_blobs (thread_id);

CREATE TABLE holdfast_langgraph.checkpoint_writes (
  thread_id      text NOT NULL,
  checkpoint_ns  text NOT NULL DEFAULT '',
  checkpoint_id  text NOT NULL,
  task_id        text NOT NULL,
  idx            integer NOT NULL,
  channel        text NOT NULL,
  type           text,
  blob           bytea NOT NULL,
  task_path      text NOT NULL DEFAULT '',
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
);

CREATE INDEX checkpoint_writes_thread_id_idx ON holdfast_langgraph.checkpoint_writes (thread_id);

-- --------------------------------------------------------------------------------- steps of processes that wait for a session
--
-- A step starts its session and writes its row here in one transaction; when the session ends, however it ends, the trigger on it
-- tells the engine.

CREATE TABLE holdfast.workflow_session_wait (
  tenant          uuid NOT NULL,
  session_id      uuid NOT NULL,
  instance_id     uuid NOT NULL,
  token_id        text NOT NULL,
  step_key        text COLLATE "C" NOT NULL CHECK (step_key ~ '^[0-9a-f]{64}$'),
  entity_version  integer NOT NULL,
  PRIMARY KEY (tenant, session_id)
);

CREATE UNIQUE INDEX workflow_session_wait_step ON holdfast.workflow_session_wait (tenant, step_key);

CREATE INDEX workflow_session_wait_instance ON holdfast.workflow_session_wait (tenant, instance_id);

GRANT SELECT ON holdfast.workflow_definition_registry, holdfast.workflow_definition_version, holdfast.workflow_sessions,
  holdfast.session_messages, holdfast.session_prompts, holdfast.session_inputs, holdfast.session_outputs TO holdfast_app;
GRANT SELECT ON holdfast_langgraph.checkpoint_migrations TO holdfast_app;
GRANT SELECT, INSERT ON holdfast.workflow_session_wait TO holdfast_app;
