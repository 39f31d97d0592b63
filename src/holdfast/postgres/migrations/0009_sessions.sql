-- Sessions: LangGraph graphs that talk with people, checkpointed here, executed by runs.
--
-- Model
--   workflow_definition_registry  which graphs there are; of the whole installation, managed by its administrators
--   workflow_definition_version   every revision a definition ever had; a session is pinned to one
--   workflow_sessions             one execution of a graph: input, output, state, and who executes it now
--   session_messages              what happened in it, for people; numbered 1, 2, 3 … without gaps
--   session_prompts               questions a graph asked; each is answered once
--   session_inputs                inputs and edits that wait to be taken up by the graph
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
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (name, revision)
);

-- Registers a definition. The same content again changes nothing; other content makes a new revision if `replace`, and is
-- answered with NULL otherwise. Revisions are never reused, not even after a definition was deleted.
CREATE FUNCTION holdfast.register_definition(
  new_name text, spec jsonb, new_source text, replace boolean, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  known holdfast.workflow_definition_registry;
  latest integer;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended('holdfast.definition.' || new_name, 0));
  SELECT * INTO known FROM holdfast.workflow_definition_registry r WHERE r.name = new_name FOR NO KEY UPDATE;
  IF FOUND THEN
    IF EXISTS (SELECT FROM holdfast.workflow_definition_version v
               WHERE v.name = new_name AND v.revision = known.revision
                 AND v.spec = register_definition.spec) AND known.source = new_source AND known.phase <> 'Error' THEN
      RETURN known.revision;
    END IF;
    IF NOT replace THEN
      RETURN NULL;
    END IF;
  END IF;
  SELECT coalesce(max(v.revision), 0) + 1 INTO latest FROM holdfast.workflow_definition_version v WHERE v.name = new_name;
  INSERT INTO holdfast.workflow_definition_version (name, revision, spec, created_at)
    VALUES (new_name, latest, register_definition.spec, at);
  INSERT INTO holdfast.workflow_definition_registry AS r
    (name, revision, display_name, description, container_image, input_schema, version, tags, concurrent_input,
     timeout_seconds, source, registered_at, last_updated)
    VALUES (new_name, latest, spec ->> 'displayName', coalesce(spec ->> 'description', ''), spec ->> 'containerImage',
            spec -> 'inputSchema', spec ->> 'version',
            ARRAY(SELECT jsonb_array_elements_text(coalesce(spec -> 'tags', '[]'))),
            coalesce(spec ->> 'concurrentInput', 'reject'), (spec ->> 'timeoutSeconds')::double precision, new_source, at, at)
    ON CONFLICT (name) DO UPDATE SET
      revision = excluded.revision, display_name = excluded.display_name, description = excluded.description,
      container_image = excluded.container_image, input_schema = excluded.input_schema, version = excluded.version,
      tags = excluded.tags, concurrent_input = excluded.concurrent_input, timeout_seconds = excluded.timeout_seconds,
      source = excluded.source, last_updated = excluded.last_updated, phase_reason = NULL,
      phase = CASE WHEN r.phase = 'Deprecated' THEN r.phase ELSE 'Active' END;
  RETURN latest;
END
$$;

CREATE FUNCTION holdfast.set_definition_phase(wanted text, new_phase text, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_definition_registry r SET phase = new_phase, phase_reason = reason, last_updated = at
    WHERE r.name = wanted;
  RETURN FOUND;
END
$$;

-- What a session needs of its definition. The lock keeps the definition from being deleted until the session is there.
CREATE FUNCTION holdfast.use_definition(wanted text)
RETURNS TABLE (name text, revision integer, phase text, container_image text, input_schema jsonb, timeout_seconds double precision)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY SELECT r.name, r.revision, r.phase, r.container_image, r.input_schema, r.timeout_seconds
    FROM holdfast.workflow_definition_registry r WHERE r.name = wanted FOR KEY SHARE;
END
$$;

-- ----------------------------------------------------------------------------------------------------- sessions

-- The row is rewritten with every message, so it is kept narrow: inputs and outputs of any size are moved out of it.
CREATE TABLE holdfast.workflow_sessions (
  tenant               uuid NOT NULL,
  id                   uuid NOT NULL,
  project_name         text COLLATE "C" NOT NULL,
  session_name         text COLLATE "C" NOT NULL
                       CHECK (session_name ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$'),
  workflow_name        text COLLATE "C" NOT NULL,
  definition_revision  integer NOT NULL,
  input_data           jsonb NOT NULL,
  output_data          jsonb,
  status               text COLLATE "C" NOT NULL DEFAULT 'pending' CONSTRAINT workflow_sessions_status_check
                       CHECK (status IN ('pending', 'running', 'completed', 'failed', 'waiting_for_input')),
  created_at           timestamptz NOT NULL DEFAULT now(),
  started_at           timestamptz,
  completed_at         timestamptz,
  created_by           text NOT NULL,
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
  CONSTRAINT workflow_sessions_completed CHECK ((status IN ('completed', 'failed')) = (completed_at IS NOT NULL)),
  CONSTRAINT workflow_sessions_started CHECK (status IN ('pending', 'failed') OR started_at IS NOT NULL),
  CONSTRAINT workflow_sessions_error CHECK ((status = 'failed') = (error_message IS NOT NULL))
) WITH (fillfactor = 60, toast_tuple_target = 512);
CREATE INDEX workflow_sessions_workflow_name_idx ON holdfast.workflow_sessions (tenant, workflow_name, id DESC);
-- There is no index into input_data: GIN cannot lead with tenant without an extension, and would look through everybody's.
CREATE INDEX workflow_sessions_active_idx ON holdfast.workflow_sessions (tenant, workflow_name, status)
  WHERE status IN ('pending', 'running', 'waiting_for_input');
CREATE INDEX workflow_sessions_created_at_idx ON holdfast.workflow_sessions (tenant, created_at DESC, id DESC);
CREATE INDEX workflow_sessions_completed_at_idx ON holdfast.workflow_sessions (tenant, completed_at)
  WHERE completed_at IS NOT NULL;
SELECT holdfast.protect_tenant_table('holdfast.workflow_sessions');

CREATE FUNCTION holdfast.thread_of(project text, session text) RETURNS text
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN 'project-' || project || ':session-' || session;
END
$$;
COMMENT ON FUNCTION holdfast.thread_of IS 'The thread of a session. Built here only: nobody can name another one.';

CREATE FUNCTION holdfast.guard_new_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NEW.status <> 'pending' THEN
    RAISE EXCEPTION 'a session begins as pending, not as %', NEW.status USING ERRCODE = 'HF001';
  END IF;
  SELECT t.slug INTO STRICT NEW.project_name FROM holdfast.tenants t WHERE t.tenant = NEW.tenant;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard_new_session BEFORE INSERT ON holdfast.workflow_sessions
  FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_session();

CREATE FUNCTION holdfast.guard_session() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT ((OLD.status = 'pending' AND NEW.status IN ('running', 'failed'))
          OR (OLD.status = 'running' AND NEW.status IN ('waiting_for_input', 'completed', 'failed'))
          OR (OLD.status = 'waiting_for_input' AND NEW.status IN ('running', 'failed'))) THEN
    RAISE EXCEPTION 'a session cannot go from % to %', OLD.status, NEW.status
      USING ERRCODE = 'HF001', HINT = 'a finished session stays as it is; start or fork a new one';
  END IF;
  IF NEW.status = 'running' THEN
    NEW.started_at := coalesce(NEW.started_at, now());
  ELSIF NEW.status IN ('completed', 'failed') THEN
    NEW.completed_at := coalesce(NEW.completed_at, now());
  END IF;
  IF NEW.status = 'failed' THEN
    NEW.error_message := coalesce(NEW.error_message, 'failed');
  END IF;
  RETURN NEW;
END
$$;
-- The condition is evaluated without calling the function, so that a new message costs nothing here.
CREATE TRIGGER guard_session BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION holdfast.guard_session();

CREATE FUNCTION holdfast.refuse_change_of_finished() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the session % is %', OLD.session_name, OLD.status
    USING ERRCODE = 'HF001', HINT = 'a finished session stays as it is; start or fork a new one';
END
$$;
CREATE TRIGGER guard_finished BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status IN ('completed', 'failed') AND OLD.status = NEW.status
        AND (OLD.completed_at, OLD.error_message, OLD.session_name, OLD.workflow_name)
            IS DISTINCT FROM (NEW.completed_at, NEW.error_message, NEW.session_name, NEW.workflow_name))
  EXECUTE FUNCTION holdfast.refuse_change_of_finished();

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
  FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions (tenant, id) ON DELETE CASCADE
);
-- The unique key serves what reads in order.
CREATE INDEX session_messages_timestamp_idx ON holdfast.session_messages (tenant, workflow_session_id, timestamp);
CREATE INDEX session_messages_type_idx ON holdfast.session_messages (tenant, workflow_session_id, message_type);
SELECT holdfast.protect_tenant_table('holdfast.session_messages');

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
SELECT holdfast.protect_tenant_table('holdfast.session_prompts');

CREATE FUNCTION holdfast.refuse_second_answer() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the prompt % is %', OLD.prompt_id, OLD.status
    USING ERRCODE = 'HF001', HINT = 'a prompt is answered once; read the session again';
END
$$;
-- A question that was withdrawn because of something else to do may be asked again.
CREATE TRIGGER answered_once BEFORE UPDATE ON holdfast.session_prompts FOR EACH ROW
  WHEN (OLD.status <> 'open' AND NOT (OLD.status = 'withdrawn' AND NEW.status = 'open')) EXECUTE FUNCTION holdfast.refuse_second_answer();

CREATE TABLE holdfast.session_inputs (
  tenant               uuid NOT NULL,
  workflow_session_id  uuid NOT NULL,
  id                   uuid NOT NULL,
  kind                 text COLLATE "C" NOT NULL CHECK (kind IN ('input', 'edit')),
  body                 jsonb NOT NULL,
  as_node              text,
  created_by           text NOT NULL,
  created_at           timestamptz NOT NULL DEFAULT now(),
  taken_at             timestamptz,
  PRIMARY KEY (tenant, workflow_session_id, id),
  FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions (tenant, id) ON DELETE CASCADE
);
SELECT holdfast.protect_tenant_table('holdfast.session_inputs');

-- ------------------------------------------------------------------------------------------ LangGraph's own tables
--
-- As langgraph-checkpoint-postgres 3.2 makes them, which is why they have no column tenant; the version table says so to
-- that library, which takes it from here when it brings newer migrations. Protected by the beginning of the thread's name.

CREATE TABLE holdfast_langgraph.checkpoint_migrations (v integer PRIMARY KEY);
INSERT INTO holdfast_langgraph.checkpoint_migrations SELECT generate_series(0, 9);

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

CREATE FUNCTION holdfast.thread_prefix() RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  -- Slugs hold no colon, so no tenant's prefix begins another's.
  RETURN (SELECT 'project-' || t.slug || ':' FROM holdfast.tenants t
          WHERE t.tenant = nullif(current_setting('holdfast.tenant', true), '')::uuid);
END
$$;
COMMENT ON FUNCTION holdfast.thread_prefix IS 'How threads of the transaction''s tenant begin; NULL without a tenant.';

-- Also called after LangGraph''s library has changed its tables, so every step is repeatable.
CREATE FUNCTION holdfast.protect_threads() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  target regclass;
BEGIN
  FOR target IN
    SELECT c.oid::regclass FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'thread_id'
    WHERE c.relnamespace = 'holdfast_langgraph'::regnamespace AND c.relkind IN ('r', 'p')
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('DROP POLICY IF EXISTS tenant_isolation ON %s', target);
    EXECUTE format('DROP POLICY IF EXISTS cross_tenant ON %s', target);
    EXECUTE format(
      'CREATE POLICY tenant_isolation ON %s USING (starts_with(thread_id, (SELECT holdfast.thread_prefix()))) '
      'WITH CHECK (starts_with(thread_id, (SELECT holdfast.thread_prefix())))', target);
    EXECUTE format('CREATE POLICY cross_tenant ON %s TO holdfast_owner USING (true) WITH CHECK (true)', target);
    EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', target);
    EXECUTE format('GRANT SELECT ON %s TO holdfast_app', target);
  END LOOP;
END
$$;
SELECT holdfast.protect_threads();

CREATE FUNCTION holdfast.drop_thread(thread text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM holdfast_langgraph.checkpoint_writes w WHERE w.thread_id = thread;
  DELETE FROM holdfast_langgraph.checkpoint_blobs b WHERE b.thread_id = thread;
  DELETE FROM holdfast_langgraph.checkpoints c WHERE c.thread_id = thread;
END
$$;

-- However a session is deleted, its thread goes with it: a name that is used again starts clean.
CREATE FUNCTION holdfast.drop_thread_of_session() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.drop_thread(holdfast.thread_of(OLD.project_name, OLD.session_name));
  RETURN OLD;
END
$$;
CREATE TRIGGER drop_thread AFTER DELETE ON holdfast.workflow_sessions
  FOR EACH ROW EXECUTE FUNCTION holdfast.drop_thread_of_session();

-- --------------------------------------------------------------------------------------------- what happens inside

-- A time-ordered id (UUID version 7) for rows that are made here instead of in Python.
CREATE FUNCTION holdfast.time_ordered_id(at timestamptz) RETURNS uuid
LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN overlay(overlay(gen_random_uuid()::text
    PLACING substr(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), 1, 8) FROM 1 FOR 8)
    PLACING substr(lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0'), 9, 4) || '-7' FROM 10 FOR 6)::uuid;
END
$$;

-- Adds messages. The lock on the session, taken here, is what keeps their numbers without gaps.
CREATE FUNCTION holdfast.add_messages(
  for_tenant uuid, session uuid, types text[], contents jsonb[], at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  last integer;
BEGIN
  UPDATE holdfast.workflow_sessions s SET last_sequence = s.last_sequence + cardinality(types)
    WHERE s.tenant = for_tenant AND s.id = session RETURNING s.last_sequence INTO last;
  INSERT INTO holdfast.session_messages
    (tenant, id, workflow_session_id, message_type, content, sequence_number, timestamp)
    SELECT for_tenant, holdfast.time_ordered_id(at), session, m.type, m.content,
           last - cardinality(types) + m.place::integer, at
    FROM unnest(types, contents) WITH ORDINALITY m (type, content, place);
  PERFORM pg_notify('holdfast_sessions', session::text);
  RETURN last;
END
$$;

-- Enqueues the run that executes a session, and makes it the session's.
CREATE FUNCTION holdfast.enqueue_session(for_tenant uuid, session uuid, actor text, at timestamptz) RETURNS uuid
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  run uuid := holdfast.time_ordered_id(at);
  workflow text;
  tries integer;
BEGIN
  UPDATE holdfast.workflow_sessions s SET run_id = run, run_epoch = NULL
    WHERE s.tenant = for_tenant AND s.id = session RETURNING s.workflow_name, s.max_attempts INTO workflow, tries;
  PERFORM holdfast.enqueue_run_for(
    for_tenant, run, 'session.execute.v1.' || workflow, jsonb_build_object('session', session)::text, 0, NULL::timestamptz,
    tries, NULL::text, actor, 'exceptions', at);
  RETURN run;
END
$$;

-- Wakes somebody up when a session or one of its prompts runs out of time.
CREATE FUNCTION holdfast.enqueue_expiry(for_tenant uuid, session uuid, due timestamptz, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.enqueue_run_for(
    for_tenant, holdfast.time_ordered_id(at), 'session.expire.v1', jsonb_build_object('session', session)::text, 0, due, 10,
    NULL::text, 'system:sessions', 'exceptions', at);
END
$$;

-- Every change of status is an event of the session; whoever asked to be told of its end is told by a run, in the same
-- transaction, whatever ended it.
CREATE FUNCTION holdfast.session_changed() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  at timestamptz := coalesce(NEW.completed_at, now());
BEGIN
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, created_at)
    VALUES (NEW.tenant, 'session', NEW.id, 'session.' || NEW.status, 'system:sessions',
            jsonb_strip_nulls(jsonb_build_object('was', OLD.status, 'error', left(NEW.error_message, 1000))), at);
  IF NEW.status IN ('completed', 'failed') THEN
    UPDATE holdfast.session_prompts p SET status = 'withdrawn', closed_at = at
      WHERE p.tenant = NEW.tenant AND p.workflow_session_id = NEW.id AND p.status = 'open';
    IF NEW.notify_type IS NOT NULL THEN
      PERFORM holdfast.enqueue_run_for(
        NEW.tenant, holdfast.time_ordered_id(at), NEW.notify_type,
        (NEW.notify_payload || jsonb_build_object(
          'session', NEW.session_name, 'session_id', NEW.id, 'status', NEW.status, 'error', NEW.error_message))::text,
        0, NULL::timestamptz, 10, NULL::text, 'system:sessions', 'exceptions', at);
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER changed AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status) EXECUTE FUNCTION holdfast.session_changed();

-- Ends a session, unless it has ended already.
CREATE FUNCTION holdfast.fail_session(for_tenant uuid, session uuid, reason text, kind text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_sessions s SET status = 'failed', error_message = reason, completed_at = at
    WHERE s.tenant = for_tenant AND s.id = session AND s.status NOT IN ('completed', 'failed');
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM holdfast.add_messages(
    for_tenant, session, ARRAY[kind],
    ARRAY[CASE WHEN kind = 'error' THEN jsonb_build_object('error', reason)
               ELSE jsonb_build_object('message', 'Session failed', 'reason', reason) END], at);
  RETURN true;
END
$$;

-- A run that ended for good takes its session with it: nobody would ever execute it again.
CREATE FUNCTION holdfast.session_run_ended() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  session uuid := (NEW.payload ->> 'session')::uuid;
BEGIN
  PERFORM FROM holdfast.workflow_sessions s
    WHERE s.tenant = NEW.tenant AND s.id = session AND s.run_id = NEW.id AND s.status IN ('pending', 'running') FOR UPDATE;
  IF FOUND THEN
    PERFORM holdfast.fail_session(
      NEW.tenant, session, coalesce(NEW.last_error, NEW.status),
      CASE WHEN NEW.status = 'cancelled' THEN 'system' ELSE 'error' END, NEW.finished_at);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER session_run_ended AFTER INSERT ON holdfast.workflow_run_done FOR EACH ROW
  WHEN (NEW.status IN ('failed', 'cancelled') AND starts_with(NEW.type, 'session.execute.v1.'))
  EXECUTE FUNCTION holdfast.session_run_ended();

-- Names of schedules that begin with holdfast. are the system's own, and stay what they are.
ALTER TABLE holdfast.workflow_schedule ADD CONSTRAINT workflow_schedule_reserved CHECK (
  NOT starts_with(name, 'holdfast.') OR (name = 'holdfast.checkpoint-retention' AND type = 'session.retain.v1'));

-- Sees to it that a tenant with sessions has the schedule that forgets old checkpoints. Tenants get different times between
-- one and five o'clock (UTC), so that they are not all due in the same minute.
CREATE FUNCTION holdfast.schedule_retention(for_tenant uuid, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  new_id uuid;
  minute integer;
  fire timestamptz;
BEGIN
  IF EXISTS (SELECT FROM holdfast.workflow_schedule s
             WHERE s.tenant = for_tenant AND s.name = 'holdfast.checkpoint-retention') THEN
    RETURN;
  END IF;
  new_id := holdfast.time_ordered_id(at);
  minute := 60 + abs(hashtextextended(for_tenant::text, 0) % 240);
  fire := (date_trunc('day', at AT TIME ZONE 'UTC') + make_interval(mins => minute)) AT TIME ZONE 'UTC';
  IF fire <= at THEN
    fire := fire + interval '24 hours';
  END IF;
  INSERT INTO holdfast.workflow_schedule
    (tenant, id, name, description, type, cron, timezone, overlap, next_fire_at, created_by, created_at, updated_at)
    VALUES (for_tenant, new_id, 'holdfast.checkpoint-retention', 'Forgets old checkpoints of sessions',
            'session.retain.v1', format('%s %s * * *', minute % 60, minute / 60), 'UTC', 'skip', fire, 'system:sessions', at, at)
    ON CONFLICT (tenant, name) DO NOTHING;
  IF FOUND THEN
    INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, data, created_at)
      VALUES (for_tenant, 'schedule', new_id, 'schedule.created', 'system:sessions',
              jsonb_build_object('name', 'holdfast.checkpoint-retention', 'type', 'session.retain.v1'), at);
  END IF;
END
$$;

-- ------------------------------------------------------------------------------------------------ tenants' functions
--
-- The application may read sessions, but change them only through these; each acts in the tenant of the transaction.

CREATE FUNCTION holdfast.start_session(
  new_id uuid, name text, workflow text, revision integer, input text, actor text, timeout interval, tries integer,
  new_notify_type text, new_notify_payload text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  INSERT INTO holdfast.workflow_sessions
    (tenant, id, project_name, session_name, workflow_name, definition_revision, input_data, created_by, created_at,
     max_attempts, timeout_at, notify_type, notify_payload)
    VALUES (own, new_id, '', name, workflow, start_session.revision, input::jsonb, actor, at, tries, at + timeout,
            new_notify_type, new_notify_payload::jsonb)
    ON CONFLICT (tenant, session_name) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  PERFORM holdfast.enqueue_session(own, new_id, actor, at);
  IF timeout IS NOT NULL THEN
    PERFORM holdfast.enqueue_expiry(own, new_id, at + timeout, at);
  END IF;
  PERFORM holdfast.schedule_retention(own, at);
  RETURN true;
END
$$;

-- Answers an open prompt, once. When it was the last one the session goes on, in the same transaction. Says what the
-- prompt was: open (and is answered now), answered, expired, withdrawn, or NULL when there is none.
CREATE FUNCTION holdfast.answer_prompt(session uuid, prompt text, value text, actor text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  was text;
  expiry timestamptz;
BEGIN
  PERFORM FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = session FOR UPDATE;
  SELECT p.status, p.expires_at INTO was, expiry FROM holdfast.session_prompts p
    WHERE p.tenant = own AND p.workflow_session_id = session AND p.prompt_id = prompt;
  IF was = 'open' AND expiry <= at THEN
    RETURN 'expired';
  END IF;
  IF was IS DISTINCT FROM 'open' THEN
    RETURN was;
  END IF;
  UPDATE holdfast.session_prompts p SET status = 'answered', answer = value::jsonb, answered_by = actor, closed_at = at
    WHERE p.tenant = own AND p.workflow_session_id = session AND p.prompt_id = prompt;
  PERFORM holdfast.add_messages(
    own, session, ARRAY['user'],
    ARRAY[jsonb_build_object('response', value::jsonb, 'prompt', prompt, 'by', actor)], at);
  IF NOT EXISTS (SELECT FROM holdfast.session_prompts p
                 WHERE p.tenant = own AND p.workflow_session_id = session AND p.status = 'open') THEN
    UPDATE holdfast.workflow_sessions s SET status = 'running' WHERE s.tenant = own AND s.id = session;
    PERFORM holdfast.enqueue_session(own, session, actor, at);
  END IF;
  RETURN 'open';
END
$$;

-- Gives a session that is not finished something to take up: another input, or an edit of its state. One that waits is
-- set going, and its open questions are withdrawn, if `now_please`; one that runs finds it at its next checkpoint.
CREATE FUNCTION holdfast.add_input(
  session uuid, new_id uuid, new_kind text, new_body text, node text, now_please boolean, actor text, at timestamptz)
RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  was text;
BEGIN
  SELECT s.status INTO was FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = session FOR UPDATE;
  IF was IS NULL OR was IN ('completed', 'failed') OR (new_kind = 'edit' AND was <> 'waiting_for_input') THEN
    RETURN was;
  END IF;
  INSERT INTO holdfast.session_inputs (tenant, workflow_session_id, id, kind, body, as_node, created_by, created_at)
    VALUES (own, session, new_id, new_kind, new_body::jsonb, node, actor, at);
  PERFORM holdfast.add_messages(
    own, session, ARRAY['user'],
    ARRAY[jsonb_build_object(CASE new_kind WHEN 'edit' THEN 'edit' ELSE 'input' END, new_body::jsonb, 'by', actor)], at);
  IF now_please THEN
    UPDATE holdfast.workflow_sessions s SET interrupted = true WHERE s.tenant = own AND s.id = session;
  END IF;
  IF now_please AND was = 'waiting_for_input' THEN
    UPDATE holdfast.session_prompts p SET status = 'withdrawn', closed_at = at
      WHERE p.tenant = own AND p.workflow_session_id = session AND p.status = 'open';
    UPDATE holdfast.workflow_sessions s SET status = 'running' WHERE s.tenant = own AND s.id = session;
    PERFORM holdfast.enqueue_session(own, session, actor, at);
  END IF;
  RETURN 'taken';
END
$$;

-- Cancels a session that waits or has not begun. One that is executed is cancelled through its run.
CREATE FUNCTION holdfast.cancel_session(session uuid, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  PERFORM FROM holdfast.workflow_sessions s
    WHERE s.tenant = own AND s.id = session AND s.status = 'waiting_for_input' FOR UPDATE;
  RETURN FOUND AND holdfast.fail_session(own, session, reason, 'system', at);
END
$$;

CREATE FUNCTION holdfast.delete_session(session uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM holdfast.workflow_sessions s
    WHERE s.tenant = holdfast.transaction_tenant() AND s.id = session AND s.status IN ('completed', 'failed');
  RETURN FOUND;
END
$$;

-- Starts a session from a checkpoint of another: the checkpoint with those before it, but without what was pending on it,
-- so that the step after it is executed anew and its questions are asked again.
CREATE FUNCTION holdfast.fork_session(
  source uuid, source_checkpoint text, new_id uuid, name text, actor text, timeout interval, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  origin holdfast.workflow_sessions;
  old_thread text;
  new_thread text;
  spaces text[];
  ids text[];
BEGIN
  -- The lock keeps the checkpoints that are copied from being forgotten, or deleted, meanwhile.
  SELECT * INTO STRICT origin FROM holdfast.workflow_sessions s WHERE s.tenant = own AND s.id = source FOR KEY SHARE;
  old_thread := holdfast.thread_of(origin.project_name, origin.session_name);
  new_thread := holdfast.thread_of(origin.project_name, name);
  PERFORM FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = old_thread AND c.checkpoint_ns = '' AND c.checkpoint_id = source_checkpoint;
  IF NOT FOUND THEN
    RETURN 'no checkpoint';
  END IF;
  INSERT INTO holdfast.workflow_sessions
    (tenant, id, project_name, session_name, workflow_name, definition_revision, input_data, created_by, created_at,
     max_attempts, timeout_at, forked_from, forked_checkpoint)
    VALUES (own, new_id, '', name, origin.workflow_name, origin.definition_revision, origin.input_data, actor, at,
            origin.max_attempts, at + timeout, source, source_checkpoint)
    ON CONFLICT (tenant, session_name) DO NOTHING;
  IF NOT FOUND THEN
    RETURN 'name taken';
  END IF;
  WITH RECURSIVE past AS (
    SELECT c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = old_thread AND c.checkpoint_ns = '' AND c.checkpoint_id = source_checkpoint
    UNION ALL
    SELECT c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id FROM past p
    JOIN holdfast_langgraph.checkpoints c
      ON c.thread_id = old_thread AND c.checkpoint_ns = '' AND c.checkpoint_id = p.parent_checkpoint_id
  ), wanted AS (
    SELECT p.checkpoint_ns AS space, p.checkpoint_id AS id FROM past p
    UNION ALL
    -- Subgraphs with a memory of their own; one that ran within a step has the step's id, after a colon, in its name.
    SELECT c.checkpoint_ns, c.checkpoint_id FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = old_thread AND c.checkpoint_ns <> '' AND strpos(c.checkpoint_ns, ':') = 0
      AND c.checkpoint_id <= source_checkpoint
  )
  SELECT array_agg(w.space), array_agg(w.id) INTO spaces, ids FROM wanted w;
  INSERT INTO holdfast_langgraph.checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
    SELECT new_thread, c.checkpoint_ns, c.checkpoint_id, c.parent_checkpoint_id, c.type, c.checkpoint, c.metadata
    FROM unnest(spaces, ids) f (space, id) JOIN holdfast_langgraph.checkpoints c
      ON c.thread_id = old_thread AND c.checkpoint_ns = f.space AND c.checkpoint_id = f.id;
  INSERT INTO holdfast_langgraph.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT new_thread, b.checkpoint_ns, b.channel, b.version, b.type, b.blob
    FROM (SELECT DISTINCT c.checkpoint_ns AS space, v.key AS channel, v.value AS version
          FROM holdfast_langgraph.checkpoints c CROSS JOIN LATERAL jsonb_each_text(c.checkpoint -> 'channel_versions') v
          WHERE c.thread_id = new_thread) used
    JOIN holdfast_langgraph.checkpoint_blobs b
      ON b.thread_id = old_thread AND b.checkpoint_ns = used.space AND b.channel = used.channel AND b.version = used.version;
  INSERT INTO holdfast_langgraph.checkpoint_writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
    SELECT new_thread, w.checkpoint_ns, w.checkpoint_id, w.task_id, w.idx, w.channel, w.type, w.blob, w.task_path
    FROM unnest(spaces, ids) f (space, id) JOIN holdfast_langgraph.checkpoint_writes w
      ON w.thread_id = old_thread AND w.checkpoint_ns = f.space AND w.checkpoint_id = f.id
    WHERE f.space <> '' OR f.id <> source_checkpoint;
  PERFORM holdfast.enqueue_session(own, new_id, actor, at);
  IF timeout IS NOT NULL THEN
    PERFORM holdfast.enqueue_expiry(own, new_id, at + timeout, at);
  END IF;
  RETURN 'forked';
END
$$;

-- ------------------------------------------------------------------------------------------------- workers' functions

-- Takes a session up: from here on it is this run's, at this epoch. `outcome` says whether it is ours to execute.
CREATE FUNCTION holdfast.begin_session(for_tenant uuid, session uuid, run uuid, epoch bigint, at timestamptz)
RETURNS TABLE (outcome text, project text, name text, workflow text, fresh boolean, interrupted boolean, input text,
               seconds_left double precision, answers text, queued text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  one holdfast.workflow_sessions;
BEGIN
  SELECT * INTO one FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = session FOR UPDATE;
  IF one.id IS NULL OR one.run_id IS DISTINCT FROM run OR one.status NOT IN ('pending', 'running') THEN
    outcome := 'over';
    RETURN NEXT;
    RETURN;
  END IF;
  PERFORM FROM holdfast.workflow_run_live r
    WHERE r.tenant = for_tenant AND r.id = run AND r.lease_epoch = epoch AND r.lease_until IS NOT NULL;
  IF NOT FOUND THEN
    outcome := 'lost';
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE holdfast.workflow_sessions s
    SET run_epoch = epoch, status = 'running', started_at = coalesce(s.started_at, at)
    WHERE s.tenant = for_tenant AND s.id = session;
  IF one.status = 'pending' THEN
    PERFORM holdfast.add_messages(
      for_tenant, session, ARRAY['system'], ARRAY[jsonb_build_object('message', 'Session started')], at);
  END IF;
  RETURN QUERY SELECT
    'ours'::text, one.project_name, one.session_name, one.workflow_name,
    one.status = 'pending' AND one.forked_from IS NULL, one.interrupted, one.input_data::text,
    extract(epoch FROM one.timeout_at - at)::double precision,
    (SELECT jsonb_object_agg(p.prompt_id, p.answer)::text FROM holdfast.session_prompts p
     WHERE p.tenant = for_tenant AND p.workflow_session_id = session AND p.status = 'answered'),
    holdfast.next_input(for_tenant, session);
END
$$;

-- The input or edit that is to be taken up next, as JSON.
CREATE FUNCTION holdfast.next_input(for_tenant uuid, session uuid) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('id', i.id, 'kind', i.kind, 'body', i.body, 'as_node', i.as_node)::text
    FROM holdfast.session_inputs i
    WHERE i.tenant = for_tenant AND i.workflow_session_id = session AND i.taken_at IS NULL ORDER BY i.id LIMIT 1);
END
$$;

-- Saves what many sessions have come to, in one statement and one commit: checkpoints with their channels' values, writes
-- pending on them, messages, and which waiting input was taken up. Each save names its session, run and epoch; one that
-- no longer holds its session is refused whole, and the answer says so. Everything is in one JSON text, but for the bytes
-- of values: those stand one after the other in `bytes`, and are named by where they begin (counted from 1) and how many
-- they are. `again` marks a second try after a lost connection: messages that arrived at the first are left out.
CREATE FUNCTION holdfast.save_sessions(saves jsonb, bytes bytea, again boolean, at timestamptz)
RETURNS TABLE (place integer, verdict text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan SET jit = off AS $$
DECLARE
  threads text[] := array_fill(NULL::text, ARRAY[jsonb_array_length(saves)]);
  lasts integer[] := array_fill(0, ARRAY[jsonb_array_length(saves)]);
  known uuid[] := '{}';
  one record;
  thread text;
  last integer;
  wanted boolean;
BEGIN
  IF again THEN
    SELECT coalesce(array_agg(m.id), '{}') INTO known
      FROM jsonb_array_elements(saves) s CROSS JOIN LATERAL jsonb_array_elements(s -> 'messages') n
      JOIN holdfast.session_messages m ON m.tenant = (s ->> 'tenant')::uuid AND m.id = (n ->> 'id')::uuid;
  END IF;
  -- In one order, so that two who save several sessions at once cannot wait for each other in a circle.
  FOR one IN
    SELECT s.place::integer, (s.it ->> 'tenant')::uuid AS tenant, (s.it ->> 'session')::uuid AS session,
           (s.it ->> 'run')::uuid AS run, (s.it ->> 'epoch')::bigint AS epoch, (s.it ->> 'input')::uuid AS input,
           CASE WHEN again THEN
             (SELECT count(*)::integer FROM jsonb_array_elements(s.it -> 'messages') n WHERE (n ->> 'id')::uuid <> ALL (known))
           ELSE jsonb_array_length(s.it -> 'messages') END AS told
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place) ORDER BY 2, 3
  LOOP
    IF one.told > 0 THEN
      UPDATE holdfast.workflow_sessions s SET last_sequence = s.last_sequence + one.told
        FROM holdfast.workflow_run_live r
        WHERE s.tenant = one.tenant AND s.id = one.session AND s.run_id = one.run AND s.run_epoch = one.epoch
          AND s.status = 'running' AND r.tenant = one.tenant AND r.id = one.run AND r.lease_epoch = one.epoch
          AND r.lease_until IS NOT NULL
        RETURNING 'project-' || s.project_name || ':session-' || s.session_name, s.last_sequence - one.told, s.interrupted
        INTO thread, last, wanted;
    ELSE
      SELECT 'project-' || s.project_name || ':session-' || s.session_name, 0, s.interrupted INTO thread, last, wanted
        FROM holdfast.workflow_sessions s JOIN holdfast.workflow_run_live r ON r.tenant = s.tenant AND r.id = s.run_id
        WHERE s.tenant = one.tenant AND s.id = one.session AND s.run_id = one.run AND s.run_epoch = one.epoch
          AND s.status = 'running' AND r.lease_epoch = one.epoch AND r.lease_until IS NOT NULL
        FOR UPDATE OF s;
    END IF;
    place := one.place;
    IF NOT FOUND THEN
      verdict := 'refused';
      RETURN NEXT;
      CONTINUE;
    END IF;
    threads[one.place] := thread;
    lasts[one.place] := last;
    IF wanted AND one.input IS NULL THEN
      verdict := 'interrupted'; -- an input came that is to be taken up at once
      RETURN NEXT;
    END IF;
    IF one.told > 0 THEN
      PERFORM pg_notify('holdfast_sessions', one.session::text);
    END IF;
    IF one.input IS NOT NULL THEN
      UPDATE holdfast.session_inputs i SET taken_at = at
        WHERE i.tenant = one.tenant AND i.workflow_session_id = one.session AND i.id = one.input;
      UPDATE holdfast.workflow_sessions s SET interrupted = false WHERE s.tenant = one.tenant AND s.id = one.session;
    END IF;
  END LOOP;
  INSERT INTO holdfast_langgraph.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    SELECT threads[s.place], b.space, b.channel, b.version, b.type, substring(bytes FROM b.first FOR b.size)
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'blobs')
      b (space text, channel text, version text, type text, first integer, size integer)
    WHERE threads[s.place] IS NOT NULL
    ON CONFLICT DO NOTHING;
  INSERT INTO holdfast_langgraph.checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, checkpoint, metadata)
    SELECT threads[s.place], c.space, c.id, c.parent, c.body, c.meta
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'checkpoints')
      c (space text, id text, parent text, body jsonb, meta jsonb)
    WHERE threads[s.place] IS NOT NULL
    ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id)
      DO UPDATE SET checkpoint = excluded.checkpoint, metadata = excluded.metadata;
  INSERT INTO holdfast_langgraph.checkpoint_writes
    (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
    SELECT threads[s.place], w.space, w.checkpoint, w.task, w.path, w.place, w.channel, w.type,
           substring(bytes FROM w.first FOR w.size)
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'writes')
      w (space text, checkpoint text, task text, path text, place integer, channel text, type text, first integer, size integer)
    WHERE threads[s.place] IS NOT NULL
    ON CONFLICT DO NOTHING;
  -- Rare: what is said of a task instead of by it, such as its last question or its error. The last word counts.
  IF saves @? '$[*].marks[*]' THEN
    INSERT INTO holdfast_langgraph.checkpoint_writes
      (thread_id, checkpoint_ns, checkpoint_id, task_id, task_path, idx, channel, type, blob)
      SELECT threads[s.place], w.space, w.checkpoint, w.task, w.path, w.place, w.channel, w.type,
             substring(bytes FROM w.first FOR w.size)
      FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
      CROSS JOIN LATERAL jsonb_to_recordset(s.it -> 'marks')
        w (space text, checkpoint text, task text, path text, place integer, channel text, type text, first integer, size integer)
      WHERE threads[s.place] IS NOT NULL
      ON CONFLICT (thread_id, checkpoint_ns, checkpoint_id, task_id, idx)
        DO UPDATE SET channel = excluded.channel, type = excluded.type, blob = excluded.blob;
  END IF;
  INSERT INTO holdfast.session_messages
    (tenant, id, workflow_session_id, message_type, content, sequence_number, timestamp)
    SELECT (s.it ->> 'tenant')::uuid, (m.it ->> 'id')::uuid, (s.it ->> 'session')::uuid, m.it ->> 'type', m.it -> 'content',
           lasts[s.place] + row_number() OVER (PARTITION BY s.place ORDER BY m.place), at
    FROM jsonb_array_elements(saves) WITH ORDINALITY s (it, place)
    CROSS JOIN LATERAL jsonb_array_elements(s.it -> 'messages') WITH ORDINALITY m (it, place)
    WHERE threads[s.place] IS NOT NULL AND (m.it ->> 'id')::uuid <> ALL (known);
END
$$;

-- Whether a session is held by a run at an epoch; locks it.
CREATE FUNCTION holdfast.holds_session(for_tenant uuid, session uuid, run uuid, epoch bigint) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM holdfast.workflow_sessions s JOIN holdfast.workflow_run_live r ON r.tenant = s.tenant AND r.id = s.run_id
    WHERE s.tenant = for_tenant AND s.id = session AND s.run_id = run AND s.run_epoch = epoch AND s.status = 'running'
      AND r.lease_epoch = epoch AND r.lease_until IS NOT NULL
    FOR UPDATE OF s;
  RETURN FOUND;
END
$$;

-- The graph asked: open its prompts, tell of them, and wait. A prompt that was asked before, by an attempt that was lost,
-- is not told again.
CREATE FUNCTION holdfast.wait_for_input(
  for_tenant uuid, session uuid, run uuid, epoch bigint, ids text[], contents text[], schemas text[], lifetimes interval[],
  at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  due timestamptz;
  told jsonb[];
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN 'lost';
  END IF;
  IF EXISTS (SELECT FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = session AND s.interrupted) THEN
    RETURN 'more';
  END IF;
  WITH opened AS (
    INSERT INTO holdfast.session_prompts AS p
      (tenant, workflow_session_id, prompt_id, content, response_schema, opened_at, expires_at)
      SELECT for_tenant, session, n.id, n.content::jsonb, n.schema::jsonb, at, at + n.lifetime
      FROM unnest(ids, contents, schemas, lifetimes) n (id, content, schema, lifetime)
      ON CONFLICT (tenant, workflow_session_id, prompt_id) DO UPDATE
        SET status = 'open', closed_at = NULL, opened_at = excluded.opened_at, expires_at = excluded.expires_at
        WHERE p.status = 'withdrawn'
      RETURNING p.prompt_id, p.content, p.response_schema, p.expires_at
  )
  SELECT min(o.expires_at), array_agg(
      jsonb_strip_nulls(jsonb_build_object('id', o.prompt_id, 'response_schema', o.response_schema,
                                           'expires_at', o.expires_at)) || o.content)
    INTO due, told FROM opened o;
  UPDATE holdfast.workflow_sessions s SET status = 'waiting_for_input' WHERE s.tenant = for_tenant AND s.id = session;
  IF told IS NOT NULL THEN
    PERFORM holdfast.add_messages(
      for_tenant, session, array_fill('workflow_waiting_for_input'::text, ARRAY[cardinality(told)]), told, at);
  END IF;
  IF due IS NOT NULL THEN
    PERFORM holdfast.enqueue_expiry(for_tenant, session, due, at);
  END IF;
  RETURN 'waiting';
END
$$;

-- The graph came to its end, or failed. With an input waiting to be taken up, it has not come to its end yet.
CREATE FUNCTION holdfast.finish_session(
  for_tenant uuid, session uuid, run uuid, epoch bigint, output text, error text, trace text, at timestamptz) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NOT holdfast.holds_session(for_tenant, session, run, epoch) THEN
    RETURN 'lost';
  END IF;
  IF error IS NULL THEN
    IF holdfast.next_input(for_tenant, session) IS NOT NULL THEN
      RETURN 'more';
    END IF;
    UPDATE holdfast.workflow_sessions s SET status = 'completed', output_data = output::jsonb, completed_at = at
      WHERE s.tenant = for_tenant AND s.id = session;
    PERFORM holdfast.add_messages(
      for_tenant, session, ARRAY['system'], ARRAY[jsonb_build_object('message', 'Session completed')], at);
    RETURN 'completed';
  END IF;
  UPDATE holdfast.workflow_sessions s SET status = 'failed', error_message = error, completed_at = at
    WHERE s.tenant = for_tenant AND s.id = session;
  PERFORM holdfast.add_messages(
    for_tenant, session, ARRAY['error'],
    ARRAY[jsonb_strip_nulls(jsonb_build_object('error', error, 'stack_trace', trace))], at);
  RETURN 'failed';
END
$$;

-- Ends a session whose time is over, or one of whose open prompts is.
CREATE FUNCTION holdfast.expire_session(for_tenant uuid, session uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one holdfast.workflow_sessions;
  late text;
BEGIN
  SELECT * INTO one FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = session;
  IF one.status IN ('pending', 'running') AND one.timeout_at <= at THEN
    PERFORM set_config('holdfast.tenant', for_tenant::text, true);
    PERFORM holdfast.cancel_run(one.run_id, 'timed out', 'system:janitor', 'nothing', at);
    IF FOUND THEN
      RETURN true;
    END IF;
  END IF;
  SELECT * INTO one FROM holdfast.workflow_sessions s
    WHERE s.tenant = for_tenant AND s.id = session AND s.status = 'waiting_for_input' FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF one.timeout_at <= at THEN
    RETURN holdfast.fail_session(for_tenant, session, 'timed out', 'error', at);
  END IF;
  WITH closed AS (
    UPDATE holdfast.session_prompts p SET status = 'expired', closed_at = at
      WHERE p.tenant = for_tenant AND p.workflow_session_id = session AND p.status = 'open' AND p.expires_at <= at
      RETURNING p.prompt_id
  )
  SELECT min(c.prompt_id) INTO late FROM closed c;
  RETURN late IS NOT NULL AND
    holdfast.fail_session(for_tenant, session, 'the prompt ' || late || ' was not answered in time', 'error', at);
END
$$;

-- How many sessions of a definition are not finished, over all tenants: one index probe each.
CREATE FUNCTION holdfast.count_active_sessions(workflow text) RETURNS bigint
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (
    SELECT coalesce(sum(n.sessions), 0) FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT count(*) AS sessions FROM holdfast.workflow_sessions s
      WHERE s.tenant = t.tenant AND s.workflow_name = workflow
        AND s.status IN ('pending', 'running', 'waiting_for_input')) n);
END
$$;

CREATE FUNCTION holdfast.delete_definition(wanted text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM holdfast.workflow_definition_registry r WHERE r.name = wanted FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF holdfast.count_active_sessions(wanted) > 0 THEN
    RAISE EXCEPTION 'Cannot delete workflow with active sessions'
      USING ERRCODE = 'HF001', HINT = 'wait for them, cancel them, or mark the definition as deprecated';
  END IF;
  DELETE FROM holdfast.workflow_definition_registry r WHERE r.name = wanted;
  RETURN true;
END
$$;

-- Sessions of image-backed definitions that have something to execute, for whoever starts containers.
CREATE FUNCTION holdfast.sessions_to_place()
RETURNS TABLE (tenant uuid, project text, session uuid, name text, workflow text, image text, run uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT s.tenant, s.project_name, s.id, s.session_name, s.workflow_name, v.spec ->> 'containerImage', s.run_id
    FROM holdfast.workflow_definition_registry d CROSS JOIN holdfast.tenants t
    JOIN holdfast.workflow_sessions s
      ON s.tenant = t.tenant AND s.workflow_name = d.name AND s.status IN ('pending', 'running')
    JOIN holdfast.workflow_definition_version v ON v.name = s.workflow_name AND v.revision = s.definition_revision
    WHERE v.spec ->> 'containerImage' IS NOT NULL
    ORDER BY s.id;
END
$$;

-- Removes the checkpoints of a thread but for the latest of each graph, and those of steps that are over. A thread whose
-- channels are kept as differences needs its past and is left alone. `before` spares what is newer.
CREATE FUNCTION holdfast.keep_latest_checkpoint(thread text, before timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  IF EXISTS (SELECT FROM holdfast_langgraph.checkpoints c
             WHERE c.thread_id = thread AND c.metadata ? 'counters_since_delta_snapshot') THEN
    RETURN 0;
  END IF;
  WITH head AS (
    SELECT c.checkpoint_ns, max(c.checkpoint_id) AS id FROM holdfast_langgraph.checkpoints c
    WHERE c.thread_id = thread GROUP BY c.checkpoint_ns
  ), deleted AS (
    DELETE FROM holdfast_langgraph.checkpoints c USING head h
    WHERE c.thread_id = thread AND c.checkpoint_ns = h.checkpoint_ns
      AND (before IS NULL OR (c.checkpoint ->> 'ts')::timestamptz < before)
      AND (c.checkpoint_id < h.id OR (
        strpos(c.checkpoint_ns, ':') > 0
        AND c.metadata -> 'parents' ->> '' < (SELECT r.id FROM head r WHERE r.checkpoint_ns = '')))
    RETURNING c.checkpoint_ns, c.checkpoint_id
  )
  SELECT count(*) INTO gone FROM deleted;
  DELETE FROM holdfast_langgraph.checkpoint_writes w
    WHERE w.thread_id = thread AND NOT EXISTS (
      SELECT FROM holdfast_langgraph.checkpoints c
      WHERE c.thread_id = thread AND c.checkpoint_ns = w.checkpoint_ns AND c.checkpoint_id = w.checkpoint_id);
  DELETE FROM holdfast_langgraph.checkpoint_blobs b
    WHERE b.thread_id = thread AND NOT EXISTS (
      SELECT FROM holdfast_langgraph.checkpoints c
      WHERE c.thread_id = thread AND c.checkpoint_ns = b.checkpoint_ns
        AND c.checkpoint -> 'channel_versions' ->> b.channel = b.version);
  UPDATE holdfast_langgraph.checkpoints c SET parent_checkpoint_id = NULL
    WHERE c.thread_id = thread AND c.parent_checkpoint_id IS NOT NULL AND NOT EXISTS (
      SELECT FROM holdfast_langgraph.checkpoints p
      WHERE p.thread_id = thread AND p.checkpoint_ns = c.checkpoint_ns AND p.checkpoint_id = c.parent_checkpoint_id);
  RETURN gone;
END
$$;

-- Prunes one session of the transaction's tenant: only what nobody executes, so that nothing is taken from under a step.
CREATE FUNCTION holdfast.prune_session(session uuid) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  thread text;
BEGIN
  SELECT holdfast.thread_of(s.project_name, s.session_name) INTO thread FROM holdfast.workflow_sessions s
    WHERE s.tenant = holdfast.transaction_tenant() AND s.id = session AND s.status NOT IN ('pending', 'running') FOR UPDATE;
  RETURN CASE WHEN thread IS NOT NULL THEN holdfast.keep_latest_checkpoint(thread, NULL) END;
END
$$;

-- Retention of one tenant, a few sessions at a time: finished ones lose their checkpoints, waiting ones all but the latest.
-- `since` is how far a round before this one came: sessions that ended earlier need not be looked at again.
CREATE FUNCTION holdfast.prune_sessions(for_tenant uuid, since timestamptz, before timestamptz, most integer)
RETURNS TABLE (finished integer, pruned integer, reached timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  one record;
BEGIN
  finished := 0;
  pruned := 0;
  reached := since;
  FOR one IN
    SELECT s.id, holdfast.thread_of(s.project_name, s.session_name) AS thread, s.completed_at
    FROM holdfast.workflow_sessions s
    WHERE s.tenant = for_tenant AND s.completed_at >= since AND s.completed_at < before
      AND EXISTS (SELECT FROM holdfast_langgraph.checkpoints c
                  WHERE c.thread_id = holdfast.thread_of(s.project_name, s.session_name))
    ORDER BY s.completed_at LIMIT most
  LOOP
    reached := one.completed_at;
    -- Somebody who forks it has it locked; the next round finds it again.
    PERFORM FROM holdfast.workflow_sessions s WHERE s.tenant = for_tenant AND s.id = one.id FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      PERFORM holdfast.drop_thread(one.thread);
      finished := finished + 1;
    END IF;
  END LOOP;
  FOR one IN
    SELECT s.id, holdfast.thread_of(s.project_name, s.session_name) AS thread
    FROM holdfast.workflow_sessions s
    WHERE s.tenant = for_tenant AND s.status = 'waiting_for_input' AND s.created_at < before
      AND EXISTS (SELECT FROM holdfast_langgraph.checkpoints c JOIN holdfast_langgraph.checkpoints newer
                    ON newer.thread_id = c.thread_id AND newer.checkpoint_ns = '' AND newer.checkpoint_id > c.checkpoint_id
                  WHERE c.thread_id = holdfast.thread_of(s.project_name, s.session_name) AND c.checkpoint_ns = ''
                    AND (c.checkpoint ->> 'ts')::timestamptz < before)
      AND NOT EXISTS (SELECT FROM holdfast_langgraph.checkpoints c
                      WHERE c.thread_id = holdfast.thread_of(s.project_name, s.session_name)
                        AND c.metadata ? 'counters_since_delta_snapshot')
    LIMIT most
  LOOP
    PERFORM FROM holdfast.workflow_sessions s
      WHERE s.tenant = for_tenant AND s.id = one.id AND s.status = 'waiting_for_input' FOR UPDATE SKIP LOCKED;
    IF FOUND THEN
      pruned := pruned + holdfast.keep_latest_checkpoint(one.thread, before);
    END IF;
  END LOOP;
  RETURN NEXT;
END
$$;

-- -------------------------------------------------------------------------------------------------------- grants

GRANT USAGE ON SCHEMA holdfast_langgraph TO holdfast_app;
GRANT SELECT ON holdfast.workflow_definition_registry, holdfast.workflow_definition_version, holdfast.workflow_sessions,
  holdfast.session_messages, holdfast.session_prompts, holdfast.session_inputs TO holdfast_app;
GRANT SELECT ON holdfast_langgraph.checkpoint_migrations TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.use_definition(text), holdfast.thread_prefix(), holdfast.thread_of(text, text),
  holdfast.start_session(uuid, text, text, integer, text, text, interval, integer, text, text, timestamptz),
  holdfast.answer_prompt(uuid, text, text, text, timestamptz),
  holdfast.add_input(uuid, uuid, text, text, text, boolean, text, timestamptz),
  holdfast.cancel_session(uuid, text, timestamptz), holdfast.delete_session(uuid),
  holdfast.fork_session(uuid, text, uuid, text, text, interval, timestamptz), holdfast.prune_session(uuid)
  TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.register_definition(text, jsonb, text, boolean, timestamptz),
  holdfast.set_definition_phase(text, text, text, timestamptz), holdfast.delete_definition(text),
  holdfast.count_active_sessions(text), holdfast.sessions_to_place(), holdfast.next_input(uuid, uuid),
  holdfast.begin_session(uuid, uuid, uuid, bigint, timestamptz),
  holdfast.save_sessions(jsonb, bytea, boolean, timestamptz),
  holdfast.wait_for_input(uuid, uuid, uuid, bigint, text[], text[], text[], interval[], timestamptz),
  holdfast.finish_session(uuid, uuid, uuid, bigint, text, text, text, timestamptz),
  holdfast.expire_session(uuid, uuid, timestamptz), holdfast.prune_sessions(uuid, timestamptz, timestamptz, integer)
  TO holdfast_worker;
