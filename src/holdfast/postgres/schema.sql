-- The schema of a fresh database, dumped. Bodies of functions are in functions/, months are left out.
-- Written by `make schema`; a test keeps it true.

CREATE SCHEMA holdfast;

CREATE SCHEMA holdfast_langgraph;

CREATE TYPE holdfast.run_mark AS (
	priority integer,
	run_at timestamp with time zone,
	id uuid
);

CREATE FUNCTION holdfast.add_input(session uuid, new_id uuid, new_kind text, new_body text, node text, at_once boolean, actor text, party text, at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.add_messages(for_tenant uuid, session uuid, types text[], contents jsonb[], at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.admit_runs(tenants uuid[], keys text[], at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.announce_output(for_tenant uuid, session uuid, run uuid, epoch bigint, new_object text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.announce_worker(worker uuid, worker_name text, handled text[], tries integer[], taken text[], at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.answer_prompt(session uuid, prompt text, value text, actor text, at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.ask_people(given jsonb, actor text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.await_event(run_tenant uuid, run uuid, epoch bigint, step text, event_key text, at timestamp with time zone) RETURNS TABLE(state text, payload text, age double precision)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.begin_session(for_tenant uuid, session uuid, run uuid, epoch bigint, at timestamp with time zone) RETURNS TABLE(outcome text, project text, name text, workflow text, fresh boolean, interrupted boolean, input text, seconds_left double precision, answers text, queued text, party jsonb, revision integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.behalf_of(party jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE;

CREATE FUNCTION holdfast.broken_rule(row_of text, rule text) RETURNS void
    LANGUAGE plpgsql;

CREATE TABLE holdfast.approval_requests (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'open'::text NOT NULL COLLATE pg_catalog."C",
    instance_id uuid NOT NULL,
    step_id uuid NOT NULL,
    step_key text NOT NULL COLLATE pg_catalog."C",
    node_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    entity_type text NOT NULL COLLATE pg_catalog."C",
    entity_id uuid,
    entity_version integer NOT NULL,
    content_hash text COLLATE pg_catalog."C",
    compiled_hash text NOT NULL COLLATE pg_catalog."C",
    snapshot_version_id uuid,
    title text NOT NULL,
    instructions text,
    requester text COLLATE pg_catalog."C",
    makers text[] DEFAULT '{}'::text[] NOT NULL COLLATE pg_catalog."C",
    four_eyes boolean DEFAULT true NOT NULL,
    branches jsonb,
    in_parallel boolean DEFAULT false NOT NULL,
    may_delegate boolean DEFAULT true NOT NULL,
    required text DEFAULT 'any'::text NOT NULL,
    outcomes text[] NOT NULL,
    passes text COLLATE pg_catalog."C",
    form jsonb,
    chain text COLLATE pg_catalog."C",
    stage integer DEFAULT 1 NOT NULL,
    stages jsonb,
    claimed_by text COLLATE pg_catalog."C",
    due_at timestamp with time zone,
    remind_every interval,
    tend_at timestamp with time zone,
    escalate_at timestamp with time zone,
    escalate_to jsonb,
    outcome text COLLATE pg_catalog."C",
    reason text,
    changed_fields text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    closed_at timestamp with time zone
);

ALTER TABLE ONLY holdfast.approval_requests FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.approval_requests.makers IS 'Everybody who created or edited the document up to this version, or chose a transition of it: none of them decides, under four eyes.';

COMMENT ON COLUMN holdfast.approval_requests.branches IS 'The splits its step lies in, each with its branch; NULL outside of any. Of those in different branches of one split a person decides on one.';

COMMENT ON COLUMN holdfast.approval_requests.in_parallel IS 'Whether who decides beside it may decide on it too, if that one agrees.';

CREATE FUNCTION holdfast.can_answer(r holdfast.approval_requests) RETURNS boolean
    LANGUAGE sql STABLE;

CREATE FUNCTION holdfast.cancel_run(wanted uuid, reason text, actor text, publishes text, at timestamp with time zone) RETURNS TABLE(id uuid, was text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.cancel_session(session uuid, reason text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.chain_event() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.check_assignee() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.check_event_time() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.check_inbox_event() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.check_instance() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.check_request() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.check_run() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.check_step() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.check_waiting() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.checkpoint_time(checkpoint jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.claim_anchor(to_place text, every interval, at timestamp with time zone, OUT due boolean, OUT before timestamp with time zone) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.claim_effects(worker text, kinds text[], slots integer, quota integer, full_tenants uuid[], lease interval, at timestamp with time zone, marks jsonb DEFAULT NULL::jsonb) RETURNS TABLE(tenant uuid, id uuid, created_at timestamp with time zone, lease_epoch bigint, effect_type text, payload text, event_idempotency_key text, attempts integer, max_attempts integer, instance_id uuid, step_key text, node_id text, token_id text, awaited boolean, trace_id text, response_json jsonb, lane text, due timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.claim_events(worker text, share integer, lease interval, at timestamp with time zone, known text[], marks jsonb DEFAULT NULL::jsonb) RETURNS TABLE(tenant uuid, id uuid, created_at timestamp with time zone, epoch bigint, instance_id uuid, entity_type text, entity_id uuid, entity_version integer, definition_version integer, event_type text, payload text, actor text, trace_id text, attempts integer, max_attempts integer, lane text, due timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.claim_lane(worker text, lane_tenant uuid, lane_type text, quota integer, lease interval, by_age boolean, at timestamp with time zone, mark holdfast.run_mark DEFAULT NULL::holdfast.run_mark, thorough boolean DEFAULT true) RETURNS TABLE(id uuid, lease_epoch bigint, attempt integer, max_attempts integer, payload text, trace_parent text, concurrency_key text, address tid, next_mark text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.claim_outbox(dispatcher text, slots integer, per_lane integer, lease interval, after_tenant uuid, at timestamp with time zone, marks jsonb DEFAULT NULL::jsonb) RETURNS TABLE(tenant uuid, slug text, aggregate_type text, aggregate_id text, lease_epoch bigint, attempts integer, id uuid, seq bigint, event_type text, subject text, payload text, trace_parent text, delivered text[], created_at timestamp with time zone, due timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.claim_runs(worker text, tenants uuid[], types text[], quotas integer[], leases interval[], by_age boolean, event_level text, at timestamp with time zone, threaded boolean[] DEFAULT '{}'::boolean[], marks holdfast.run_mark[] DEFAULT '{}'::holdfast.run_mark[], thorough boolean[] DEFAULT '{}'::boolean[]) RETURNS TABLE(tenant uuid, id uuid, type text, lease_epoch bigint, attempt integer, max_attempts integer, payload text, trace_parent text, concurrency_key text, address tid, next_mark text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.clear_inboxes() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.close_calls(given jsonb, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.close_requests(closing jsonb, actor text, at timestamp with time zone) RETURNS SETOF uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.count_active_sessions(workflow text) RETURNS bigint
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.create_partitions(at timestamp with time zone, months_ahead integer) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10s';

CREATE FUNCTION holdfast.create_tenant(new_tenant uuid, new_slug text, new_name text, created_by text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.data_charge(own uuid, in_namespace text, more_keys integer, more_bytes bigint, actor text, at timestamp with time zone, OUT refused text, OUT notice text) RETURNS record
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.data_configure(own uuid, in_namespace text, new_id uuid, new_schema text, keys_at_most bigint, bytes_at_most bigint, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.data_delete(own uuid, in_namespace text, in_keys text[], expected bigint, actor text, origin jsonb, step text, at timestamp with time zone) RETURNS TABLE(status text, deleted_key text, revision bigint)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.data_fits(number numeric) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    RETURN ((octet_length(translate((trim_scale(abs(number)))::text, '.'::text, ''::text)) - ((abs(number) < (1)::numeric))::integer) <= 1000);

CREATE FUNCTION holdfast.data_get(own uuid, in_namespace text, in_key text, at timestamp with time zone) RETURNS TABLE(key text, value text, value_type text, revision bigint, expires_at timestamp with time zone, created_by_run_id uuid, created_at timestamp with time zone, updated_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.data_increment(own uuid, in_namespace text, in_key text, new_id uuid, by numeric, initial numeric, lives interval, checked bigint, allowed numeric, actor text, origin jsonb, step text, at timestamp with time zone, OUT status text, OUT new_revision bigint, OUT new_value text, OUT created boolean, OUT known_revision bigint, OUT note text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.data_list(own uuid, in_namespace text, low text, high text, past text, at_most integer, at timestamp with time zone) RETURNS TABLE(key text, value text, value_type text, revision bigint, expires_at timestamp with time zone, created_by_run_id uuid, created_at timestamp with time zone, updated_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.data_recount(own uuid, in_namespace text) RETURNS void
    LANGUAGE plpgsql;

CREATE TABLE holdfast.workflow_data_namespace (
    tenant uuid NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    namespace_id uuid NOT NULL,
    json_schema jsonb,
    schema_version bigint DEFAULT 0 NOT NULL,
    max_keys bigint,
    max_bytes bigint,
    keys bigint DEFAULT 0 NOT NULL,
    bytes bigint DEFAULT 0 NOT NULL,
    warned_at timestamp with time zone,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_data_namespace_max_bytes_check CHECK ((max_bytes > 0)),
    CONSTRAINT workflow_data_namespace_max_keys_check CHECK ((max_keys > 0)),
    CONSTRAINT workflow_data_namespace_namespace_check CHECK (((length(namespace) >= 1) AND (length(namespace) <= 256)))
)
WITH (fillfactor='50');

ALTER TABLE ONLY holdfast.workflow_data_namespace FORCE ROW LEVEL SECURITY;

CREATE FUNCTION holdfast.data_rule(own uuid, in_namespace text, more_bytes integer, actor text, at timestamp with time zone) RETURNS holdfast.workflow_data_namespace
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.data_set(own uuid, in_namespace text, in_key text, new_id uuid, new_value text, new_type text, lives interval, expected bigint, checked bigint, actor text, origin jsonb, step text, at timestamp with time zone, OUT status text, OUT new_revision bigint, OUT created boolean, OUT known_revision bigint, OUT note text) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.data_set_many(own uuid, in_namespace text, in_keys text[], new_ids uuid[], new_values text[], new_types text[], lives interval[], expected bigint[], checked bigint, actor text, origin jsonb, step text, at timestamp with time zone) RETURNS TABLE(set_key text, status text, new_revision bigint, created boolean, known_revision bigint, note text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.data_sweep(own uuid, most integer, actor text, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.data_sweep_tenant(own uuid, in_namespace text, most integer, actor text, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.data_tell(own uuid, in_namespace text, in_key text, what text, at_revision bigint, object uuid, facts jsonb, actor text, origin jsonb, step text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.data_tidy(most integer, recount boolean, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.data_wake(own uuid, in_namespace text) RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.delete_definition(wanted text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.delete_run(wanted uuid, reason text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.delete_session(session uuid) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.discard_outputs(for_tenant uuid, session uuid, kept text, due timestamp with time zone, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.documents_not_to_start(ids uuid[]) RETURNS SETOF uuid
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.draw_definition(of_name text, of_revision integer, drawing jsonb) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_awaited_events(before timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_expired_events(before timestamp with time zone, at_most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_finished_runs(before timestamp with time zone, at timestamp with time zone) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_minutes(before timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_operations(before timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_partitions(of_branch text, before timestamp with time zone, at timestamp with time zone DEFAULT now()) RETURNS SETOF text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '10s';

CREATE FUNCTION holdfast.drop_receipts(before timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_thread(thread text) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.drop_thread_of_session() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.due_schedules(at timestamp with time zone) RETURNS TABLE(tenant uuid, slug text, name text, due timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.due_triggers(at timestamp with time zone) RETURNS TABLE(tenant uuid, id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.emit_event(event_key text, new_payload text, actor text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.end_requests(own uuid, ending jsonb, at timestamp with time zone) RETURNS SETOF holdfast.approval_requests
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.ended_tokens(tenants uuid[], tokens uuid[], at timestamp with time zone) RETURNS SETOF uuid
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.enqueue_effects(ids uuid[], instances uuid[], steps uuid[], step_keys text[], nodes text[], tokens text[], kinds text[], payloads text[], keys text[], awaited boolean[], max_attempts integer[], traces text[], actor text, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION holdfast.enqueue_expiry(for_tenant uuid, session uuid, due timestamp with time zone, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.enqueue_run_for(for_tenant uuid, new_id uuid, new_type text, new_payload text, new_priority integer, new_run_at timestamp with time zone, tries integer, trace text, actor text, event_level text, at timestamp with time zone, party jsonb DEFAULT NULL::jsonb) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.enqueue_runs(new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], actor text, party text, event_level text, at timestamp with time zone) RETURNS TABLE(place bigint, run_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.enqueue_runs_for(for_tenant uuid, new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], actor text, event_level text, at timestamp with time zone) RETURNS TABLE(place bigint, run_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.enqueue_session(for_tenant uuid, session uuid, actor text, at timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.enter_tenant(wanted uuid) RETURNS uuid
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.expire_session(for_tenant uuid, session uuid, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.fail_session(for_tenant uuid, session uuid, reason text, kind text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.find_people(users text[], managed text[], picked text[], asked text[], instances uuid[], except_for text[], at timestamp with time zone) RETURNS TABLE(kind text, of text, name text, available boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.find_tenant(wanted text) RETURNS TABLE(tenant uuid, slug text, name text, settings jsonb)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

COMMENT ON FUNCTION holdfast.find_tenant(wanted text) IS 'The tenant of a slug: what a transaction needs before it can have a tenant.';

CREATE FUNCTION holdfast.find_token(wanted bytea, at timestamp with time zone) RETURNS TABLE(token_id uuid, user_name text, scopes text[], created_by text, stale boolean)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.finish_session(for_tenant uuid, session uuid, run uuid, epoch bigint, output text, reference text, hash text, size bigint, error text, trace text, at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.first_statistics() RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET lock_timeout TO '1s';

CREATE FUNCTION holdfast.follow_recompiled(old uuid, new uuid, actor text, about jsonb, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.fork_session(source uuid, source_checkpoint text, new_id uuid, name text, actor text, party text, timeout interval, at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.guard_built_in_role() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_decision() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.guard_entity() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_grant() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_new_decision() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.guard_new_session() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.guard_new_token() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_operation() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_publication() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_receipt() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_request() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_schedule() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_session() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.guard_token() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.handled_types(wanted text[], at timestamp with time zone) RETURNS TABLE(type text, attempts integer)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.heads_since(since timestamp with time zone) RETURNS TABLE(tenant uuid, object_kind text, object_id uuid, seq bigint, hash bytea)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION holdfast.heartbeat_effects(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) RETURNS TABLE(tenant uuid, id uuid, status text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.heartbeat_events(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) RETURNS TABLE(tenant uuid, id uuid, status text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.heartbeat_outbox(tenants uuid[], lanes text[], epochs bigint[], leases interval[], at timestamp with time zone) RETURNS TABLE(tenant uuid, lane text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.heartbeat_runs(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) RETURNS TABLE(tenant uuid, id uuid, status text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.heed_nudges(at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.hold_document(wanted uuid) RETURNS TABLE(id uuid, entity_type text, doc_status text, entity_version integer, contract_version integer, data text, content_hash text, version_id uuid, amended_from_id uuid, created_at timestamp with time zone, created_by text, updated_at timestamp with time zone, updated_by text, deleted_at timestamp with time zone, amended_to_id uuid, instance_id uuid, instance_status text, instance_version integer, edit_window text)
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.hold_requests(wanted uuid[], me text, at timestamp with time zone) RETURNS TABLE(id uuid, kind text, status text, instance_id uuid, step_id uuid, step_key text, node_id text, token_id text, entity_type text, entity_id uuid, entity_version integer, content_hash text, compiled_hash text, snapshot_version_id uuid, title text, requester text, four_eyes boolean, may_delegate boolean, required text, outcomes text[], passes text, form jsonb, chain text, stage integer, stages jsonb, claimed_by text, due_at timestamp with time zone, now timestamp with time zone, trace_id text, principals text[], decisions jsonb, decided boolean, delegators jsonb, makers text[], branches jsonb, in_parallel boolean, votes jsonb, instance_status text, version integer, definition_id uuid, definition_version integer, instance_hash text, created_by text, paused boolean, state text, active_tokens text, document_version integer, doc_status text, document_hash text, version_id uuid, document_by text, document text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.hold_run(run uuid, epoch bigint) RETURNS TABLE(held boolean, party jsonb)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.holds_session(for_tenant uuid, session uuid, run uuid, epoch bigint) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.idle_runs(late timestamp with time zone, at timestamp with time zone) RETURNS TABLE(tenant uuid, instance_id uuid, step_key text, needs text, since timestamp with time zone)
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION holdfast.inbox_names(own uuid, me text, roles text[], may_approve boolean, at timestamp with time zone) RETURNS TABLE(principal text, seat text, how text, only_type text, rank integer)
    LANGUAGE sql STABLE;

CREATE FUNCTION holdfast.insert_runs(own uuid, new_ids uuid[], types text[], payloads jsonb, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], parent uuid, actor text, event_level text, at timestamp with time zone, party jsonb) RETURNS TABLE(place bigint, run_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.installation_health(after text, most integer, cap integer, at timestamp with time zone) RETURNS TABLE(slug text, queue text, pending bigint, working bigint, waiting bigint, stuck bigint, dead bigint, oldest double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.is_in_force(of_tenant uuid, wanted uuid, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.keep_an_administrator() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.keep_decision() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.keep_latest_checkpoint(thread text, before timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.keep_successes(tenants uuid[], ids uuid[], epochs bigint[], addresses tid[], results text[], by text, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET lock_timeout TO '250ms';

CREATE FUNCTION holdfast.lacked_by_effect(error text) RETURNS text
    LANGUAGE sql IMMUTABLE;

CREATE FUNCTION holdfast.latency_bucket(seconds double precision) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE;

CREATE FUNCTION holdfast.leave_tombstones(of_branch text, leaf text, of_month date, kept_days integer, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.links_delete(own uuid, in_namespace text, from_type text, from_id text, to_type text, to_id text, of_relation text, actor text, origin jsonb, step text, at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.links_lookup(own uuid, in_namespace text, of_type text, of_id text, forward boolean, reverse boolean, of_relation text, other_type text, after_type text, after_id text, after_relation text, after_link uuid, at_most integer) RETURNS TABLE(link_id uuid, type text, id text, relation text, attributes text, direction text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.links_upsert(own uuid, in_namespace text, new_id uuid, from_type text, from_id text, to_type text, to_id text, new_relation text, new_attributes text, actor text, origin jsonb, step text, at timestamp with time zone, OUT id uuid, OUT created boolean) RETURNS record
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.list_tenants() RETURNS TABLE(tenant uuid, slug text, name text, settings jsonb, created_at timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.live_wake() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.lock_event_key(key text) RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.lock_instance(instance uuid) RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.measured(part text) RETURNS bytea
    LANGUAGE plpgsql IMMUTABLE;

COMMENT ON FUNCTION holdfast.measured(part text) IS '‹length›:‹bytes›, so that no field of a hash can bleed into the next.';

CREATE FUNCTION holdfast.migrate_instance(wanted uuid, read_version integer, new_definition uuid, new_version integer, new_hash text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.move_documents(moves jsonb, at timestamp with time zone) RETURNS TABLE(id uuid, was text, entity_type text, entity_version integer)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.name_party() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.narrow_party(carried jsonb, other jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE;

CREATE FUNCTION holdfast.new_tombstones() RETURNS TABLE(tenant uuid, seq bigint, hash bytea)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.next_input(for_tenant uuid, session uuid) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.note_anchor(to_place text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.note_asked() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.note_maker() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.note_retried(wanted uuid, made uuid) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.note_started(worker text, run_tenant uuid, run uuid, epoch bigint, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.offer_events(instance uuid, needed text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.open_instances(ids uuid[], patience boolean) RETURNS TABLE(id uuid, status text, version integer, definition_id uuid, definition_version integer, compiled_hash text, entity_type text, entity_id uuid, created_by text, party text, trace_id text, paused boolean, state text, active_tokens text, document_version integer, doc_status text, content_hash text, version_id uuid, document_by text, document text)
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off';

CREATE FUNCTION holdfast.outbox_depths(cap integer, at timestamp with time zone) RETURNS TABLE(slug text, pending bigint, dead bigint, oldest double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.own_queue_states(cap integer, at timestamp with time zone) RETURNS TABLE(queue text, pending bigint, working bigint, waiting bigint, stuck bigint, dead bigint, oldest double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.pack_steps(tenants uuid[], moments timestamp with time zone[], ids uuid[], packed bytea[], at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.pause_instance(wanted uuid, new_status text, by text, why text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.post_events(given jsonb, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.post_events_for(own uuid, given jsonb, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.priority_levels(lane_tenant uuid, lane_type text) RETURNS TABLE(priority integer, run_at timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.protect_tenant_table(target regclass) RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.protect_tenant_tables() RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.protect_threads() RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.prune_outboxes(before timestamp with time zone, at_most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.prune_receipts(before timestamp with time zone, at_most integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.prune_session(session uuid) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.prune_sessions(for_tenant uuid, since timestamp with time zone, before timestamp with time zone, most integer) RETURNS TABLE(finished integer, pruned integer, reached timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.publish_event(event_type text, payload jsonb, aggregate_type text DEFAULT NULL::text, aggregate_id text DEFAULT NULL::text, subject text DEFAULT NULL::text, trace_parent text DEFAULT NULL::text, actor text DEFAULT 'system:sql'::text, at timestamp with time zone DEFAULT now()) RETURNS uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.publish_events(ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[], trace_parents text[], actor text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.publish_events_for(tenants uuid[], ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[], trace_parents text[], actor text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.publish_outcomes(tenants uuid[], ids uuid[], publishes text, actor text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.put_advance(own uuid, steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb, done jsonb, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.queue_depths(cap integer, at timestamp with time zone) RETURNS TABLE(slug text, type text, state text, runs bigint, oldest double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.queue_states(own uuid, cap integer, at timestamp with time zone) RETURNS TABLE(queue text, pending bigint, working bigint, waiting bigint, stuck bigint, dead bigint, oldest double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.read_secret(of_tenant uuid, made_at timestamp with time zone, effect uuid, epoch bigint) RETURNS TABLE(name text, hosts text[], key_id text, wrapped_key bytea, ciphertext bytea)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.reader_names(own uuid, me text, roles text[], may_approve boolean, at timestamp with time zone) RETURNS TABLE(principal text, delegated boolean, only_type text)
    LANGUAGE sql STABLE;

CREATE FUNCTION holdfast.ready_lanes(prefixes text[], types text[]) RETURNS TABLE(tenant uuid, type text, weight integer)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.recall_steps(run_tenant uuid, run uuid, epoch bigint, at timestamp with time zone) RETURNS TABLE(name text, result text, age double precision)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.record_decisions(given jsonb, trail jsonb, ending jsonb, advance jsonb, posted jsonb, actor text, together boolean, at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.record_steps(tenants uuid[], ids uuid[], epochs bigint[], names text[], results text[], at timestamp with time zone) RETURNS TABLE(run_id uuid, name text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET lock_timeout TO '250ms';

CREATE FUNCTION holdfast.refuse_change_of_finished() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.refuse_second_answer() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.refuse_transition() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.register_definition(new_name text, spec jsonb, new_source text, replace boolean, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.reject_default_definition_mutation() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.reject_published_definition_mutation() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.release_events(given jsonb, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off';

CREATE FUNCTION holdfast.replay_dead_events(wanted_type text, most integer, at timestamp with time zone) RETURNS SETOF uuid
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.replay_effect(wanted uuid, actor text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.replay_event(wanted uuid, at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.replay_process_event(wanted uuid, actor text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.requests_to_tend(at timestamp with time zone, most integer) RETURNS TABLE(tenant uuid, id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.require_tenant(own uuid) RETURNS void
    LANGUAGE plpgsql STABLE;

CREATE FUNCTION holdfast.restrict_draft_update() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.restrict_instance_update() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.restrict_status_regression() RETURNS trigger
    LANGUAGE plpgsql;

COMMENT ON FUNCTION holdfast.restrict_status_regression() IS 'Raises; the WHEN of each trigger says which moves are illegal, so that legal ones cost no call.';

CREATE FUNCTION holdfast.restrict_step_execution_updates() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.retrace_instance(wanted uuid, trace text) RETURNS void
    LANGUAGE sql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.retry_waiting_effects(at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.retry_waiting_events(at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.rewrap_secret(of_tenant uuid, wanted text, was_wrapped bytea, new_key_id text, new_wrapped bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.roll_up_queues(cap integer, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION holdfast.run_finished() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.running_workers(at timestamp with time zone) RETURNS TABLE(worker_id uuid, name text, types text[], prefixes text[], seen_at timestamp with time zone, alive boolean)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.save_sessions(saves jsonb, bytes bytea, again boolean, at timestamp with time zone) RETURNS TABLE(place integer, verdict text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.schedule_delay(at timestamp with time zone) RETURNS double precision
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.schedule_retention(for_tenant uuid, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.seat_taken(own uuid, instance uuid, request uuid, own_branches jsonb, own_in_parallel boolean, people text[]) RETURNS boolean
    LANGUAGE plpgsql STABLE;

CREATE FUNCTION holdfast.secrets_under_other_keys(than text) RETURNS TABLE(tenant uuid, name text, hosts text[], key_id text, wrapped_key bytea, ciphertext bytea)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.session_changed() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.session_ended() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.session_ends_its_outputs() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.session_run_ended() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.sessions_to_place() RETURNS TABLE(tenant uuid, project text, session uuid, name text, workflow text, image text, run uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.sessions_with_input(wanted text, before uuid, only_status text, only_workflow text, most integer) RETURNS TABLE(id uuid)
    LANGUAGE plpgsql STABLE SECURITY DEFINER ROWS 50
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_custom_plan';

CREATE FUNCTION holdfast.set_definition_phase(wanted text, new_phase text, reason text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.set_retention(of_branch text, new_days integer) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.settle_effect(wanted uuid, made_at timestamp with time zone, epoch bigint, new_status text, evidence jsonb, problem text, retry_at timestamp with time zone, attempt_back integer, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.settle_outbox(dispatcher text, tenants uuid[], aggregate_types text[], aggregate_ids text[], epochs bigint[], tries integer[], delays interval[], failed_ids uuid[], errors text[], deads boolean[], takers text[], sent_lanes integer[], sent_ids uuid[], sent_tries integer[], hold_dead boolean, at timestamp with time zone) RETURNS SETOF integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET lock_timeout TO '250ms';

CREATE FUNCTION holdfast.settle_outcomes(worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[], last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[], event_level text, publishes text, at timestamp with time zone) RETURNS TABLE(lost_tenant uuid, lost_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off'
    SET lock_timeout TO '250ms';

CREATE FUNCTION holdfast.settle_requests(closing jsonb, decided jsonb, actor text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.settle_runs(worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[], last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[], event_level text, publishes text, at timestamp with time zone, addresses tid[] DEFAULT '{}'::tid[]) RETURNS TABLE(lost_tenant uuid, lost_id uuid)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.sign_tombstone(of_tenant uuid, of_seq bigint, by_key text, with_signature bytea) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.sized(part text) RETURNS text
    LANGUAGE sql STABLE
    RETURN (((octet_length(convert_to(part, 'UTF8'::name)))::text || ':'::text) || part);

COMMENT ON FUNCTION holdfast.sized(part text) IS '‹length›:‹text›, of which `measured` is the bytes.';

CREATE FUNCTION holdfast.skip_effect(wanted uuid, reason text, actor text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.skip_event(wanted uuid, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.skip_process_event(wanted uuid, reason text, actor text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.stale_workflows(current text) RETURNS TABLE(tenant uuid, entity_type text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION holdfast.start_child_run(run_tenant uuid, run uuid, epoch bigint, step text, child uuid, child_type text, child_payload text, child_priority integer, child_run_at timestamp with time zone, tries integer, child_key text, child_limit integer, trace text, event_level text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.start_session(new_id uuid, name text, workflow text, revision integer, input text, actor text, party text, timeout interval, tries integer, new_notify_type text, new_notify_payload text, at timestamp with time zone) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.stay_interrupted() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.steps_to_pack(at timestamp with time zone, most integer) RETURNS TABLE(tenant uuid, created_at timestamp with time zone, id uuid, output text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.still_stands(own_tenant uuid, document uuid, decided_version integer, decided_hash text, own_instance uuid) RETURNS boolean
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.take_rate(tenants uuid[], types text[], wanted integer[], steps interval[], slacks interval[], at timestamp with time zone) RETURNS TABLE(place bigint, granted integer, wait interval)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.tell_parents(tenants uuid[], ids uuid[], outcomes jsonb[], by text, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.tend_at_once() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off';

CREATE FUNCTION holdfast.tend_effects(kinds text[], at timestamp with time zone) RETURNS TABLE(taken_back integer, next_due timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.tend_events(at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.tend_outbox(max_attempts integer, hold_dead boolean, at timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.tend_runs(event_level text, publishes text, at timestamp with time zone) RETURNS TABLE(tenant uuid, type text, due timestamp with time zone)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan'
    SET jit TO 'off';

CREATE FUNCTION holdfast.thread_of(project text, session text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE;

COMMENT ON FUNCTION holdfast.thread_of(project text, session text) IS 'The thread of a session. Built here only: nobody can name another one.';

CREATE FUNCTION holdfast.thread_prefix() RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

COMMENT ON FUNCTION holdfast.thread_prefix() IS 'How threads of the transaction''s tenant begin; NULL without a tenant.';

CREATE FUNCTION holdfast.time_ordered_id(at timestamp with time zone DEFAULT clock_timestamp()) RETURNS uuid
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.touch_updated_at() RETURNS trigger
    LANGUAGE plpgsql;

CREATE FUNCTION holdfast.transaction_tenant() RETURNS uuid
    LANGUAGE plpgsql STABLE;

CREATE FUNCTION holdfast.trusted_time(given timestamp with time zone) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.unknown_code(late timestamp with time zone, at timestamp with time zone) RETURNS TABLE(needs text, steps bigint, tenants bigint, since timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION holdfast.use_definition(wanted text) RETURNS TABLE(name text, revision integer, phase text, container_image text, input_schema jsonb, timeout_seconds double precision)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.use_installation_token(wanted bytea, at timestamp with time zone) RETURNS TABLE(token_id uuid, name text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.void_decisions(document uuid, instance uuid, changed text[], why text, at timestamp with time zone) RETURNS TABLE(instance_id uuid, request_id uuid, decided_by text)
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE FUNCTION holdfast.wait_for_input(for_tenant uuid, session uuid, run uuid, epoch bigint, ids text[], contents text[], schemas text[], lifetimes interval[], at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.waiting_effects(late timestamp with time zone) RETURNS TABLE(kind text, lacks text, effects bigint, tenants bigint, since timestamp with time zone)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET jit TO 'off';

CREATE FUNCTION holdfast.wants_event(level text, event text) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE;

CREATE FUNCTION holdfast.withdraw_effects(own_instance uuid, keys text[], why text, actor text, at timestamp with time zone) RETURNS integer
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.withdraw_worker(worker uuid) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp';

CREATE FUNCTION holdfast.work_figures(cap integer, at timestamp with time zone) RETURNS TABLE(slug text, work text, state text, many bigint, late double precision)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET jit TO 'off';

CREATE FUNCTION holdfast.write_advance(steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb, done jsonb, at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET enable_seqscan TO 'off'
    SET enable_bitmapscan TO 'off'
    SET enable_hashjoin TO 'off'
    SET enable_mergejoin TO 'off'
    SET jit TO 'off'
    SET plan_cache_mode TO 'force_generic_plan';

CREATE TABLE holdfast.api_tokens (
    tenant uuid NOT NULL,
    token_id uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    scopes text[],
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    parent_id uuid,
    depth smallint DEFAULT 0 NOT NULL,
    kind text DEFAULT 'api'::text NOT NULL,
    origin text,
    CONSTRAINT api_tokens_check CHECK ((expires_at > created_at)),
    CONSTRAINT api_tokens_depth_check CHECK (((depth >= 0) AND (depth <= 8))),
    CONSTRAINT api_tokens_descent CHECK (((parent_id IS NULL) = (depth = 0))),
    CONSTRAINT api_tokens_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT api_tokens_kind_check CHECK ((kind = ANY (ARRAY['api'::text, 'browser'::text, 'link'::text]))),
    CONSTRAINT api_tokens_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
    CONSTRAINT api_tokens_origin_check CHECK ((length(origin) <= 300)),
    CONSTRAINT api_tokens_sign_in CHECK (((kind = 'api'::text) OR ((expires_at IS NOT NULL) AND (expires_at <= (created_at + '31 days'::interval)) AND (scopes IS NULL) AND (parent_id IS NULL))))
);

ALTER TABLE ONLY holdfast.api_tokens FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.api_tokens.parent_id IS 'The token it was made with: it never exceeds or outlives that one.';

CREATE TABLE holdfast.approval_assignees (
    tenant uuid NOT NULL,
    request_id uuid NOT NULL,
    principal text NOT NULL COLLATE pg_catalog."C",
    via text COLLATE pg_catalog."C",
    is_open boolean DEFAULT true NOT NULL,
    due_at timestamp with time zone,
    added_at timestamp with time zone DEFAULT now() NOT NULL,
    added_by text NOT NULL,
    removed_at timestamp with time zone,
    removed_why text
);

ALTER TABLE ONLY holdfast.approval_assignees FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.approval_chains (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    archived_at timestamp with time zone,
    CONSTRAINT approval_chains_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT approval_chains_description_check CHECK ((length(description) <= 1000)),
    CONSTRAINT approval_chains_name_check CHECK ((name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'::text))
);

ALTER TABLE ONLY holdfast.approval_chains FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.approval_decisions (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    request_id uuid NOT NULL,
    instance_id uuid NOT NULL,
    step_key text NOT NULL COLLATE pg_catalog."C",
    entity_id uuid,
    entity_version integer NOT NULL,
    content_hash text COLLATE pg_catalog."C",
    compiled_hash text NOT NULL COLLATE pg_catalog."C",
    decision text NOT NULL COLLATE pg_catalog."C",
    outcome text COLLATE pg_catalog."C",
    decided_by text NOT NULL COLLATE pg_catalog."C",
    seat text NOT NULL COLLATE pg_catalog."C",
    reason text,
    answer jsonb,
    decided_at timestamp with time zone DEFAULT now() NOT NULL,
    applied boolean DEFAULT false NOT NULL,
    applied_at timestamp with time zone,
    applied_by text COLLATE pg_catalog."C",
    voided_at timestamp with time zone,
    void_reason text,
    changed_fields text[]
)
WITH (fillfactor='80');

ALTER TABLE ONLY holdfast.approval_decisions FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.approval_decisions.seat IS 'Whose vote it is: decided_by, or the person a delegate decided for.';

CREATE TABLE holdfast.approval_delegations (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    delegator text NOT NULL COLLATE pg_catalog."C",
    delegate text NOT NULL COLLATE pg_catalog."C",
    entity_type text COLLATE pg_catalog."C",
    starts_at timestamp with time zone NOT NULL,
    ends_at timestamp with time zone NOT NULL,
    reason text DEFAULT ''::text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT approval_delegations_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT approval_delegations_dates CHECK ((ends_at > starts_at)),
    CONSTRAINT approval_delegations_entity_type_check CHECK (((length(entity_type) >= 1) AND (length(entity_type) <= 64))),
    CONSTRAINT approval_delegations_not_to_oneself CHECK ((delegator <> delegate)),
    CONSTRAINT approval_delegations_reason_check CHECK ((length(reason) <= 1000))
);

ALTER TABLE ONLY holdfast.approval_delegations FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.approval_steps (
    tenant uuid NOT NULL,
    chain_id uuid NOT NULL,
    "position" integer NOT NULL,
    name text NOT NULL,
    approvers jsonb NOT NULL,
    required text DEFAULT 'any'::text NOT NULL,
    condition text,
    due_after interval,
    escalate_after interval,
    escalate_to jsonb,
    CONSTRAINT approval_steps_approvers_check CHECK (((jsonb_typeof(approvers) = 'array'::text) AND ((jsonb_array_length(approvers) >= 1) AND (jsonb_array_length(approvers) <= 50)))),
    CONSTRAINT approval_steps_condition_check CHECK (((length(condition) >= 1) AND (length(condition) <= 500))),
    CONSTRAINT approval_steps_due_after_check CHECK ((due_after > '00:00:00'::interval)),
    CONSTRAINT approval_steps_escalate_after_check CHECK ((escalate_after > '00:00:00'::interval)),
    CONSTRAINT approval_steps_escalate_to_check CHECK ((jsonb_typeof(escalate_to) = 'array'::text)),
    CONSTRAINT approval_steps_escalation CHECK (((escalate_after IS NULL) = (escalate_to IS NULL))),
    CONSTRAINT approval_steps_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
    CONSTRAINT approval_steps_position_check CHECK ((("position" >= 1) AND ("position" <= 50))),
    CONSTRAINT approval_steps_required_check CHECK ((required ~ '^(any|all|[1-9][0-9]?)$'::text))
);

ALTER TABLE ONLY holdfast.approval_steps FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.approval_turns (
    tenant uuid NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    last_name text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE ONLY holdfast.approval_turns FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.audit_anchor (
    place text NOT NULL,
    anchored_at timestamp with time zone NOT NULL
);

CREATE TABLE holdfast.audit_head (
    tenant uuid NOT NULL,
    object_kind text NOT NULL COLLATE pg_catalog."C",
    object_id uuid NOT NULL,
    seq bigint NOT NULL,
    prev_hash bytea,
    hash bytea NOT NULL,
    moved_at timestamp with time zone DEFAULT now() NOT NULL
)
WITH (fillfactor='80');

ALTER TABLE ONLY holdfast.audit_head FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.audit_tombstone (
    tenant uuid NOT NULL,
    seq bigint NOT NULL,
    branch text NOT NULL,
    month date NOT NULL,
    days integer NOT NULL,
    chains bigint NOT NULL,
    events bigint NOT NULL,
    dropped_at timestamp with time zone NOT NULL,
    dropped_by text NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    key_id text,
    signature bytea,
    CONSTRAINT audit_tombstone_signed CHECK (((key_id IS NULL) = (signature IS NULL)))
);

ALTER TABLE ONLY holdfast.audit_tombstone FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.audit_tombstone.days IS 'How long the policy kept such months when this one was dropped.';

COMMENT ON COLUMN holdfast.audit_tombstone.hash IS 'Over the link before it, every column and every range.';

CREATE TABLE holdfast.audit_tombstone_range (
    tenant uuid NOT NULL,
    seq bigint NOT NULL,
    object_kind text NOT NULL COLLATE pg_catalog."C",
    object_id uuid NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    prev_hash bytea NOT NULL,
    last_hash bytea NOT NULL,
    CONSTRAINT audit_tombstone_range_check CHECK ((last_seq >= first_seq))
);

ALTER TABLE ONLY holdfast.audit_tombstone_range FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE holdfast.data_revision
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE holdfast.document_views (
    tenant uuid NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    filters jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT document_views_filters_check CHECK (((jsonb_typeof(filters) = 'object'::text) AND (pg_column_size(filters) <= 8192))),
    CONSTRAINT document_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 128)))
);

ALTER TABLE ONLY holdfast.document_views FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.entities (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    entity_type text NOT NULL COLLATE pg_catalog."C",
    doc_status text NOT NULL COLLATE pg_catalog."C",
    entity_version integer DEFAULT 1 NOT NULL,
    contract_version integer NOT NULL,
    data jsonb,
    content_hash text NOT NULL COLLATE pg_catalog."C",
    version_id uuid NOT NULL,
    amended_from_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_by text NOT NULL,
    deleted_at timestamp with time zone,
    CONSTRAINT entities_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT entities_contract_version_check CHECK ((contract_version >= 1)),
    CONSTRAINT entities_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT entities_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
    CONSTRAINT entities_doc_status_check CHECK (((length(doc_status) >= 1) AND (length(doc_status) <= 128))),
    CONSTRAINT entities_entity_type_check CHECK ((entity_type ~ '^[a-z][a-z0-9_]{0,63}$'::text)),
    CONSTRAINT entities_entity_version_check CHECK ((entity_version >= 1)),
    CONSTRAINT entities_not_amended_from_itself CHECK ((amended_from_id <> id)),
    CONSTRAINT entities_updated_by_check CHECK (((length(updated_by) >= 1) AND (length(updated_by) <= 300)))
);

ALTER TABLE ONLY holdfast.entities FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.entity_readers (
    tenant uuid NOT NULL,
    principal text NOT NULL COLLATE pg_catalog."C",
    entity_type text NOT NULL COLLATE pg_catalog."C",
    entity_id uuid NOT NULL,
    source uuid NOT NULL,
    version integer NOT NULL,
    CONSTRAINT entity_readers_principal_check CHECK (((principal = 'anyone'::text) OR (principal ~ '^(user|role):.{1,255}$'::text))),
    CONSTRAINT entity_readers_version_check CHECK ((version >= 0))
);

ALTER TABLE ONLY holdfast.entity_readers FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.entity_readers.source IS 'The request that asks; the document itself for those who made, edited or submitted it.';

COMMENT ON COLUMN holdfast.entity_readers.version IS 'The version that was asked about; 0 is every one.';

CREATE TABLE holdfast.entity_versions (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    entity_id uuid NOT NULL,
    version integer NOT NULL,
    contract_version integer NOT NULL,
    doc_status text NOT NULL COLLATE pg_catalog."C",
    data jsonb NOT NULL,
    content_hash text NOT NULL COLLATE pg_catalog."C",
    changed_fields text[] DEFAULT '{}'::text[] NOT NULL,
    instance_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    CONSTRAINT entity_versions_content_hash_check CHECK ((content_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT entity_versions_contract_version_check CHECK ((contract_version >= 1)),
    CONSTRAINT entity_versions_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT entity_versions_data_check CHECK ((jsonb_typeof(data) = 'object'::text)),
    CONSTRAINT entity_versions_version_check CHECK ((version >= 1))
);

ALTER TABLE ONLY holdfast.entity_versions FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.entity_versions.instance_id IS 'The process whose own step wrote this version, if one did.';

CREATE TABLE holdfast.inbox_views (
    tenant uuid NOT NULL,
    owner text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    filters jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT inbox_views_filters_check CHECK (((jsonb_typeof(filters) = 'object'::text) AND (pg_column_size(filters) <= 8192))),
    CONSTRAINT inbox_views_name_check CHECK (((length(name) >= 1) AND (length(name) <= 128)))
);

ALTER TABLE ONLY holdfast.inbox_views FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.installation (
    only_one boolean DEFAULT true NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    is_test boolean DEFAULT false NOT NULL,
    CONSTRAINT installation_only_one_check CHECK (only_one)
);

COMMENT ON COLUMN holdfast.installation.is_test IS 'Whether events may have another time than now, as tests want it.';

CREATE TABLE holdfast.installation_token (
    token_id uuid NOT NULL,
    name text NOT NULL,
    hash bytea NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    expires_at timestamp with time zone,
    revoked_at timestamp with time zone,
    last_used_at timestamp with time zone,
    CONSTRAINT installation_token_check CHECK ((expires_at > created_at)),
    CONSTRAINT installation_token_hash_check CHECK ((octet_length(hash) = 32)),
    CONSTRAINT installation_token_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256)))
);

CREATE TABLE holdfast.org_chart (
    tenant uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    manager text NOT NULL COLLATE pg_catalog."C",
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_by text NOT NULL,
    CONSTRAINT org_chart_not_oneself CHECK ((name <> manager)),
    CONSTRAINT org_chart_updated_by_check CHECK (((length(updated_by) >= 1) AND (length(updated_by) <= 300)))
);

ALTER TABLE ONLY holdfast.org_chart FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.outbox_event_done (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    seq bigint NOT NULL,
    event_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_id text NOT NULL COLLATE pg_catalog."C",
    subject text,
    payload jsonb NOT NULL,
    attempts integer NOT NULL,
    last_error text,
    delivered text[] NOT NULL,
    trace_parent text,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    published_at timestamp with time zone NOT NULL
)
PARTITION BY RANGE (published_at);

ALTER TABLE ONLY holdfast.outbox_event_done FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.outbox_event_live (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    seq bigint NOT NULL,
    event_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_id text NOT NULL COLLATE pg_catalog."C",
    subject text,
    payload jsonb NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    delivered text[] DEFAULT '{}'::text[] NOT NULL,
    trace_parent text,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT outbox_event_live_aggregate_id_check CHECK (((length(aggregate_id) >= 1) AND (length(aggregate_id) <= 512))),
    CONSTRAINT outbox_event_live_aggregate_type_check CHECK (((length(aggregate_type) <= 128) AND (aggregate_type ~ '^[A-Za-z0-9_.-]+$'::text))),
    CONSTRAINT outbox_event_live_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT outbox_event_live_event_type_check CHECK (((length(event_type) <= 256) AND (event_type ~ '^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$'::text))),
    CONSTRAINT outbox_event_live_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 1024))),
    CONSTRAINT outbox_event_live_trace_parent_check CHECK (((length(trace_parent) >= 1) AND (length(trace_parent) <= 256))),
    CONSTRAINT outbox_event_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'dead'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY holdfast.outbox_event_live FORCE ROW LEVEL SECURITY;

CREATE VIEW holdfast.outbox_event WITH (security_invoker='true') AS
 SELECT outbox_event_live.tenant,
    outbox_event_live.id,
    false AS done,
    outbox_event_live.seq,
    outbox_event_live.event_type,
    outbox_event_live.aggregate_type,
    outbox_event_live.aggregate_id,
    outbox_event_live.subject,
    outbox_event_live.payload,
    outbox_event_live.status,
    outbox_event_live.attempts,
    outbox_event_live.last_error,
    outbox_event_live.delivered,
    outbox_event_live.trace_parent,
    outbox_event_live.created_by,
    outbox_event_live.created_at,
    NULL::timestamp with time zone AS published_at
   FROM holdfast.outbox_event_live
UNION ALL
 SELECT outbox_event_done.tenant,
    outbox_event_done.id,
    true AS done,
    outbox_event_done.seq,
    outbox_event_done.event_type,
    outbox_event_done.aggregate_type,
    outbox_event_done.aggregate_id,
    outbox_event_done.subject,
    outbox_event_done.payload,
    'published'::text AS status,
    outbox_event_done.attempts,
    outbox_event_done.last_error,
    outbox_event_done.delivered,
    outbox_event_done.trace_parent,
    outbox_event_done.created_by,
    outbox_event_done.created_at,
    outbox_event_done.published_at
   FROM holdfast.outbox_event_done;

CREATE TABLE holdfast.outbox_event_done_default (
    tenant uuid CONSTRAINT outbox_event_done_tenant_not_null NOT NULL,
    id uuid CONSTRAINT outbox_event_done_id_not_null NOT NULL,
    seq bigint CONSTRAINT outbox_event_done_seq_not_null NOT NULL,
    event_type text CONSTRAINT outbox_event_done_event_type_not_null NOT NULL COLLATE pg_catalog."C",
    aggregate_type text CONSTRAINT outbox_event_done_aggregate_type_not_null NOT NULL COLLATE pg_catalog."C",
    aggregate_id text CONSTRAINT outbox_event_done_aggregate_id_not_null NOT NULL COLLATE pg_catalog."C",
    subject text,
    payload jsonb CONSTRAINT outbox_event_done_payload_not_null NOT NULL,
    attempts integer CONSTRAINT outbox_event_done_attempts_not_null NOT NULL,
    last_error text,
    delivered text[] CONSTRAINT outbox_event_done_delivered_not_null NOT NULL,
    trace_parent text,
    created_by text CONSTRAINT outbox_event_done_created_by_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT outbox_event_done_created_at_not_null NOT NULL,
    published_at timestamp with time zone CONSTRAINT outbox_event_done_published_at_not_null NOT NULL
);

ALTER TABLE ONLY holdfast.outbox_event_done_default FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE holdfast.outbox_event_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE holdfast.outbox_lane (
    tenant uuid NOT NULL,
    aggregate_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_id text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    blocked boolean DEFAULT false NOT NULL,
    lease_epoch bigint DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    leased_by text,
    CONSTRAINT outbox_lane_lease CHECK ((((lease_until IS NULL) = (leased_by IS NULL)) AND (NOT (blocked AND (lease_until IS NOT NULL)))))
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY holdfast.outbox_lane FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.outbox_lane.attempts IS 'how often the event that is next has been tried';

COMMENT ON COLUMN holdfast.outbox_lane.blocked IS 'a dead event stops the lane until somebody replays or skips it';

CREATE SEQUENCE holdfast.outbox_lease_epoch
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE holdfast.outbox_order (
    tenant uuid NOT NULL,
    aggregate_type text NOT NULL COLLATE pg_catalog."C",
    aggregate_id text NOT NULL COLLATE pg_catalog."C"
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY holdfast.outbox_order FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.partition_drop (
    partition text NOT NULL,
    branch text NOT NULL,
    month date NOT NULL,
    dropped_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE holdfast.queue_depth (
    tenant uuid NOT NULL,
    queue text NOT NULL COLLATE pg_catalog."C",
    minute timestamp with time zone NOT NULL,
    pending bigint NOT NULL,
    stuck bigint NOT NULL,
    dead bigint NOT NULL,
    oldest double precision,
    CONSTRAINT queue_depth_queue_check CHECK ((queue = ANY (ARRAY['runs'::text, 'engine'::text, 'effects'::text, 'outbox'::text, 'sessions'::text])))
);

ALTER TABLE ONLY holdfast.queue_depth FORCE ROW LEVEL SECURITY;

CREATE SEQUENCE holdfast.workflow_event_id
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE holdfast.workflow_event_plain (
    tenant uuid NOT NULL,
    object_kind text NOT NULL COLLATE pg_catalog."C",
    object_id uuid NOT NULL,
    id bigint DEFAULT nextval('holdfast.workflow_event_id'::regclass) NOT NULL,
    event_type text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL,
    step_id text,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    trace_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    CONSTRAINT workflow_event_plain_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 300))),
    CONSTRAINT workflow_event_plain_event_type_check CHECK (((length(event_type) >= 1) AND (length(event_type) <= 128))),
    CONSTRAINT workflow_event_plain_object_kind_check CHECK ((object_kind = ANY (ARRAY['action'::text, 'data'::text, 'outbox'::text, 'read'::text, 'run'::text, 'schedule'::text, 'session'::text])))
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY holdfast.workflow_event_plain FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_events_outbox (
    tenant uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    instance_id uuid NOT NULL,
    entity_type text COLLATE pg_catalog."C",
    entity_id uuid,
    entity_version integer NOT NULL,
    definition_version integer,
    event_type text NOT NULL COLLATE pg_catalog."C",
    payload_json jsonb DEFAULT '{}'::jsonb NOT NULL,
    event_idempotency_key text NOT NULL COLLATE pg_catalog."C",
    actor jsonb NOT NULL,
    trace_id text,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 NOT NULL,
    max_attempts integer DEFAULT 5 NOT NULL,
    next_retry_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_epoch bigint DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    leased_by text,
    completed_at timestamp with time zone,
    error text,
    needs text COLLATE pg_catalog."C"
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY holdfast.workflow_events_outbox FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_events_outbox.instance_id IS 'The instance it is for; or, when it may start one, the id that one gets, so that starting twice is starting once.';

COMMENT ON COLUMN holdfast.workflow_events_outbox.needs IS 'What a worker must know to take it: action:‹name›, rule:‹name›, resolver:‹name›, custom:‹node type›. NULL: any worker takes it.';

CREATE TABLE holdfast.workflow_run_done (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    priority integer NOT NULL,
    idempotency_key text,
    payload jsonb NOT NULL,
    result jsonb,
    error jsonb,
    last_error text,
    attempt integer NOT NULL,
    max_attempts integer NOT NULL,
    run_at timestamp with time zone NOT NULL,
    lease_epoch bigint NOT NULL,
    trace_parent text,
    parent_id uuid,
    concurrency_key text COLLATE pg_catalog."C",
    concurrency_limit integer,
    created_by text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone NOT NULL,
    deleted_at timestamp with time zone,
    delete_reason text,
    party jsonb,
    retried_as uuid,
    CONSTRAINT workflow_run_finished CHECK ((status = ANY ('{succeeded,failed,cancelled}'::text[])))
)
PARTITION BY RANGE (finished_at);

ALTER TABLE ONLY holdfast.workflow_run_done FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_run_done.retried_as IS 'The run that somebody enqueued anew in its place, the latest. A failure that was taken up again counts as one no longer.';

CREATE TABLE holdfast.workflow_sessions (
    tenant uuid NOT NULL,
    id uuid DEFAULT holdfast.time_ordered_id(now()) NOT NULL,
    project_name text NOT NULL COLLATE pg_catalog."C",
    session_name text NOT NULL COLLATE pg_catalog."C",
    workflow_name text NOT NULL COLLATE pg_catalog."C",
    definition_revision integer NOT NULL,
    input_data jsonb NOT NULL,
    output_data jsonb,
    output_reference text,
    output_hash text,
    output_size bigint,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    created_by text NOT NULL,
    party jsonb,
    error_message text,
    run_id uuid,
    run_epoch bigint,
    max_attempts integer DEFAULT 5 NOT NULL,
    last_sequence integer DEFAULT 0 NOT NULL,
    interrupted boolean DEFAULT false NOT NULL,
    timeout_at timestamp with time zone,
    forked_from uuid,
    forked_checkpoint text,
    notify_type text,
    notify_payload jsonb,
    CONSTRAINT output_data_size_check CHECK ((pg_column_size(output_data) < 104857600)),
    CONSTRAINT workflow_sessions_completed CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text])) = (completed_at IS NOT NULL))),
    CONSTRAINT workflow_sessions_error CHECK (((status = 'failed'::text) = (error_message IS NOT NULL))),
    CONSTRAINT workflow_sessions_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 1000))),
    CONSTRAINT workflow_sessions_output CHECK (((num_nulls(output_reference, output_hash, output_size) = ANY (ARRAY[0, 3])) AND ((output_reference IS NULL) OR ((status = 'completed'::text) AND (output_data IS NULL) AND (output_hash ~ '^[0-9a-f]{64}$'::text))))),
    CONSTRAINT workflow_sessions_session_name_check CHECK ((session_name ~ '^[A-Za-z0-9]([A-Za-z0-9._-]{0,126}[A-Za-z0-9])?$'::text)),
    CONSTRAINT workflow_sessions_started CHECK (((status = ANY (ARRAY['pending'::text, 'failed'::text])) OR (started_at IS NOT NULL))),
    CONSTRAINT workflow_sessions_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'waiting_for_input'::text])))
)
WITH (fillfactor='60', toast_tuple_target='512');

ALTER TABLE ONLY holdfast.workflow_sessions FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_side_effects_outbox (
    tenant uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    instance_id uuid NOT NULL,
    step_execution_id uuid NOT NULL,
    step_key text NOT NULL COLLATE pg_catalog."C",
    node_id text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    effect_type text NOT NULL COLLATE pg_catalog."C",
    payload_json jsonb DEFAULT '{}'::jsonb NOT NULL,
    event_idempotency_key text NOT NULL COLLATE pg_catalog."C",
    awaited boolean DEFAULT false NOT NULL,
    created_by text NOT NULL,
    trace_id text,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 NOT NULL,
    max_attempts integer DEFAULT 5 NOT NULL,
    next_retry_at timestamp with time zone DEFAULT now() NOT NULL,
    lease_epoch bigint DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    leased_by text,
    completed_at timestamp with time zone,
    error text,
    response_json jsonb,
    CONSTRAINT workflow_side_effects_outbox_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT workflow_side_effects_outbox_completed CHECK (((status <> 'completed'::text) OR (completed_at IS NOT NULL))),
    CONSTRAINT workflow_side_effects_outbox_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_side_effects_outbox_effect_type_check CHECK ((effect_type ~ '^[a-z][a-z0-9_.-]{0,62}$'::text)),
    CONSTRAINT workflow_side_effects_outbox_event_idempotency_key_check CHECK ((event_idempotency_key ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT workflow_side_effects_outbox_lease CHECK ((((status = 'processing'::text) = (lease_until IS NOT NULL)) AND ((status = 'processing'::text) = (leased_by IS NOT NULL)))),
    CONSTRAINT workflow_side_effects_outbox_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 50))),
    CONSTRAINT workflow_side_effects_outbox_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'dead_letter'::text, 'cancelled'::text]))),
    CONSTRAINT workflow_side_effects_outbox_trace_id_check CHECK ((length(trace_id) <= 256))
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY holdfast.workflow_side_effects_outbox FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_side_effects_outbox.awaited IS 'Whether its step waits for it.';

CREATE VIEW holdfast.queue_finished WITH (security_invoker='true') AS
 SELECT workflow_run_done.tenant,
    'runs'::text AS queue,
    workflow_run_done.finished_at AS at,
    (EXTRACT(epoch FROM (workflow_run_done.finished_at - workflow_run_done.run_at)))::double precision AS seconds,
    (workflow_run_done.status = 'failed'::text) AS error
   FROM holdfast.workflow_run_done
  WHERE (workflow_run_done.status <> 'cancelled'::text)
UNION ALL
 SELECT workflow_events_outbox.tenant,
    'engine'::text AS queue,
    workflow_events_outbox.completed_at AS at,
    (EXTRACT(epoch FROM (workflow_events_outbox.completed_at - workflow_events_outbox.created_at)))::double precision AS seconds,
    false AS error
   FROM holdfast.workflow_events_outbox
  WHERE (workflow_events_outbox.status = 'completed'::text)
UNION ALL
 SELECT workflow_events_outbox.tenant,
    'engine'::text AS queue,
    workflow_events_outbox.next_retry_at AS at,
    (EXTRACT(epoch FROM (workflow_events_outbox.next_retry_at - workflow_events_outbox.created_at)))::double precision AS seconds,
    true AS error
   FROM holdfast.workflow_events_outbox
  WHERE (workflow_events_outbox.status = 'dead_letter'::text)
UNION ALL
 SELECT workflow_side_effects_outbox.tenant,
    'effects'::text AS queue,
    workflow_side_effects_outbox.completed_at AS at,
    (EXTRACT(epoch FROM (workflow_side_effects_outbox.completed_at - workflow_side_effects_outbox.created_at)))::double precision AS seconds,
    false AS error
   FROM holdfast.workflow_side_effects_outbox
  WHERE (workflow_side_effects_outbox.status = 'completed'::text)
UNION ALL
 SELECT workflow_side_effects_outbox.tenant,
    'effects'::text AS queue,
    workflow_side_effects_outbox.next_retry_at AS at,
    (EXTRACT(epoch FROM (workflow_side_effects_outbox.next_retry_at - workflow_side_effects_outbox.created_at)))::double precision AS seconds,
    true AS error
   FROM holdfast.workflow_side_effects_outbox
  WHERE (workflow_side_effects_outbox.status = 'dead_letter'::text)
UNION ALL
 SELECT outbox_event_done.tenant,
    'outbox'::text AS queue,
    outbox_event_done.published_at AS at,
    (EXTRACT(epoch FROM (outbox_event_done.published_at - outbox_event_done.created_at)))::double precision AS seconds,
    false AS error
   FROM holdfast.outbox_event_done
UNION ALL
 SELECT e.tenant,
    'outbox'::text AS queue,
    died.at,
    (EXTRACT(epoch FROM (died.at - e.created_at)))::double precision AS seconds,
    true AS error
   FROM (holdfast.outbox_event_live e
     CROSS JOIN LATERAL ( SELECT max(w.created_at) AS at
           FROM holdfast.workflow_event_plain w
          WHERE ((w.tenant = e.tenant) AND (w.object_id = e.id) AND (w.event_type = 'outbox.dead'::text))) died)
  WHERE (e.status = 'dead'::text)
UNION ALL
 SELECT workflow_sessions.tenant,
    'sessions'::text AS queue,
    workflow_sessions.completed_at AS at,
    (EXTRACT(epoch FROM (workflow_sessions.completed_at - COALESCE(workflow_sessions.started_at, workflow_sessions.created_at))))::double precision AS seconds,
    (workflow_sessions.status = 'failed'::text) AS error
   FROM holdfast.workflow_sessions
  WHERE (workflow_sessions.completed_at IS NOT NULL);

CREATE TABLE holdfast.queue_minute (
    tenant uuid NOT NULL,
    queue text NOT NULL COLLATE pg_catalog."C",
    minute timestamp with time zone NOT NULL,
    finished integer NOT NULL,
    errors integer NOT NULL,
    buckets jsonb NOT NULL,
    CONSTRAINT queue_minute_buckets_check CHECK ((jsonb_typeof(buckets) = 'object'::text)),
    CONSTRAINT queue_minute_errors_check CHECK ((errors >= 0)),
    CONSTRAINT queue_minute_finished_check CHECK ((finished >= 0)),
    CONSTRAINT queue_minute_queue_check CHECK ((queue = ANY (ARRAY['runs'::text, 'engine'::text, 'effects'::text, 'outbox'::text, 'sessions'::text])))
);

ALTER TABLE ONLY holdfast.queue_minute FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.queue_minute.buckets IS 'How many took how long, by the number of latency_bucket.';

CREATE TABLE holdfast.queue_rollup (
    one boolean DEFAULT true NOT NULL,
    until timestamp with time zone NOT NULL,
    CONSTRAINT queue_rollup_one_check CHECK (one)
);

CREATE TABLE holdfast.retention (
    branch text NOT NULL,
    since timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
    days integer,
    set_by text DEFAULT SESSION_USER NOT NULL,
    CONSTRAINT retention_days_check CHECK ((days >= 0))
);

COMMENT ON COLUMN holdfast.retention.days IS 'NULL: for ever. 0: as long as whoever drops them wants, but never this month''s.';

CREATE TABLE holdfast.role_requests (
    tenant uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    requested_at timestamp with time zone DEFAULT now() NOT NULL,
    requested_by text NOT NULL
);

ALTER TABLE ONLY holdfast.role_requests FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.roles (
    tenant uuid NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    permissions text[],
    description text DEFAULT ''::text NOT NULL,
    grantable_by text[] DEFAULT '{admin}'::text[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT roles_admin_by_admin CHECK (((role <> 'admin'::text) OR (grantable_by = '{admin}'::text[]))),
    CONSTRAINT roles_built_in CHECK (((permissions IS NULL) = (role = ANY (ARRAY['viewer'::text, 'author'::text, 'designer'::text, 'approver'::text, 'operator'::text, 'admin'::text])))),
    CONSTRAINT roles_description_check CHECK ((length(description) <= 1000)),
    CONSTRAINT roles_role_check CHECK ((role ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'::text))
);

ALTER TABLE ONLY holdfast.roles FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.run_worker (
    worker_id uuid NOT NULL,
    name text NOT NULL,
    types text[] NOT NULL COLLATE pg_catalog."C",
    attempts integer[] NOT NULL,
    prefixes text[] NOT NULL COLLATE pg_catalog."C",
    seen_at timestamp with time zone NOT NULL,
    CONSTRAINT run_worker_check CHECK ((cardinality(attempts) = cardinality(types))),
    CONSTRAINT run_worker_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256)))
);

CREATE TABLE holdfast.schema_migrations (
    version integer NOT NULL,
    name text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL,
    duration_ms integer NOT NULL
);

CREATE TABLE holdfast.schema_repeatables (
    path text NOT NULL,
    checksum text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE holdfast.session_inputs (
    tenant uuid NOT NULL,
    workflow_session_id uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    body jsonb NOT NULL,
    as_node text,
    urgent boolean DEFAULT false NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    taken_at timestamp with time zone,
    CONSTRAINT session_inputs_kind_check CHECK ((kind = ANY (ARRAY['input'::text, 'edit'::text])))
);

ALTER TABLE ONLY holdfast.session_inputs FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.session_messages (
    tenant uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    workflow_session_id uuid NOT NULL,
    message_type text NOT NULL COLLATE pg_catalog."C",
    content jsonb NOT NULL,
    sequence_number integer NOT NULL,
    "timestamp" timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT session_messages_content CHECK (((jsonb_typeof(content) = 'object'::text) AND ((content ? '$sealed'::text) OR
CASE message_type
    WHEN 'user'::text THEN (content ? 'response'::text)
    WHEN 'error'::text THEN ((COALESCE(jsonb_typeof((content -> 'error'::text)), ''::text) = 'string'::text) AND (COALESCE(jsonb_typeof((content -> 'stack_trace'::text)), 'string'::text) = 'string'::text))
    WHEN 'workflow_progress'::text THEN ((content ?| '{step,progress,message}'::text[]) AND (COALESCE(jsonb_typeof((content -> 'step'::text)), 'string'::text) = 'string'::text) AND (COALESCE(jsonb_typeof((content -> 'progress'::text)), 'number'::text) = 'number'::text) AND (COALESCE(jsonb_typeof((content -> 'message'::text)), 'string'::text) = 'string'::text))
    WHEN 'workflow_waiting_for_input'::text THEN ((COALESCE(jsonb_typeof((content -> 'prompt'::text)), ''::text) = 'string'::text) AND (COALESCE(jsonb_typeof((content -> 'options'::text)), 'array'::text) = 'array'::text))
    ELSE (COALESCE(jsonb_typeof((content -> 'message'::text)), ''::text) = 'string'::text)
END))),
    CONSTRAINT session_messages_message_type_check CHECK ((message_type = ANY (ARRAY['system'::text, 'agent'::text, 'user'::text, 'error'::text, 'workflow_progress'::text, 'workflow_waiting_for_input'::text]))),
    CONSTRAINT session_messages_sequence_number_check CHECK ((sequence_number >= 1))
);

ALTER TABLE ONLY holdfast.session_messages FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.session_outputs (
    tenant uuid NOT NULL,
    workflow_session_id uuid NOT NULL,
    object text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT session_outputs_object_check CHECK (((length(object) >= 1) AND (length(object) <= 4096)))
);

ALTER TABLE ONLY holdfast.session_outputs FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.session_prompts (
    tenant uuid NOT NULL,
    workflow_session_id uuid NOT NULL,
    prompt_id text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'open'::text NOT NULL COLLATE pg_catalog."C",
    content jsonb NOT NULL,
    response_schema jsonb,
    opened_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone,
    answer jsonb,
    answered_by text,
    closed_at timestamp with time zone,
    CONSTRAINT session_prompts_check CHECK (((status = 'open'::text) = (closed_at IS NULL))),
    CONSTRAINT session_prompts_check1 CHECK (((status = 'answered'::text) = (answered_by IS NOT NULL))),
    CONSTRAINT session_prompts_prompt_id_check CHECK (((length(prompt_id) >= 1) AND (length(prompt_id) <= 256))),
    CONSTRAINT session_prompts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'answered'::text, 'expired'::text, 'withdrawn'::text])))
);

ALTER TABLE ONLY holdfast.session_prompts FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.step_month_packed (
    partition text NOT NULL,
    packed_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE holdfast.tenants (
    tenant uuid NOT NULL,
    slug text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL,
    settings jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT tenants_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
    CONSTRAINT tenants_settings_check CHECK ((jsonb_typeof(settings) = 'object'::text)),
    CONSTRAINT tenants_slug_check CHECK (((slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text) AND (slug <> ALL (ARRAY['installation'::text, 'me'::text, 'permissions'::text]))))
);

ALTER TABLE ONLY holdfast.tenants FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.user_identities (
    tenant uuid NOT NULL,
    issuer text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL COLLATE pg_catalog."C",
    user_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT user_identities_issuer_check CHECK (((length(issuer) >= 1) AND (length(issuer) <= 1000))),
    CONSTRAINT user_identities_subject_check CHECK (((length(subject) >= 1) AND (length(subject) <= 255)))
);

ALTER TABLE ONLY holdfast.user_identities FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.user_roles (
    tenant uuid NOT NULL,
    user_id uuid NOT NULL,
    role text NOT NULL COLLATE pg_catalog."C",
    granted_at timestamp with time zone DEFAULT now() NOT NULL,
    granted_by text NOT NULL
);

ALTER TABLE ONLY holdfast.user_roles FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.users (
    tenant uuid NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    kind text DEFAULT 'user'::text NOT NULL,
    display_name text NOT NULL,
    email text,
    email_set_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deactivated_at timestamp with time zone,
    CONSTRAINT users_display_name_check CHECK (((length(display_name) >= 1) AND (length(display_name) <= 256))),
    CONSTRAINT users_email_check CHECK (((length(email) >= 3) AND (length(email) <= 320))),
    CONSTRAINT users_email_set_by_check CHECK (((length(email_set_by) >= 1) AND (length(email_set_by) <= 300))),
    CONSTRAINT users_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'service'::text]))),
    CONSTRAINT users_name_check CHECK ((name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'::text))
);

ALTER TABLE ONLY holdfast.users FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.users.email_set_by IS 'Who else has changed the address: whoever reads what is sent there would be this person, so no link to sign in is.';

CREATE TABLE holdfast.workflow_action_receipt (
    tenant uuid NOT NULL,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    action text NOT NULL COLLATE pg_catalog."C",
    fingerprint bytea NOT NULL,
    call_id uuid NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    output jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_action_receipt_action_check CHECK (((length(action) >= 1) AND (length(action) <= 256))),
    CONSTRAINT workflow_action_receipt_fingerprint_check CHECK ((octet_length(fingerprint) = 32)),
    CONSTRAINT workflow_action_receipt_idempotency_key_check CHECK (((length(idempotency_key) >= 1) AND (length(idempotency_key) <= 512)))
);

ALTER TABLE ONLY holdfast.workflow_action_receipt FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_awaited_event (
    tenant uuid NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    payload jsonb NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_awaited_event_key_check CHECK (((length(key) >= 1) AND (length(key) <= 520)))
);

ALTER TABLE ONLY holdfast.workflow_awaited_event FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_data_change (
    tenant uuid NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    xid xid8 NOT NULL,
    id bigint NOT NULL,
    op text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    seen pg_snapshot,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT workflow_data_change_op_check CHECK ((op = ANY (ARRAY['set'::text, 'deleted'::text, 'expired'::text])))
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY holdfast.workflow_data_change FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_data_change_default (
    tenant uuid CONSTRAINT workflow_data_change_tenant_not_null NOT NULL,
    namespace text CONSTRAINT workflow_data_change_namespace_not_null NOT NULL COLLATE pg_catalog."C",
    xid xid8 CONSTRAINT workflow_data_change_xid_not_null NOT NULL,
    id bigint CONSTRAINT workflow_data_change_id_not_null NOT NULL,
    op text CONSTRAINT workflow_data_change_op_not_null NOT NULL COLLATE pg_catalog."C",
    key text CONSTRAINT workflow_data_change_key_not_null NOT NULL COLLATE pg_catalog."C",
    revision bigint CONSTRAINT workflow_data_change_revision_not_null NOT NULL,
    seen pg_snapshot,
    created_at timestamp with time zone CONSTRAINT workflow_data_change_created_at_not_null NOT NULL,
    CONSTRAINT workflow_data_change_op_check CHECK ((op = ANY (ARRAY['set'::text, 'deleted'::text, 'expired'::text])))
);

ALTER TABLE ONLY holdfast.workflow_data_change_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_data_store (
    tenant uuid NOT NULL,
    store_id uuid NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL,
    value_type text DEFAULT 'json'::text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    expires_at timestamp with time zone,
    size integer NOT NULL,
    created_by_run_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_data_store_key_check CHECK (((length(key) >= 1) AND (length(key) <= 512))),
    CONSTRAINT workflow_data_store_namespace_check CHECK (((length(namespace) >= 1) AND (length(namespace) <= 256))),
    CONSTRAINT workflow_data_store_revision_check CHECK ((revision > 0)),
    CONSTRAINT workflow_data_store_size_check CHECK ((size >= 0)),
    CONSTRAINT workflow_data_store_value_type_check CHECK ((value_type = ANY (ARRAY['string'::text, 'number'::text, 'boolean'::text, 'json'::text])))
)
WITH (fillfactor='85');

ALTER TABLE ONLY holdfast.workflow_data_store FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_definition_registry (
    name text NOT NULL COLLATE pg_catalog."C",
    revision integer NOT NULL,
    display_name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    container_image text,
    input_schema jsonb NOT NULL,
    version text,
    tags text[] DEFAULT '{}'::text[] NOT NULL,
    concurrent_input text DEFAULT 'reject'::text NOT NULL,
    timeout_seconds double precision,
    source text NOT NULL,
    phase text DEFAULT 'Active'::text NOT NULL,
    phase_reason text,
    registered_at timestamp with time zone DEFAULT now() NOT NULL,
    last_updated timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT definition_executable CHECK (((source = 'code'::text) OR (container_image IS NOT NULL))),
    CONSTRAINT workflow_definition_registry_concurrent_input_check CHECK ((concurrent_input = ANY (ARRAY['reject'::text, 'enqueue'::text, 'interrupt'::text]))),
    CONSTRAINT workflow_definition_registry_container_image_check CHECK ((container_image ~ '^[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*:[a-zA-Z0-9._-]+$'::text)),
    CONSTRAINT workflow_definition_registry_description_check CHECK ((length(description) <= 500)),
    CONSTRAINT workflow_definition_registry_display_name_check CHECK (((length(display_name) >= 1) AND (length(display_name) <= 100))),
    CONSTRAINT workflow_definition_registry_input_schema_check CHECK ((jsonb_typeof(input_schema) = 'object'::text)),
    CONSTRAINT workflow_definition_registry_name_check CHECK (((name ~ '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$'::text) AND (length(name) <= 63))),
    CONSTRAINT workflow_definition_registry_phase_check CHECK ((phase = ANY (ARRAY['Active'::text, 'Deprecated'::text, 'Error'::text]))),
    CONSTRAINT workflow_definition_registry_revision_check CHECK ((revision >= 1)),
    CONSTRAINT workflow_definition_registry_source_check CHECK ((source = ANY (ARRAY['code'::text, 'registry'::text, 'kubernetes'::text]))),
    CONSTRAINT workflow_definition_registry_timeout_seconds_check CHECK ((timeout_seconds > (0)::double precision)),
    CONSTRAINT workflow_definition_registry_version_check CHECK ((version ~ '^v[0-9]+\.[0-9]+\.[0-9]+$'::text))
);

CREATE TABLE holdfast.workflow_definition_version (
    name text NOT NULL COLLATE pg_catalog."C",
    revision integer NOT NULL,
    spec jsonb NOT NULL,
    graph jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

CREATE TABLE holdfast.workflow_definitions (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    entity_type text NOT NULL COLLATE pg_catalog."C",
    definition_kind text NOT NULL COLLATE pg_catalog."C",
    version integer DEFAULT 1 NOT NULL,
    name text NOT NULL,
    note text DEFAULT ''::text NOT NULL,
    status text DEFAULT 'draft'::text NOT NULL COLLATE pg_catalog."C",
    is_default boolean DEFAULT false NOT NULL,
    automation boolean DEFAULT false NOT NULL,
    contract_json jsonb,
    nodes_json jsonb,
    edges_json jsonb,
    slots_json jsonb,
    base_ref jsonb,
    body_patches_json jsonb,
    held_back_json jsonb,
    compiled_json jsonb,
    compiled_hash text COLLATE pg_catalog."C",
    compiler_version text COLLATE pg_catalog."C",
    source_definition_id uuid,
    revision integer DEFAULT 1 NOT NULL,
    editors text[] DEFAULT '{}'::text[] NOT NULL,
    proposed_at timestamp with time zone,
    proposed_by text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    published_at timestamp with time zone,
    published_by text,
    archived_at timestamp with time zone,
    CONSTRAINT workflow_definitions_compiled_hash_check CHECK ((compiled_hash ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT workflow_definitions_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_definitions_definition_kind_check CHECK ((definition_kind = ANY (ARRAY['envelope'::text, 'org_patch'::text, 'effective'::text]))),
    CONSTRAINT workflow_definitions_effective CHECK (((definition_kind <> 'effective'::text) OR ((NOT is_default) AND (status <> 'draft'::text) AND (compiled_json IS NOT NULL) AND (compiled_hash IS NOT NULL) AND (compiler_version IS NOT NULL) AND (nodes_json IS NOT NULL) AND (edges_json IS NOT NULL) AND (base_ref IS NOT NULL) AND (body_patches_json IS NULL) AND (contract_json IS NULL)))),
    CONSTRAINT workflow_definitions_entity_type_check CHECK ((entity_type ~ '^[a-z][a-z0-9_]{0,63}$'::text)),
    CONSTRAINT workflow_definitions_envelope CHECK (((definition_kind <> 'envelope'::text) OR (is_default AND (status = 'published'::text) AND (nodes_json IS NOT NULL) AND (edges_json IS NOT NULL) AND (slots_json IS NOT NULL) AND (contract_json IS NOT NULL) AND (body_patches_json IS NULL) AND (base_ref IS NULL) AND (compiled_json IS NULL) AND (compiled_hash IS NULL)))),
    CONSTRAINT workflow_definitions_held_back CHECK (((held_back_json IS NULL) OR ((definition_kind = 'org_patch'::text) AND (status = 'draft'::text)))),
    CONSTRAINT workflow_definitions_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256))),
    CONSTRAINT workflow_definitions_note_check CHECK ((length(note) <= 4000)),
    CONSTRAINT workflow_definitions_org_patch CHECK (((definition_kind <> 'org_patch'::text) OR ((NOT is_default) AND (body_patches_json IS NOT NULL) AND (base_ref IS NOT NULL) AND (nodes_json IS NULL) AND (edges_json IS NULL) AND (slots_json IS NULL) AND (compiled_json IS NULL) AND (compiled_hash IS NULL) AND (contract_json IS NULL)))),
    CONSTRAINT workflow_definitions_proposed CHECK (((proposed_at IS NULL) = (proposed_by IS NULL))),
    CONSTRAINT workflow_definitions_published CHECK (((status = 'draft'::text) = (published_at IS NULL))),
    CONSTRAINT workflow_definitions_revision_check CHECK ((revision >= 1)),
    CONSTRAINT workflow_definitions_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text]))),
    CONSTRAINT workflow_definitions_version_check CHECK ((version >= 1))
);

ALTER TABLE ONLY holdfast.workflow_definitions FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_definitions.entity_type IS 'The document type, or the name of the automation.';

COMMENT ON COLUMN holdfast.workflow_definitions.contract_json IS 'The contract an envelope was generated from; for an automation, the schemas of what starts it and of its variables.';

COMMENT ON COLUMN holdfast.workflow_definitions.held_back_json IS 'Patches that a rebase could not carry over, by slot, each with what is in its way; NULL when nothing is left to decide.';

COMMENT ON COLUMN holdfast.workflow_definitions.source_definition_id IS 'The org_patch that an effective row was compiled from.';

COMMENT ON COLUMN holdfast.workflow_definitions.revision IS 'Counts the changes of a draft, so that two editors notice each other.';

COMMENT ON COLUMN holdfast.workflow_definitions.editors IS 'Everybody who began or changed the draft.';

COMMENT ON COLUMN holdfast.workflow_definitions.proposed_by IS 'Who asks for the draft, as it is, to be published; nobody any more once it is changed.';

CREATE TABLE holdfast.workflow_draft_editors (
    tenant uuid NOT NULL,
    definition_id uuid NOT NULL,
    editor text NOT NULL,
    client text NOT NULL COLLATE pg_catalog."C",
    since timestamp with time zone DEFAULT now() NOT NULL,
    lease_until timestamp with time zone NOT NULL,
    CONSTRAINT workflow_draft_editors_client_check CHECK (((length(client) >= 1) AND (length(client) <= 100))),
    CONSTRAINT workflow_draft_editors_editor_check CHECK (((length(editor) >= 1) AND (length(editor) <= 300)))
);

ALTER TABLE ONLY holdfast.workflow_draft_editors FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_draft_editors.client IS 'Which window or program of the editor: one person may have two open.';

CREATE TABLE holdfast.workflow_effect_lane (
    tenant uuid NOT NULL
);

ALTER TABLE ONLY holdfast.workflow_effect_lane FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_entity_links (
    tenant uuid NOT NULL,
    link_id uuid NOT NULL,
    namespace text NOT NULL COLLATE pg_catalog."C",
    left_type text NOT NULL COLLATE pg_catalog."C",
    left_id text NOT NULL COLLATE pg_catalog."C",
    right_type text NOT NULL COLLATE pg_catalog."C",
    right_id text NOT NULL COLLATE pg_catalog."C",
    relation text DEFAULT 'related'::text NOT NULL COLLATE pg_catalog."C",
    attributes jsonb DEFAULT '{}'::jsonb NOT NULL,
    created_by_run_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_entity_links_attributes_check CHECK ((jsonb_typeof(attributes) = 'object'::text)),
    CONSTRAINT workflow_entity_links_left_id_check CHECK (((length(left_id) >= 1) AND (length(left_id) <= 512))),
    CONSTRAINT workflow_entity_links_left_type_check CHECK (((length(left_type) >= 1) AND (length(left_type) <= 256))),
    CONSTRAINT workflow_entity_links_namespace_check CHECK (((length(namespace) >= 1) AND (length(namespace) <= 256))),
    CONSTRAINT workflow_entity_links_relation_check CHECK (((length(relation) >= 1) AND (length(relation) <= 256))),
    CONSTRAINT workflow_entity_links_right_id_check CHECK (((length(right_id) >= 1) AND (length(right_id) <= 512))),
    CONSTRAINT workflow_entity_links_right_type_check CHECK (((length(right_type) >= 1) AND (length(right_type) <= 256)))
);

ALTER TABLE ONLY holdfast.workflow_entity_links FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_event_chained (
    tenant uuid NOT NULL,
    object_kind text NOT NULL COLLATE pg_catalog."C",
    object_id uuid NOT NULL,
    id bigint DEFAULT nextval('holdfast.workflow_event_id'::regclass) NOT NULL,
    event_type text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL,
    step_id text,
    data jsonb DEFAULT '{}'::jsonb NOT NULL,
    trace_id text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    seq bigint NOT NULL,
    prev_hash bytea NOT NULL,
    hash bytea NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY holdfast.workflow_event_chained FORCE ROW LEVEL SECURITY;

CREATE VIEW holdfast.workflow_event WITH (security_invoker='true') AS
 SELECT workflow_event_chained.tenant,
    workflow_event_chained.object_kind,
    workflow_event_chained.object_id,
    workflow_event_chained.id,
    workflow_event_chained.event_type,
    workflow_event_chained.actor,
    workflow_event_chained.step_id,
    workflow_event_chained.data,
    workflow_event_chained.trace_id,
    workflow_event_chained.created_at,
    workflow_event_chained.seq,
    workflow_event_chained.prev_hash,
    workflow_event_chained.hash
   FROM holdfast.workflow_event_chained
UNION ALL
 SELECT workflow_event_plain.tenant,
    workflow_event_plain.object_kind,
    workflow_event_plain.object_id,
    workflow_event_plain.id,
    workflow_event_plain.event_type,
    workflow_event_plain.actor,
    workflow_event_plain.step_id,
    workflow_event_plain.data,
    workflow_event_plain.trace_id,
    workflow_event_plain.created_at,
    NULL::bigint AS seq,
    NULL::bytea AS prev_hash,
    NULL::bytea AS hash
   FROM holdfast.workflow_event_plain;

CREATE TABLE holdfast.workflow_event_chained_default (
    tenant uuid CONSTRAINT workflow_event_chained_tenant_not_null NOT NULL,
    object_kind text CONSTRAINT workflow_event_chained_object_kind_not_null NOT NULL COLLATE pg_catalog."C",
    object_id uuid CONSTRAINT workflow_event_chained_object_id_not_null NOT NULL,
    id bigint DEFAULT nextval('holdfast.workflow_event_id'::regclass) CONSTRAINT workflow_event_chained_id_not_null NOT NULL,
    event_type text CONSTRAINT workflow_event_chained_event_type_not_null NOT NULL COLLATE pg_catalog."C",
    actor text CONSTRAINT workflow_event_chained_actor_not_null NOT NULL,
    step_id text,
    data jsonb DEFAULT '{}'::jsonb CONSTRAINT workflow_event_chained_data_not_null NOT NULL,
    trace_id text,
    created_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_event_chained_created_at_not_null NOT NULL,
    seq bigint CONSTRAINT workflow_event_chained_seq_not_null NOT NULL,
    prev_hash bytea CONSTRAINT workflow_event_chained_prev_hash_not_null NOT NULL,
    hash bytea CONSTRAINT workflow_event_chained_hash_not_null NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() CONSTRAINT workflow_event_chained_xid_not_null NOT NULL
);

ALTER TABLE ONLY holdfast.workflow_event_chained_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_event_plain_default (
    tenant uuid CONSTRAINT workflow_event_plain_tenant_not_null NOT NULL,
    object_kind text CONSTRAINT workflow_event_plain_object_kind_not_null NOT NULL COLLATE pg_catalog."C",
    object_id uuid CONSTRAINT workflow_event_plain_object_id_not_null NOT NULL,
    id bigint DEFAULT nextval('holdfast.workflow_event_id'::regclass) CONSTRAINT workflow_event_plain_id_not_null NOT NULL,
    event_type text CONSTRAINT workflow_event_plain_event_type_not_null NOT NULL COLLATE pg_catalog."C",
    actor text CONSTRAINT workflow_event_plain_actor_not_null NOT NULL,
    step_id text,
    data jsonb DEFAULT '{}'::jsonb CONSTRAINT workflow_event_plain_data_not_null NOT NULL,
    trace_id text,
    created_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_event_plain_created_at_not_null NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() CONSTRAINT workflow_event_plain_xid_not_null NOT NULL,
    CONSTRAINT workflow_event_plain_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 300))),
    CONSTRAINT workflow_event_plain_event_type_check CHECK (((length(event_type) >= 1) AND (length(event_type) <= 128))),
    CONSTRAINT workflow_event_plain_object_kind_check CHECK ((object_kind = ANY (ARRAY['action'::text, 'data'::text, 'outbox'::text, 'read'::text, 'run'::text, 'schedule'::text, 'session'::text])))
);

ALTER TABLE ONLY holdfast.workflow_event_plain_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_events_outbox_default (
    tenant uuid CONSTRAINT workflow_events_outbox_tenant_not_null NOT NULL,
    created_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_events_outbox_created_at_not_null NOT NULL,
    id uuid CONSTRAINT workflow_events_outbox_id_not_null NOT NULL,
    instance_id uuid CONSTRAINT workflow_events_outbox_instance_id_not_null NOT NULL,
    entity_type text COLLATE pg_catalog."C",
    entity_id uuid,
    entity_version integer CONSTRAINT workflow_events_outbox_entity_version_not_null NOT NULL,
    definition_version integer,
    event_type text CONSTRAINT workflow_events_outbox_event_type_not_null NOT NULL COLLATE pg_catalog."C",
    payload_json jsonb DEFAULT '{}'::jsonb CONSTRAINT workflow_events_outbox_payload_json_not_null NOT NULL,
    event_idempotency_key text CONSTRAINT workflow_events_outbox_event_idempotency_key_not_null NOT NULL COLLATE pg_catalog."C",
    actor jsonb CONSTRAINT workflow_events_outbox_actor_not_null NOT NULL,
    trace_id text,
    status text DEFAULT 'pending'::text CONSTRAINT workflow_events_outbox_status_not_null NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 CONSTRAINT workflow_events_outbox_attempts_not_null NOT NULL,
    max_attempts integer DEFAULT 5 CONSTRAINT workflow_events_outbox_max_attempts_not_null NOT NULL,
    next_retry_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_events_outbox_next_retry_at_not_null NOT NULL,
    lease_epoch bigint DEFAULT 0 CONSTRAINT workflow_events_outbox_lease_epoch_not_null NOT NULL,
    lease_until timestamp with time zone,
    leased_by text,
    completed_at timestamp with time zone,
    error text,
    needs text COLLATE pg_catalog."C"
);

ALTER TABLE ONLY holdfast.workflow_events_outbox_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_executions (
    tenant uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    rule_id uuid NOT NULL,
    rule_name text NOT NULL COLLATE pg_catalog."C",
    entity_id uuid NOT NULL,
    entity_version integer NOT NULL,
    operation text NOT NULL COLLATE pg_catalog."C",
    matched boolean NOT NULL,
    evidence jsonb DEFAULT '{}'::jsonb NOT NULL,
    actor text NOT NULL,
    CONSTRAINT workflow_executions_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 300)))
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY holdfast.workflow_executions FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_executions_default (
    tenant uuid CONSTRAINT workflow_executions_tenant_not_null NOT NULL,
    created_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_executions_created_at_not_null NOT NULL,
    id uuid CONSTRAINT workflow_executions_id_not_null NOT NULL,
    rule_id uuid CONSTRAINT workflow_executions_rule_id_not_null NOT NULL,
    rule_name text CONSTRAINT workflow_executions_rule_name_not_null NOT NULL COLLATE pg_catalog."C",
    entity_id uuid CONSTRAINT workflow_executions_entity_id_not_null NOT NULL,
    entity_version integer CONSTRAINT workflow_executions_entity_version_not_null NOT NULL,
    operation text CONSTRAINT workflow_executions_operation_not_null NOT NULL COLLATE pg_catalog."C",
    matched boolean CONSTRAINT workflow_executions_matched_not_null NOT NULL,
    evidence jsonb DEFAULT '{}'::jsonb CONSTRAINT workflow_executions_evidence_not_null NOT NULL,
    actor text CONSTRAINT workflow_executions_actor_not_null NOT NULL,
    CONSTRAINT workflow_executions_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 300)))
);

ALTER TABLE ONLY holdfast.workflow_executions_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_inbound_events (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    event_key text NOT NULL COLLATE pg_catalog."C",
    dedup_key text NOT NULL COLLATE pg_catalog."C",
    payload_json jsonb DEFAULT '{}'::jsonb NOT NULL,
    actor text NOT NULL,
    trace_id text,
    received_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    matched_at timestamp with time zone,
    instance_id uuid,
    CONSTRAINT workflow_inbound_events_actor_check CHECK (((length(actor) >= 1) AND (length(actor) <= 300))),
    CONSTRAINT workflow_inbound_events_check CHECK ((expires_at > received_at)),
    CONSTRAINT workflow_inbound_events_dedup_key_check CHECK (((length(dedup_key) >= 1) AND (length(dedup_key) <= 512))),
    CONSTRAINT workflow_inbound_events_event_key_check CHECK (((length(event_key) >= 1) AND (length(event_key) <= 512))),
    CONSTRAINT workflow_inbound_events_matched CHECK (((instance_id IS NULL) OR (matched_at IS NOT NULL))),
    CONSTRAINT workflow_inbound_events_trace_id_check CHECK ((length(trace_id) <= 256))
);

ALTER TABLE ONLY holdfast.workflow_inbound_events FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_instances (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    definition_id uuid NOT NULL,
    definition_version integer NOT NULL,
    compiled_hash text NOT NULL COLLATE pg_catalog."C",
    entity_type text NOT NULL COLLATE pg_catalog."C",
    workflow_id text GENERATED ALWAYS AS (entity_type) STORED COLLATE pg_catalog."C",
    entity_id uuid,
    entity_version integer DEFAULT 1 NOT NULL,
    subject_id text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    partition_id text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'running'::text NOT NULL COLLATE pg_catalog."C",
    reason text,
    doc_status text COLLATE pg_catalog."C",
    current_nodes text[] DEFAULT '{}'::text[] NOT NULL,
    current_step text GENERATED ALWAYS AS (current_nodes[1]) STORED,
    active_tokens jsonb DEFAULT '[]'::jsonb NOT NULL,
    context_json jsonb DEFAULT '{}'::jsonb NOT NULL,
    state jsonb DEFAULT '{}'::jsonb NOT NULL,
    edit_window text DEFAULT 'editable'::text NOT NULL COLLATE pg_catalog."C",
    version integer DEFAULT 1 NOT NULL,
    timeout_at timestamp with time zone,
    timer_sent_for timestamp with time zone,
    paused_at timestamp with time zone,
    paused_by text,
    pause_reason text,
    rejection jsonb,
    amended_from_instance uuid,
    created_by text NOT NULL,
    party jsonb,
    trace_id text,
    started_at timestamp with time zone DEFAULT now() NOT NULL,
    completed_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_step_execution_id uuid
)
WITH (fillfactor='70', toast_tuple_target='4080');

ALTER TABLE ONLY holdfast.workflow_instances FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_instances.state IS 'What a position holds beside tokens and variables: splits and loops under way, unused decisions, counters.';

COMMENT ON COLUMN holdfast.workflow_instances.timeout_at IS 'When the next timer or timeout of its open steps is due.';

COMMENT ON COLUMN holdfast.workflow_instances.timer_sent_for IS 'The timeout_at for which the engine has been told already.';

COMMENT ON COLUMN holdfast.workflow_instances.paused_at IS 'When an operator stopped it; a failed step pauses it without this.';

COMMENT ON COLUMN holdfast.workflow_instances.rejection IS 'The latest decision against: node, by, reason, entity_version, at. Gone when a gate is passed after it.';

CREATE TABLE holdfast.workflow_lane (
    tenant uuid NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE ONLY holdfast.workflow_lane FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_notifications (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    subject text NOT NULL,
    body text DEFAULT ''::text NOT NULL,
    instance_id uuid,
    request_id uuid,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    read_at timestamp with time zone,
    number bigint DEFAULT nextval('holdfast.workflow_event_id'::regclass) NOT NULL,
    xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
    CONSTRAINT workflow_notifications_body_check CHECK ((length(body) <= 100000)),
    CONSTRAINT workflow_notifications_key_check CHECK (((length(key) >= 1) AND (length(key) <= 256))),
    CONSTRAINT workflow_notifications_subject_check CHECK ((length(subject) <= 2000))
);

ALTER TABLE ONLY holdfast.workflow_notifications FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_nudge (
    tenant uuid NOT NULL,
    id uuid DEFAULT gen_random_uuid() NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    key text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT workflow_nudge_kind_check CHECK ((kind = ANY (ARRAY['key'::text, 'event'::text])))
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='1000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY holdfast.workflow_nudge FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_operation (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    input jsonb NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    run_id uuid NOT NULL,
    "position" jsonb,
    total bigint,
    succeeded bigint DEFAULT 0 NOT NULL,
    skipped bigint DEFAULT 0 NOT NULL,
    failed bigint DEFAULT 0 NOT NULL,
    result jsonb,
    error text,
    party jsonb NOT NULL,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    started_at timestamp with time zone,
    finished_at timestamp with time zone,
    cancelled_by text,
    CONSTRAINT workflow_operation_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_operation_error CHECK (((status <> 'failed'::text) OR (error IS NOT NULL))),
    CONSTRAINT workflow_operation_finished CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT workflow_operation_input_check CHECK ((jsonb_typeof(input) = 'object'::text)),
    CONSTRAINT workflow_operation_kind_check CHECK ((kind ~ '^[a-z][a-z0-9_.]{0,62}$'::text)),
    CONSTRAINT workflow_operation_party_check CHECK (((party ? 'kind'::text) AND (party ? 'name'::text))),
    CONSTRAINT workflow_operation_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT workflow_operation_total_check CHECK ((total >= 0))
);

ALTER TABLE ONLY holdfast.workflow_operation FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_operation."position" IS 'Where the next batch begins, as its kind understands it.';

COMMENT ON COLUMN holdfast.workflow_operation.party IS 'Who asked for it, with the rights they had then.';

CREATE TABLE holdfast.workflow_operation_item (
    tenant uuid NOT NULL,
    operation_id uuid NOT NULL,
    seq bigint NOT NULL,
    item text NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    code text,
    detail text,
    CONSTRAINT workflow_operation_item_detail_check CHECK ((length(detail) <= 2000)),
    CONSTRAINT workflow_operation_item_item_check CHECK (((length(item) >= 1) AND (length(item) <= 512))),
    CONSTRAINT workflow_operation_item_outcome_check CHECK ((outcome = ANY (ARRAY['succeeded'::text, 'skipped'::text, 'failed'::text]))),
    CONSTRAINT workflow_operation_item_seq_check CHECK ((seq >= 1))
);

ALTER TABLE ONLY holdfast.workflow_operation_item FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_outbox_receipts (
    tenant uuid NOT NULL,
    instance_id uuid NOT NULL,
    source_table text NOT NULL COLLATE pg_catalog."C",
    event_idempotency_key text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_outbox_receipts_event_idempotency_key_check CHECK ((event_idempotency_key ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT workflow_outbox_receipts_source_table_check CHECK ((source_table = ANY (ARRAY['events'::text, 'side_effects'::text])))
);

ALTER TABLE ONLY holdfast.workflow_outbox_receipts FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_pause (
    tenant uuid NOT NULL,
    prefix text NOT NULL COLLATE pg_catalog."C",
    paused_at timestamp with time zone DEFAULT now() NOT NULL,
    paused_by text NOT NULL,
    CONSTRAINT workflow_pause_prefix_check CHECK (((length(prefix) >= 1) AND (length(prefix) <= 256)))
);

ALTER TABLE ONLY holdfast.workflow_pause FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_rate (
    tenant uuid NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone NOT NULL
);

ALTER TABLE ONLY holdfast.workflow_rate FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_rules (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    entity_type text NOT NULL COLLATE pg_catalog."C",
    timing text NOT NULL COLLATE pg_catalog."C",
    operations text[] NOT NULL,
    condition text,
    effect text NOT NULL COLLATE pg_catalog."C",
    config jsonb DEFAULT '{}'::jsonb NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_rules_condition_check CHECK (((length(condition) >= 1) AND (length(condition) <= 500))),
    CONSTRAINT workflow_rules_config_check CHECK ((jsonb_typeof(config) = 'object'::text)),
    CONSTRAINT workflow_rules_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_rules_effect CHECK ((((timing = 'before'::text) AND (effect = ANY (ARRAY['reject'::text, 'set'::text, 'note'::text]))) OR ((timing = 'after'::text) AND (effect = ANY (ARRAY['emit'::text, 'note'::text]))))),
    CONSTRAINT workflow_rules_entity_type_check CHECK ((entity_type ~ '^[a-z][a-z0-9_]{0,63}$'::text)),
    CONSTRAINT workflow_rules_name_check CHECK ((name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'::text)),
    CONSTRAINT workflow_rules_operations_check CHECK (((cardinality(operations) >= 1) AND (operations <@ ARRAY['create'::text, 'update'::text, 'transition'::text, 'amend'::text, 'delete'::text]))),
    CONSTRAINT workflow_rules_priority_check CHECK (((priority >= '-1000'::integer) AND (priority <= 1000))),
    CONSTRAINT workflow_rules_timing_check CHECK ((timing = ANY (ARRAY['before'::text, 'after'::text])))
);

ALTER TABLE ONLY holdfast.workflow_rules FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_run_live (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    priority integer DEFAULT 0 NOT NULL,
    ready boolean DEFAULT true NOT NULL,
    blocked boolean DEFAULT false NOT NULL,
    waiting_for text COLLATE pg_catalog."C",
    idempotency_key text,
    payload jsonb NOT NULL,
    error jsonb,
    last_error text,
    attempt integer DEFAULT 0 NOT NULL,
    max_attempts integer DEFAULT 3 NOT NULL,
    run_at timestamp with time zone NOT NULL,
    lease_epoch bigint DEFAULT 0 NOT NULL,
    lease_until timestamp with time zone,
    leased_by text,
    trace_parent text,
    parent_id uuid,
    concurrency_key text COLLATE pg_catalog."C",
    concurrency_limit integer,
    created_by text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    deleted_at timestamp with time zone,
    delete_reason text,
    party jsonb
)
WITH (autovacuum_vacuum_scale_factor='0.05', autovacuum_vacuum_threshold='5000', autovacuum_vacuum_cost_delay='0');

ALTER TABLE ONLY holdfast.workflow_run_live FORCE ROW LEVEL SECURITY;

CREATE VIEW holdfast.workflow_run WITH (security_invoker='true') AS
 SELECT workflow_run_live.tenant,
    workflow_run_live.id,
    false AS done,
    workflow_run_live.type,
    workflow_run_live.status,
    workflow_run_live.priority,
    workflow_run_live.ready,
    workflow_run_live.blocked,
    workflow_run_live.waiting_for,
    workflow_run_live.idempotency_key,
    workflow_run_live.payload,
    NULL::jsonb AS result,
    workflow_run_live.error,
    workflow_run_live.last_error,
    workflow_run_live.attempt,
    workflow_run_live.max_attempts,
    workflow_run_live.run_at,
    workflow_run_live.lease_epoch,
    workflow_run_live.lease_until,
    workflow_run_live.leased_by,
    workflow_run_live.trace_parent,
    workflow_run_live.parent_id,
    workflow_run_live.concurrency_key,
    workflow_run_live.concurrency_limit,
    workflow_run_live.created_by,
    workflow_run_live.created_at,
    workflow_run_live.updated_at,
    NULL::timestamp with time zone AS finished_at,
    workflow_run_live.deleted_at,
    workflow_run_live.delete_reason,
    workflow_run_live.party,
    NULL::uuid AS retried_as
   FROM holdfast.workflow_run_live
UNION ALL
 SELECT workflow_run_done.tenant,
    workflow_run_done.id,
    true AS done,
    workflow_run_done.type,
    workflow_run_done.status,
    workflow_run_done.priority,
    false AS ready,
    false AS blocked,
    NULL::text AS waiting_for,
    workflow_run_done.idempotency_key,
    workflow_run_done.payload,
    workflow_run_done.result,
    workflow_run_done.error,
    workflow_run_done.last_error,
    workflow_run_done.attempt,
    workflow_run_done.max_attempts,
    workflow_run_done.run_at,
    workflow_run_done.lease_epoch,
    NULL::timestamp with time zone AS lease_until,
    NULL::text AS leased_by,
    workflow_run_done.trace_parent,
    workflow_run_done.parent_id,
    workflow_run_done.concurrency_key,
    workflow_run_done.concurrency_limit,
    workflow_run_done.created_by,
    workflow_run_done.created_at,
    workflow_run_done.updated_at,
    workflow_run_done.finished_at,
    workflow_run_done.deleted_at,
    workflow_run_done.delete_reason,
    workflow_run_done.party,
    workflow_run_done.retried_as
   FROM holdfast.workflow_run_done;

CREATE TABLE holdfast.workflow_run_done_default (
    tenant uuid CONSTRAINT workflow_run_done_tenant_not_null NOT NULL,
    id uuid CONSTRAINT workflow_run_done_id_not_null NOT NULL,
    type text CONSTRAINT workflow_run_done_type_not_null NOT NULL COLLATE pg_catalog."C",
    status text CONSTRAINT workflow_run_done_status_not_null NOT NULL COLLATE pg_catalog."C",
    priority integer CONSTRAINT workflow_run_done_priority_not_null NOT NULL,
    idempotency_key text,
    payload jsonb CONSTRAINT workflow_run_done_payload_not_null NOT NULL,
    result jsonb,
    error jsonb,
    last_error text,
    attempt integer CONSTRAINT workflow_run_done_attempt_not_null NOT NULL,
    max_attempts integer CONSTRAINT workflow_run_done_max_attempts_not_null NOT NULL,
    run_at timestamp with time zone CONSTRAINT workflow_run_done_run_at_not_null NOT NULL,
    lease_epoch bigint CONSTRAINT workflow_run_done_lease_epoch_not_null NOT NULL,
    trace_parent text,
    parent_id uuid,
    concurrency_key text COLLATE pg_catalog."C",
    concurrency_limit integer,
    created_by text CONSTRAINT workflow_run_done_created_by_not_null NOT NULL,
    created_at timestamp with time zone CONSTRAINT workflow_run_done_created_at_not_null NOT NULL,
    updated_at timestamp with time zone CONSTRAINT workflow_run_done_updated_at_not_null NOT NULL,
    finished_at timestamp with time zone CONSTRAINT workflow_run_done_finished_at_not_null NOT NULL,
    deleted_at timestamp with time zone,
    delete_reason text,
    party jsonb,
    retried_as uuid,
    CONSTRAINT workflow_run_finished CHECK ((status = ANY ('{succeeded,failed,cancelled}'::text[])))
);

ALTER TABLE ONLY holdfast.workflow_run_done_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_run_key (
    tenant uuid NOT NULL,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    run_id uuid NOT NULL,
    fingerprint bytea NOT NULL
);

ALTER TABLE ONLY holdfast.workflow_run_key FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_run_step (
    tenant uuid NOT NULL,
    run_id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    result jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_run_step_name_check CHECK (((length(name) >= 1) AND (length(name) <= 256)))
);

ALTER TABLE ONLY holdfast.workflow_run_step FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_run_wait (
    tenant uuid NOT NULL,
    run_id uuid NOT NULL,
    instance_id uuid NOT NULL,
    token_id text NOT NULL,
    step_key text NOT NULL COLLATE pg_catalog."C",
    entity_version integer NOT NULL,
    CONSTRAINT workflow_run_wait_step_key_check CHECK ((step_key ~ '^[0-9a-f]{64}$'::text))
);

ALTER TABLE ONLY holdfast.workflow_run_wait FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_schedule (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    description text DEFAULT ''::text NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    payload jsonb DEFAULT '{}'::jsonb NOT NULL,
    cron text NOT NULL,
    timezone text NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    max_attempts integer,
    missed text DEFAULT 'once'::text NOT NULL,
    missed_limit integer DEFAULT 100 NOT NULL,
    overlap text DEFAULT 'allow'::text NOT NULL,
    starts_at timestamp with time zone,
    ends_at timestamp with time zone,
    paused_at timestamp with time zone,
    paused_by text,
    next_fire_at timestamp with time zone,
    last_fire_at timestamp with time zone,
    last_run_id uuid,
    last_error text,
    created_by text NOT NULL,
    party jsonb,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_schedule_at_rest CHECK (((paused_at IS NULL) OR (next_fire_at IS NULL))),
    CONSTRAINT workflow_schedule_cron_check CHECK (((length(cron) >= 1) AND (length(cron) <= 200))),
    CONSTRAINT workflow_schedule_description_check CHECK ((length(description) <= 1000)),
    CONSTRAINT workflow_schedule_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 1000))),
    CONSTRAINT workflow_schedule_missed_check CHECK ((missed = ANY (ARRAY['skip'::text, 'once'::text, 'all'::text]))),
    CONSTRAINT workflow_schedule_missed_limit_check CHECK (((missed_limit >= 1) AND (missed_limit <= 1000))),
    CONSTRAINT workflow_schedule_name_check CHECK ((name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'::text)),
    CONSTRAINT workflow_schedule_overlap_check CHECK ((overlap = ANY (ARRAY['allow'::text, 'skip'::text]))),
    CONSTRAINT workflow_schedule_pause CHECK (((paused_at IS NULL) = (paused_by IS NULL))),
    CONSTRAINT workflow_schedule_priority_check CHECK (((priority >= '-1000'::integer) AND (priority <= 1000))),
    CONSTRAINT workflow_schedule_reserved CHECK (((NOT starts_with(name, 'holdfast.'::text)) OR ((name = 'holdfast.checkpoint-retention'::text) AND (type = 'session.retain.v1'::text)))),
    CONSTRAINT workflow_schedule_span CHECK ((starts_at < ends_at)),
    CONSTRAINT workflow_schedule_timezone_check CHECK (((length(timezone) >= 1) AND (length(timezone) <= 64))),
    CONSTRAINT workflow_schedule_type_check CHECK (((length(type) >= 1) AND (length(type) <= 256)))
);

ALTER TABLE ONLY holdfast.workflow_schedule FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_secrets (
    tenant uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    hosts text[] NOT NULL,
    key_id text NOT NULL,
    wrapped_key bytea NOT NULL,
    ciphertext bytea NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_by text NOT NULL,
    CONSTRAINT workflow_secrets_hosts_check CHECK (((cardinality(hosts) >= 1) AND (cardinality(hosts) <= 50))),
    CONSTRAINT workflow_secrets_name_check CHECK ((name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'::text)),
    CONSTRAINT workflow_secrets_updated_by_check CHECK (((length(updated_by) >= 1) AND (length(updated_by) <= 300)))
);

ALTER TABLE ONLY holdfast.workflow_secrets FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_secrets.hosts IS 'Where it may sign; authenticated with the ciphertext, as tenant and name are.';

COMMENT ON COLUMN holdfast.workflow_secrets.wrapped_key IS 'The key of this one secret, under the installation''s key of that id.';

CREATE TABLE holdfast.workflow_session_wait (
    tenant uuid NOT NULL,
    session_id uuid NOT NULL,
    instance_id uuid NOT NULL,
    token_id text NOT NULL,
    step_key text NOT NULL COLLATE pg_catalog."C",
    entity_version integer NOT NULL,
    CONSTRAINT workflow_session_wait_step_key_check CHECK ((step_key ~ '^[0-9a-f]{64}$'::text))
);

ALTER TABLE ONLY holdfast.workflow_session_wait FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_side_effects_outbox_default (
    tenant uuid CONSTRAINT workflow_side_effects_outbox_tenant_not_null NOT NULL,
    created_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_side_effects_outbox_created_at_not_null NOT NULL,
    id uuid CONSTRAINT workflow_side_effects_outbox_id_not_null NOT NULL,
    instance_id uuid CONSTRAINT workflow_side_effects_outbox_instance_id_not_null NOT NULL,
    step_execution_id uuid CONSTRAINT workflow_side_effects_outbox_step_execution_id_not_null NOT NULL,
    step_key text CONSTRAINT workflow_side_effects_outbox_step_key_not_null NOT NULL COLLATE pg_catalog."C",
    node_id text CONSTRAINT workflow_side_effects_outbox_node_id_not_null NOT NULL COLLATE pg_catalog."C",
    token_id text CONSTRAINT workflow_side_effects_outbox_token_id_not_null NOT NULL COLLATE pg_catalog."C",
    effect_type text CONSTRAINT workflow_side_effects_outbox_effect_type_not_null NOT NULL COLLATE pg_catalog."C",
    payload_json jsonb DEFAULT '{}'::jsonb CONSTRAINT workflow_side_effects_outbox_payload_json_not_null NOT NULL,
    event_idempotency_key text CONSTRAINT workflow_side_effects_outbox_event_idempotency_key_not_null NOT NULL COLLATE pg_catalog."C",
    awaited boolean DEFAULT false CONSTRAINT workflow_side_effects_outbox_awaited_not_null NOT NULL,
    created_by text CONSTRAINT workflow_side_effects_outbox_created_by_not_null NOT NULL,
    trace_id text,
    status text DEFAULT 'pending'::text CONSTRAINT workflow_side_effects_outbox_status_not_null NOT NULL COLLATE pg_catalog."C",
    attempts integer DEFAULT 0 CONSTRAINT workflow_side_effects_outbox_attempts_not_null NOT NULL,
    max_attempts integer DEFAULT 5 CONSTRAINT workflow_side_effects_outbox_max_attempts_not_null NOT NULL,
    next_retry_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_side_effects_outbox_next_retry_at_not_null NOT NULL,
    lease_epoch bigint DEFAULT 0 CONSTRAINT workflow_side_effects_outbox_lease_epoch_not_null NOT NULL,
    lease_until timestamp with time zone,
    leased_by text,
    completed_at timestamp with time zone,
    error text,
    response_json jsonb,
    CONSTRAINT workflow_side_effects_outbox_attempts_check CHECK ((attempts >= 0)),
    CONSTRAINT workflow_side_effects_outbox_completed CHECK (((status <> 'completed'::text) OR (completed_at IS NOT NULL))),
    CONSTRAINT workflow_side_effects_outbox_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_side_effects_outbox_effect_type_check CHECK ((effect_type ~ '^[a-z][a-z0-9_.-]{0,62}$'::text)),
    CONSTRAINT workflow_side_effects_outbox_event_idempotency_key_check CHECK ((event_idempotency_key ~ '^[0-9a-f]{64}$'::text)),
    CONSTRAINT workflow_side_effects_outbox_lease CHECK ((((status = 'processing'::text) = (lease_until IS NOT NULL)) AND ((status = 'processing'::text) = (leased_by IS NOT NULL)))),
    CONSTRAINT workflow_side_effects_outbox_max_attempts_check CHECK (((max_attempts >= 1) AND (max_attempts <= 50))),
    CONSTRAINT workflow_side_effects_outbox_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'dead_letter'::text, 'cancelled'::text]))),
    CONSTRAINT workflow_side_effects_outbox_trace_id_check CHECK ((length(trace_id) <= 256))
);

ALTER TABLE ONLY holdfast.workflow_side_effects_outbox_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_step_executions (
    tenant uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    id uuid NOT NULL,
    instance_id uuid NOT NULL,
    node_id text NOT NULL COLLATE pg_catalog."C",
    node_type text NOT NULL COLLATE pg_catalog."C",
    token_id text NOT NULL COLLATE pg_catalog."C",
    entity_version integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    outcome text COLLATE pg_catalog."C",
    run_as text DEFAULT 'actor'::text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    join_key text COLLATE pg_catalog."C",
    origin text COLLATE pg_catalog."C",
    opened_seq integer NOT NULL,
    settled_seq integer,
    waited text COLLATE pg_catalog."C",
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    duration_ms integer,
    input_json jsonb,
    opened_output jsonb,
    output_json jsonb,
    output_packed bytea,
    output_hash bytea,
    error jsonb,
    actor_user_id text,
    acted_as text,
    settled_by text,
    approval_request_id uuid,
    applied boolean,
    snapshot_version_id uuid,
    resume_at timestamp with time zone,
    waiting_for_event_key text COLLATE pg_catalog."C",
    trace_id text
)
PARTITION BY RANGE (created_at);

ALTER TABLE ONLY holdfast.workflow_step_executions FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_step_executions.waited IS 'The status it rested in; NULL when it passed straight through.';

COMMENT ON COLUMN holdfast.workflow_step_executions.opened_output IS 'The output of the record that opened a step which rested.';

COMMENT ON COLUMN holdfast.workflow_step_executions.output_packed IS 'After twelve months, in place of output_json: its text, compressed by zlib. output_hash is the SHA-256 of that text, and Postgres made it.';

COMMENT ON COLUMN holdfast.workflow_step_executions.acted_as IS 'Whose rights the step used: the evidence for run_as.';

CREATE TABLE holdfast.workflow_step_executions_default (
    tenant uuid CONSTRAINT workflow_step_executions_tenant_not_null NOT NULL,
    created_at timestamp with time zone DEFAULT now() CONSTRAINT workflow_step_executions_created_at_not_null NOT NULL,
    id uuid CONSTRAINT workflow_step_executions_id_not_null NOT NULL,
    instance_id uuid CONSTRAINT workflow_step_executions_instance_id_not_null NOT NULL,
    node_id text CONSTRAINT workflow_step_executions_node_id_not_null NOT NULL COLLATE pg_catalog."C",
    node_type text CONSTRAINT workflow_step_executions_node_type_not_null NOT NULL COLLATE pg_catalog."C",
    token_id text CONSTRAINT workflow_step_executions_token_id_not_null NOT NULL COLLATE pg_catalog."C",
    entity_version integer CONSTRAINT workflow_step_executions_entity_version_not_null NOT NULL,
    status text DEFAULT 'pending'::text CONSTRAINT workflow_step_executions_status_not_null NOT NULL COLLATE pg_catalog."C",
    outcome text COLLATE pg_catalog."C",
    run_as text DEFAULT 'actor'::text CONSTRAINT workflow_step_executions_run_as_not_null NOT NULL COLLATE pg_catalog."C",
    idempotency_key text CONSTRAINT workflow_step_executions_idempotency_key_not_null NOT NULL COLLATE pg_catalog."C",
    join_key text COLLATE pg_catalog."C",
    origin text COLLATE pg_catalog."C",
    opened_seq integer CONSTRAINT workflow_step_executions_opened_seq_not_null NOT NULL,
    settled_seq integer,
    waited text COLLATE pg_catalog."C",
    started_at timestamp with time zone,
    completed_at timestamp with time zone,
    duration_ms integer,
    input_json jsonb,
    opened_output jsonb,
    output_json jsonb,
    output_packed bytea,
    output_hash bytea,
    error jsonb,
    actor_user_id text,
    acted_as text,
    settled_by text,
    approval_request_id uuid,
    applied boolean,
    snapshot_version_id uuid,
    resume_at timestamp with time zone,
    waiting_for_event_key text COLLATE pg_catalog."C",
    trace_id text
);

ALTER TABLE ONLY holdfast.workflow_step_executions_default FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_step_receipts (
    tenant uuid NOT NULL,
    instance_id uuid NOT NULL,
    idempotency_key text NOT NULL COLLATE pg_catalog."C",
    step_execution_id uuid NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_step_receipts_idempotency_key_check CHECK ((idempotency_key ~ '^[0-9a-f]{64}$'::text))
);

ALTER TABLE ONLY holdfast.workflow_step_receipts FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_test_cases (
    tenant uuid NOT NULL,
    entity_type text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    description text DEFAULT ''::text NOT NULL,
    content jsonb NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_by text NOT NULL,
    CONSTRAINT workflow_test_cases_content_check CHECK ((jsonb_typeof(content) = 'object'::text)),
    CONSTRAINT workflow_test_cases_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_test_cases_description_check CHECK ((length(description) <= 1000)),
    CONSTRAINT workflow_test_cases_entity_type_check CHECK ((entity_type ~ '^[a-z][a-z0-9_]{0,63}$'::text)),
    CONSTRAINT workflow_test_cases_name_check CHECK ((((length(name) >= 1) AND (length(name) <= 200)) AND (name !~ '/'::text))),
    CONSTRAINT workflow_test_cases_updated_by_check CHECK (((length(updated_by) >= 1) AND (length(updated_by) <= 300)))
);

ALTER TABLE ONLY holdfast.workflow_test_cases FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_test_cases.content IS 'document, world, script, payload and expect.';

CREATE TABLE holdfast.workflow_triggers (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    workflow_id text NOT NULL COLLATE pg_catalog."C",
    trigger_type text NOT NULL COLLATE pg_catalog."C",
    entity_type text COLLATE pg_catalog."C",
    event_key text COLLATE pg_catalog."C",
    cron text,
    config jsonb DEFAULT '{}'::jsonb NOT NULL,
    condition text,
    enabled boolean DEFAULT true NOT NULL,
    next_at timestamp with time zone,
    last_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    party jsonb,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT workflow_triggers_condition_check CHECK (((length(condition) >= 1) AND (length(condition) <= 500))),
    CONSTRAINT workflow_triggers_config_check CHECK ((jsonb_typeof(config) = 'object'::text)),
    CONSTRAINT workflow_triggers_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_triggers_cron_check CHECK (((length(cron) >= 1) AND (length(cron) <= 256))),
    CONSTRAINT workflow_triggers_event_key_check CHECK (((length(event_key) >= 1) AND (length(event_key) <= 512))),
    CONSTRAINT workflow_triggers_name_check CHECK ((name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'::text)),
    CONSTRAINT workflow_triggers_party_check CHECK (((party ? 'kind'::text) AND (party ? 'name'::text))),
    CONSTRAINT workflow_triggers_shape CHECK (
CASE trigger_type
    WHEN 'on_event'::text THEN ((event_key IS NOT NULL) AND (cron IS NULL))
    WHEN 'on_timer'::text THEN ((cron IS NOT NULL) AND (event_key IS NULL))
    WHEN 'manual'::text THEN ((event_key IS NULL) AND (cron IS NULL))
    ELSE ((entity_type IS NOT NULL) AND (event_key IS NULL) AND (cron IS NULL))
END),
    CONSTRAINT workflow_triggers_trigger_type_check CHECK ((trigger_type = ANY (ARRAY['on_create'::text, 'on_lifecycle_transition'::text, 'on_mutation'::text, 'on_timer'::text, 'on_event'::text, 'manual'::text]))),
    CONSTRAINT workflow_triggers_workflow_id_check CHECK (((length(workflow_id) >= 1) AND (length(workflow_id) <= 256)))
);

ALTER TABLE ONLY holdfast.workflow_triggers FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_what_if_documents (
    tenant uuid NOT NULL,
    what_if_id uuid NOT NULL,
    group_id text NOT NULL COLLATE pg_catalog."C",
    document_id uuid NOT NULL,
    because jsonb NOT NULL
);

ALTER TABLE ONLY holdfast.workflow_what_if_documents FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_what_if_groups (
    tenant uuid NOT NULL,
    what_if_id uuid NOT NULL,
    id text NOT NULL COLLATE pg_catalog."C",
    parting jsonb NOT NULL,
    documents integer NOT NULL,
    CONSTRAINT workflow_what_if_groups_documents_check CHECK ((documents >= 1)),
    CONSTRAINT workflow_what_if_groups_id_check CHECK ((id ~ '^[0-9a-f]{16}$'::text))
);

ALTER TABLE ONLY holdfast.workflow_what_if_groups FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast.workflow_what_ifs (
    tenant uuid NOT NULL,
    id uuid NOT NULL,
    entity_type text NOT NULL COLLATE pg_catalog."C",
    definition_id uuid,
    revision integer,
    base_version integer NOT NULL,
    patches jsonb NOT NULL,
    before_id uuid NOT NULL,
    narrowed jsonb DEFAULT '{}'::jsonb NOT NULL,
    assume jsonb DEFAULT '{}'::jsonb NOT NULL,
    most integer NOT NULL,
    status text DEFAULT 'pending'::text NOT NULL COLLATE pg_catalog."C",
    run_id uuid,
    total integer,
    replayed integer DEFAULT 0 NOT NULL,
    changed integer DEFAULT 0 NOT NULL,
    unplayable integer DEFAULT 0 NOT NULL,
    last_document uuid,
    error text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    created_by text NOT NULL,
    party jsonb NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT workflow_what_ifs_assume_check CHECK ((jsonb_typeof(assume) = 'object'::text)),
    CONSTRAINT workflow_what_ifs_base_version_check CHECK ((base_version >= 1)),
    CONSTRAINT workflow_what_ifs_check CHECK (((changed >= 0) AND (changed <= replayed))),
    CONSTRAINT workflow_what_ifs_created_by_check CHECK (((length(created_by) >= 1) AND (length(created_by) <= 300))),
    CONSTRAINT workflow_what_ifs_entity_type_check CHECK ((entity_type ~ '^[a-z][a-z0-9_]{0,63}$'::text)),
    CONSTRAINT workflow_what_ifs_finished CHECK (((status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) = (finished_at IS NOT NULL))),
    CONSTRAINT workflow_what_ifs_most_check CHECK (((most >= 1) AND (most <= 100000))),
    CONSTRAINT workflow_what_ifs_narrowed_check CHECK ((jsonb_typeof(narrowed) = 'object'::text)),
    CONSTRAINT workflow_what_ifs_party_check CHECK (((party ? 'kind'::text) AND (party ? 'name'::text))),
    CONSTRAINT workflow_what_ifs_replayed_check CHECK ((replayed >= 0)),
    CONSTRAINT workflow_what_ifs_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'completed'::text, 'failed'::text, 'cancelled'::text]))),
    CONSTRAINT workflow_what_ifs_total_check CHECK ((total >= 0)),
    CONSTRAINT workflow_what_ifs_unplayable_check CHECK ((unplayable >= 0))
);

ALTER TABLE ONLY holdfast.workflow_what_ifs FORCE ROW LEVEL SECURITY;

COMMENT ON COLUMN holdfast.workflow_what_ifs.patches IS 'The draft as it was when this was asked: what is told of it stays true.';

COMMENT ON COLUMN holdfast.workflow_what_ifs.unplayable IS 'Documents that could not be replayed; they are in a group of their own.';

COMMENT ON COLUMN holdfast.workflow_what_ifs.last_document IS 'How far it is: documents are replayed from the newest to the oldest.';

CREATE TABLE holdfast_langgraph.checkpoint_blobs (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    channel text NOT NULL,
    version text NOT NULL,
    type text NOT NULL,
    blob bytea
);

ALTER TABLE ONLY holdfast_langgraph.checkpoint_blobs FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast_langgraph.checkpoint_migrations (
    v integer NOT NULL
);

CREATE TABLE holdfast_langgraph.checkpoint_writes (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    task_id text NOT NULL,
    idx integer NOT NULL,
    channel text NOT NULL,
    type text,
    blob bytea NOT NULL,
    task_path text DEFAULT ''::text NOT NULL
);

ALTER TABLE ONLY holdfast_langgraph.checkpoint_writes FORCE ROW LEVEL SECURITY;

CREATE TABLE holdfast_langgraph.checkpoints (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    parent_checkpoint_id text,
    type text,
    checkpoint jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL
);

ALTER TABLE ONLY holdfast_langgraph.checkpoints FORCE ROW LEVEL SECURITY;

ALTER TABLE ONLY holdfast.outbox_event_done ATTACH PARTITION holdfast.outbox_event_done_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_data_change ATTACH PARTITION holdfast.workflow_data_change_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_event_chained ATTACH PARTITION holdfast.workflow_event_chained_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_event_plain ATTACH PARTITION holdfast.workflow_event_plain_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_events_outbox ATTACH PARTITION holdfast.workflow_events_outbox_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_executions ATTACH PARTITION holdfast.workflow_executions_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_run_done ATTACH PARTITION holdfast.workflow_run_done_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_side_effects_outbox ATTACH PARTITION holdfast.workflow_side_effects_outbox_default DEFAULT;

ALTER TABLE ONLY holdfast.workflow_step_executions ATTACH PARTITION holdfast.workflow_step_executions_default DEFAULT;

ALTER TABLE ONLY holdfast.api_tokens
    ADD CONSTRAINT api_tokens_pkey PRIMARY KEY (tenant, token_id);

ALTER TABLE ONLY holdfast.api_tokens
    ADD CONSTRAINT api_tokens_tenant_hash_key UNIQUE (tenant, hash);

ALTER TABLE ONLY holdfast.approval_assignees
    ADD CONSTRAINT approval_assignees_pkey PRIMARY KEY (tenant, request_id, principal);

ALTER TABLE ONLY holdfast.approval_chains
    ADD CONSTRAINT approval_chains_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.approval_chains
    ADD CONSTRAINT approval_chains_tenant_name_key UNIQUE (tenant, name);

ALTER TABLE ONLY holdfast.approval_decisions
    ADD CONSTRAINT approval_decisions_person UNIQUE (tenant, request_id, decided_by);

ALTER TABLE ONLY holdfast.approval_decisions
    ADD CONSTRAINT approval_decisions_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.approval_decisions
    ADD CONSTRAINT approval_decisions_seat UNIQUE (tenant, request_id, seat);

ALTER TABLE ONLY holdfast.approval_delegations
    ADD CONSTRAINT approval_delegations_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.approval_requests
    ADD CONSTRAINT approval_requests_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.approval_steps
    ADD CONSTRAINT approval_steps_pkey PRIMARY KEY (tenant, chain_id, "position");

ALTER TABLE ONLY holdfast.approval_turns
    ADD CONSTRAINT approval_turns_pkey PRIMARY KEY (tenant, role);

ALTER TABLE ONLY holdfast.audit_anchor
    ADD CONSTRAINT audit_anchor_pkey PRIMARY KEY (place);

ALTER TABLE ONLY holdfast.audit_head
    ADD CONSTRAINT audit_head_pkey PRIMARY KEY (tenant, object_kind, object_id);

ALTER TABLE ONLY holdfast.audit_tombstone
    ADD CONSTRAINT audit_tombstone_pkey PRIMARY KEY (tenant, seq);

ALTER TABLE ONLY holdfast.audit_tombstone_range
    ADD CONSTRAINT audit_tombstone_range_pkey PRIMARY KEY (tenant, seq, object_kind, object_id, first_seq);

ALTER TABLE ONLY holdfast.document_views
    ADD CONSTRAINT document_views_pkey PRIMARY KEY (tenant, owner, name);

ALTER TABLE ONLY holdfast.entities
    ADD CONSTRAINT entities_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.entities
    ADD CONSTRAINT entities_tenant_amended_from_id_key UNIQUE (tenant, amended_from_id);

ALTER TABLE ONLY holdfast.entity_readers
    ADD CONSTRAINT entity_readers_pkey PRIMARY KEY (tenant, principal, entity_type, entity_id, source);

ALTER TABLE ONLY holdfast.entity_versions
    ADD CONSTRAINT entity_versions_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.entity_versions
    ADD CONSTRAINT entity_versions_tenant_entity_id_version_content_hash_key UNIQUE (tenant, entity_id, version, content_hash);

ALTER TABLE ONLY holdfast.entity_versions
    ADD CONSTRAINT entity_versions_tenant_entity_id_version_key UNIQUE (tenant, entity_id, version);

ALTER TABLE ONLY holdfast.inbox_views
    ADD CONSTRAINT inbox_views_pkey PRIMARY KEY (tenant, owner, name);

ALTER TABLE ONLY holdfast.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (only_one);

ALTER TABLE ONLY holdfast.installation_token
    ADD CONSTRAINT installation_token_hash_key UNIQUE (hash);

ALTER TABLE ONLY holdfast.installation_token
    ADD CONSTRAINT installation_token_pkey PRIMARY KEY (token_id);

ALTER TABLE ONLY holdfast.org_chart
    ADD CONSTRAINT org_chart_pkey PRIMARY KEY (tenant, name);

ALTER TABLE ONLY holdfast.outbox_event_done
    ADD CONSTRAINT outbox_event_done_pkey PRIMARY KEY (tenant, id, published_at);

ALTER TABLE ONLY holdfast.outbox_event_done_default
    ADD CONSTRAINT outbox_event_done_default_pkey PRIMARY KEY (tenant, id, published_at);

ALTER TABLE ONLY holdfast.outbox_event_live
    ADD CONSTRAINT outbox_event_live_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.outbox_lane
    ADD CONSTRAINT outbox_lane_pkey PRIMARY KEY (tenant, aggregate_type, aggregate_id);

ALTER TABLE ONLY holdfast.outbox_order
    ADD CONSTRAINT outbox_order_pkey PRIMARY KEY (tenant, aggregate_type, aggregate_id);

ALTER TABLE ONLY holdfast.partition_drop
    ADD CONSTRAINT partition_drop_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY holdfast.queue_depth
    ADD CONSTRAINT queue_depth_pkey PRIMARY KEY (tenant, queue, minute);

ALTER TABLE ONLY holdfast.queue_minute
    ADD CONSTRAINT queue_minute_pkey PRIMARY KEY (tenant, queue, minute);

ALTER TABLE ONLY holdfast.queue_rollup
    ADD CONSTRAINT queue_rollup_pkey PRIMARY KEY (one);

ALTER TABLE ONLY holdfast.retention
    ADD CONSTRAINT retention_pkey PRIMARY KEY (branch, since);

ALTER TABLE ONLY holdfast.role_requests
    ADD CONSTRAINT role_requests_pkey PRIMARY KEY (tenant, user_id, role);

ALTER TABLE ONLY holdfast.roles
    ADD CONSTRAINT roles_pkey PRIMARY KEY (tenant, role);

ALTER TABLE ONLY holdfast.run_worker
    ADD CONSTRAINT run_worker_pkey PRIMARY KEY (worker_id);

ALTER TABLE ONLY holdfast.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (version);

ALTER TABLE ONLY holdfast.schema_repeatables
    ADD CONSTRAINT schema_repeatables_pkey PRIMARY KEY (path);

ALTER TABLE ONLY holdfast.session_inputs
    ADD CONSTRAINT session_inputs_pkey PRIMARY KEY (tenant, workflow_session_id, id);

ALTER TABLE ONLY holdfast.session_messages
    ADD CONSTRAINT session_messages_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.session_messages
    ADD CONSTRAINT session_messages_session_sequence_key UNIQUE (tenant, workflow_session_id, sequence_number);

ALTER TABLE ONLY holdfast.session_outputs
    ADD CONSTRAINT session_outputs_pkey PRIMARY KEY (tenant, workflow_session_id, object);

ALTER TABLE ONLY holdfast.session_prompts
    ADD CONSTRAINT session_prompts_pkey PRIMARY KEY (tenant, workflow_session_id, prompt_id);

ALTER TABLE ONLY holdfast.step_month_packed
    ADD CONSTRAINT step_month_packed_pkey PRIMARY KEY (partition);

ALTER TABLE ONLY holdfast.tenants
    ADD CONSTRAINT tenants_pkey PRIMARY KEY (tenant);

ALTER TABLE ONLY holdfast.user_identities
    ADD CONSTRAINT user_identities_pkey PRIMARY KEY (tenant, issuer, subject);

ALTER TABLE ONLY holdfast.user_identities
    ADD CONSTRAINT user_identities_tenant_user_id_issuer_key UNIQUE (tenant, user_id, issuer);

ALTER TABLE ONLY holdfast.user_roles
    ADD CONSTRAINT user_roles_pkey PRIMARY KEY (tenant, user_id, role);

ALTER TABLE ONLY holdfast.users
    ADD CONSTRAINT users_pkey PRIMARY KEY (tenant, user_id);

ALTER TABLE ONLY holdfast.users
    ADD CONSTRAINT users_tenant_name_key UNIQUE (tenant, name);

ALTER TABLE ONLY holdfast.workflow_action_receipt
    ADD CONSTRAINT workflow_action_receipt_pkey PRIMARY KEY (tenant, idempotency_key);

ALTER TABLE ONLY holdfast.workflow_awaited_event
    ADD CONSTRAINT workflow_awaited_event_pkey PRIMARY KEY (tenant, key);

ALTER TABLE ONLY holdfast.workflow_data_change
    ADD CONSTRAINT workflow_data_change_pkey PRIMARY KEY (tenant, namespace, id, created_at);

ALTER TABLE ONLY holdfast.workflow_data_change_default
    ADD CONSTRAINT workflow_data_change_default_pkey PRIMARY KEY (tenant, namespace, id, created_at);

ALTER TABLE ONLY holdfast.workflow_data_namespace
    ADD CONSTRAINT workflow_data_namespace_pkey PRIMARY KEY (tenant, namespace);

ALTER TABLE ONLY holdfast.workflow_data_store
    ADD CONSTRAINT workflow_data_store_key UNIQUE (tenant, namespace, key);

ALTER TABLE ONLY holdfast.workflow_data_store
    ADD CONSTRAINT workflow_data_store_pkey PRIMARY KEY (tenant, store_id);

ALTER TABLE ONLY holdfast.workflow_definition_registry
    ADD CONSTRAINT workflow_definition_registry_pkey PRIMARY KEY (name);

ALTER TABLE ONLY holdfast.workflow_definition_version
    ADD CONSTRAINT workflow_definition_version_pkey PRIMARY KEY (name, revision);

ALTER TABLE ONLY holdfast.workflow_definitions
    ADD CONSTRAINT workflow_definitions_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_definitions
    ADD CONSTRAINT workflow_definitions_tenant_entity_type_definition_kind_ver_key UNIQUE (tenant, entity_type, definition_kind, version);

ALTER TABLE ONLY holdfast.workflow_draft_editors
    ADD CONSTRAINT workflow_draft_editors_pkey PRIMARY KEY (tenant, definition_id);

ALTER TABLE ONLY holdfast.workflow_effect_lane
    ADD CONSTRAINT workflow_effect_lane_pkey PRIMARY KEY (tenant);

ALTER TABLE ONLY holdfast.workflow_entity_links
    ADD CONSTRAINT workflow_entity_links_edge UNIQUE (tenant, namespace, left_type, left_id, right_type, right_id, relation);

ALTER TABLE ONLY holdfast.workflow_entity_links
    ADD CONSTRAINT workflow_entity_links_pkey PRIMARY KEY (tenant, link_id);

ALTER TABLE ONLY holdfast.workflow_event_chained
    ADD CONSTRAINT workflow_event_chained_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_event_chained_default
    ADD CONSTRAINT workflow_event_chained_default_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_event_plain
    ADD CONSTRAINT workflow_event_plain_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_event_plain_default
    ADD CONSTRAINT workflow_event_plain_default_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_events_outbox
    ADD CONSTRAINT workflow_events_outbox_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_events_outbox_default
    ADD CONSTRAINT workflow_events_outbox_default_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_executions
    ADD CONSTRAINT workflow_executions_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_executions_default
    ADD CONSTRAINT workflow_executions_default_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_inbound_events
    ADD CONSTRAINT workflow_inbound_events_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_inbound_events
    ADD CONSTRAINT workflow_inbound_events_tenant_event_key_dedup_key_key UNIQUE (tenant, event_key, dedup_key);

ALTER TABLE ONLY holdfast.workflow_instances
    ADD CONSTRAINT workflow_instances_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_lane
    ADD CONSTRAINT workflow_lane_pkey PRIMARY KEY (tenant, type);

ALTER TABLE ONLY holdfast.workflow_notifications
    ADD CONSTRAINT workflow_notifications_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_notifications
    ADD CONSTRAINT workflow_notifications_tenant_name_key_key UNIQUE (tenant, name, key);

ALTER TABLE ONLY holdfast.workflow_nudge
    ADD CONSTRAINT workflow_nudge_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_operation_item
    ADD CONSTRAINT workflow_operation_item_pkey PRIMARY KEY (tenant, operation_id, seq);

ALTER TABLE ONLY holdfast.workflow_operation
    ADD CONSTRAINT workflow_operation_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_outbox_receipts
    ADD CONSTRAINT workflow_outbox_receipts_pkey PRIMARY KEY (tenant, instance_id, source_table, event_idempotency_key);

ALTER TABLE ONLY holdfast.workflow_pause
    ADD CONSTRAINT workflow_pause_pkey PRIMARY KEY (tenant, prefix);

ALTER TABLE ONLY holdfast.workflow_rate
    ADD CONSTRAINT workflow_rate_pkey PRIMARY KEY (tenant, type);

ALTER TABLE ONLY holdfast.workflow_rules
    ADD CONSTRAINT workflow_rules_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_rules
    ADD CONSTRAINT workflow_rules_tenant_name_key UNIQUE (tenant, name);

ALTER TABLE ONLY holdfast.workflow_run_done
    ADD CONSTRAINT workflow_run_done_pkey PRIMARY KEY (tenant, id, finished_at);

ALTER TABLE ONLY holdfast.workflow_run_done_default
    ADD CONSTRAINT workflow_run_done_default_pkey PRIMARY KEY (tenant, id, finished_at);

ALTER TABLE ONLY holdfast.workflow_run_key
    ADD CONSTRAINT workflow_run_key_pkey PRIMARY KEY (tenant, idempotency_key);

ALTER TABLE ONLY holdfast.workflow_run_live
    ADD CONSTRAINT workflow_run_live_pkey PRIMARY KEY (tenant, id) WITH (fillfactor='50');

ALTER TABLE ONLY holdfast.workflow_run_step
    ADD CONSTRAINT workflow_run_step_pkey PRIMARY KEY (tenant, run_id, name);

ALTER TABLE ONLY holdfast.workflow_run_wait
    ADD CONSTRAINT workflow_run_wait_pkey PRIMARY KEY (tenant, run_id, step_key);

ALTER TABLE ONLY holdfast.workflow_schedule
    ADD CONSTRAINT workflow_schedule_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_schedule
    ADD CONSTRAINT workflow_schedule_tenant_name_key UNIQUE (tenant, name);

ALTER TABLE ONLY holdfast.workflow_secrets
    ADD CONSTRAINT workflow_secrets_pkey PRIMARY KEY (tenant, name);

ALTER TABLE ONLY holdfast.workflow_session_wait
    ADD CONSTRAINT workflow_session_wait_pkey PRIMARY KEY (tenant, session_id);

ALTER TABLE ONLY holdfast.workflow_sessions
    ADD CONSTRAINT workflow_sessions_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_sessions
    ADD CONSTRAINT workflow_sessions_project_session_key UNIQUE (tenant, session_name);

ALTER TABLE ONLY holdfast.workflow_side_effects_outbox
    ADD CONSTRAINT workflow_side_effects_outbox_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_side_effects_outbox_default
    ADD CONSTRAINT workflow_side_effects_outbox_default_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_step_executions
    ADD CONSTRAINT workflow_step_executions_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_step_executions_default
    ADD CONSTRAINT workflow_step_executions_default_pkey PRIMARY KEY (tenant, created_at, id);

ALTER TABLE ONLY holdfast.workflow_step_receipts
    ADD CONSTRAINT workflow_step_receipts_pkey PRIMARY KEY (tenant, instance_id, idempotency_key);

ALTER TABLE ONLY holdfast.workflow_test_cases
    ADD CONSTRAINT workflow_test_cases_pkey PRIMARY KEY (tenant, entity_type, name);

ALTER TABLE ONLY holdfast.workflow_triggers
    ADD CONSTRAINT workflow_triggers_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast.workflow_triggers
    ADD CONSTRAINT workflow_triggers_tenant_name_key UNIQUE (tenant, name);

ALTER TABLE ONLY holdfast.workflow_what_if_documents
    ADD CONSTRAINT workflow_what_if_documents_pkey PRIMARY KEY (tenant, what_if_id, group_id, document_id);

ALTER TABLE ONLY holdfast.workflow_what_if_groups
    ADD CONSTRAINT workflow_what_if_groups_pkey PRIMARY KEY (tenant, what_if_id, id);

ALTER TABLE ONLY holdfast.workflow_what_ifs
    ADD CONSTRAINT workflow_what_ifs_pkey PRIMARY KEY (tenant, id);

ALTER TABLE ONLY holdfast_langgraph.checkpoint_blobs
    ADD CONSTRAINT checkpoint_blobs_pkey PRIMARY KEY (thread_id, checkpoint_ns, channel, version);

ALTER TABLE ONLY holdfast_langgraph.checkpoint_migrations
    ADD CONSTRAINT checkpoint_migrations_pkey PRIMARY KEY (v);

ALTER TABLE ONLY holdfast_langgraph.checkpoint_writes
    ADD CONSTRAINT checkpoint_writes_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx);

ALTER TABLE ONLY holdfast_langgraph.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id);

CREATE INDEX api_tokens_user ON holdfast.api_tokens USING btree (tenant, user_id);

CREATE INDEX approval_assignees_due ON holdfast.approval_assignees USING btree (tenant, principal, due_at, request_id) WHERE (is_open AND (due_at IS NOT NULL));

CREATE INDEX approval_assignees_inbox ON holdfast.approval_assignees USING btree (tenant, principal, request_id) WHERE is_open;

CREATE INDEX approval_decisions_done ON holdfast.approval_decisions USING btree (tenant, decided_by, id);

CREATE INDEX approval_delegations_delegate ON holdfast.approval_delegations USING btree (tenant, delegate, ends_at) WHERE (revoked_at IS NULL);

CREATE INDEX approval_delegations_delegator ON holdfast.approval_delegations USING btree (tenant, delegator, ends_at) WHERE (revoked_at IS NULL);

CREATE INDEX approval_requests_entity ON holdfast.approval_requests USING btree (tenant, entity_id, id);

CREATE INDEX approval_requests_instance ON holdfast.approval_requests USING btree (tenant, instance_id, id);

CREATE UNIQUE INDEX approval_requests_open ON holdfast.approval_requests USING btree (tenant, step_key) WHERE (status = 'open'::text);

CREATE UNIQUE INDEX approval_requests_stage ON holdfast.approval_requests USING btree (tenant, step_key, stage);

CREATE INDEX approval_requests_tend ON holdfast.approval_requests USING btree (tenant, tend_at) WHERE ((status = 'open'::text) AND (tend_at IS NOT NULL));

CREATE INDEX entities_status ON holdfast.entities USING btree (tenant, entity_type, doc_status, id) WHERE (deleted_at IS NULL);

CREATE INDEX entities_type ON holdfast.entities USING btree (tenant, entity_type, id) WHERE (deleted_at IS NULL);

CREATE INDEX org_chart_manager ON holdfast.org_chart USING btree (tenant, manager);

CREATE INDEX outbox_event_dead ON holdfast.outbox_event_live USING btree (tenant, id) WHERE (status = 'dead'::text);

CREATE INDEX outbox_event_history ON ONLY holdfast.outbox_event_done USING btree (tenant, aggregate_type, aggregate_id, seq);

CREATE INDEX outbox_event_done_default_tenant_aggregate_type_aggregate_i_idx ON holdfast.outbox_event_done_default USING btree (tenant, aggregate_type, aggregate_id, seq);

CREATE INDEX outbox_event_done_lately ON ONLY holdfast.outbox_event_done USING brin (tenant, published_at) WITH (autosummarize='on');

CREATE INDEX outbox_event_done_default_tenant_published_at_idx ON holdfast.outbox_event_done_default USING brin (tenant, published_at) WITH (autosummarize='on');

CREATE INDEX outbox_event_pending ON holdfast.outbox_event_live USING btree (tenant, aggregate_type, aggregate_id, seq) WHERE (status = 'pending'::text);

CREATE INDEX outbox_lane_blocked ON holdfast.outbox_lane USING btree (tenant) WHERE blocked;

CREATE INDEX outbox_lane_leased ON holdfast.outbox_lane USING btree (tenant, aggregate_type, aggregate_id) WHERE (lease_until IS NOT NULL);

CREATE INDEX outbox_lane_ready ON holdfast.outbox_lane USING btree (tenant, due_at, aggregate_type, aggregate_id) WHERE ((lease_until IS NULL) AND (NOT blocked));

CREATE INDEX role_requests_role ON holdfast.role_requests USING btree (tenant, role);

CREATE INDEX session_messages_session_id_idx ON holdfast.session_messages USING btree (tenant, workflow_session_id, sequence_number);

CREATE INDEX session_messages_timestamp_idx ON holdfast.session_messages USING btree (tenant, workflow_session_id, "timestamp");

CREATE INDEX session_messages_type_idx ON holdfast.session_messages USING btree (tenant, workflow_session_id, message_type);

CREATE INDEX session_prompts_open ON holdfast.session_prompts USING btree (tenant, workflow_session_id) WHERE (status = 'open'::text);

CREATE UNIQUE INDEX tenants_slug ON holdfast.tenants USING btree (slug);

CREATE INDEX user_roles_role ON holdfast.user_roles USING btree (tenant, role);

CREATE INDEX workflow_action_receipt_age ON holdfast.workflow_action_receipt USING btree (tenant, created_at);

CREATE INDEX workflow_awaited_event_age ON holdfast.workflow_awaited_event USING btree (tenant, created_at);

CREATE INDEX workflow_data_change_xid ON ONLY holdfast.workflow_data_change USING btree (tenant, namespace, xid);

CREATE INDEX workflow_data_change_default_tenant_namespace_xid_idx ON holdfast.workflow_data_change_default USING btree (tenant, namespace, xid);

CREATE INDEX workflow_data_store_expiry ON holdfast.workflow_data_store USING btree (tenant, expires_at) WHERE (expires_at IS NOT NULL);

CREATE UNIQUE INDEX workflow_definitions_current ON holdfast.workflow_definitions USING btree (tenant, entity_type) WHERE ((definition_kind = 'effective'::text) AND (status = 'published'::text));

CREATE INDEX workflow_definitions_status ON holdfast.workflow_definitions USING btree (tenant, entity_type, status, definition_kind);

CREATE INDEX workflow_entity_links_reverse ON holdfast.workflow_entity_links USING btree (tenant, namespace, right_type, right_id, left_type, left_id, relation);

CREATE INDEX workflow_event_chained_object ON ONLY holdfast.workflow_event_chained USING btree (tenant, object_id, created_at, id);

CREATE INDEX workflow_event_chained_defaul_tenant_object_id_created_at_i_idx ON holdfast.workflow_event_chained_default USING btree (tenant, object_id, created_at, id);

CREATE INDEX workflow_event_chained_xid ON ONLY holdfast.workflow_event_chained USING btree (tenant, xid, id);

CREATE INDEX workflow_event_chained_default_tenant_xid_id_idx ON holdfast.workflow_event_chained_default USING btree (tenant, xid, id);

CREATE INDEX workflow_event_plain_object ON ONLY holdfast.workflow_event_plain USING btree (tenant, object_id, created_at, id);

CREATE INDEX workflow_event_plain_default_tenant_object_id_created_at_id_idx ON holdfast.workflow_event_plain_default USING btree (tenant, object_id, created_at, id);

CREATE INDEX workflow_event_plain_xid ON ONLY holdfast.workflow_event_plain USING btree (tenant, xid, id) WHERE (object_kind = ANY (ARRAY['outbox'::text, 'run'::text, 'schedule'::text, 'session'::text]));

CREATE INDEX workflow_event_plain_default_tenant_xid_id_idx ON holdfast.workflow_event_plain_default USING btree (tenant, xid, id) WHERE (object_kind = ANY (ARRAY['outbox'::text, 'run'::text, 'schedule'::text, 'session'::text]));

CREATE INDEX workflow_events_outbox_dead ON ONLY holdfast.workflow_events_outbox USING btree (tenant, created_at) WHERE (status = 'dead_letter'::text);

CREATE INDEX workflow_events_outbox_needing ON ONLY holdfast.workflow_events_outbox USING btree (tenant, needs, next_retry_at, created_at, id) WHERE ((status = ANY (ARRAY['pending'::text, 'failed'::text])) AND (needs IS NOT NULL));

CREATE INDEX workflow_events_outbox_defaul_tenant_needs_next_retry_at_cr_idx ON holdfast.workflow_events_outbox_default USING btree (tenant, needs, next_retry_at, created_at, id) WHERE ((status = ANY (ARRAY['pending'::text, 'failed'::text])) AND (needs IS NOT NULL));

CREATE INDEX workflow_events_outbox_due ON ONLY holdfast.workflow_events_outbox USING btree (tenant, next_retry_at, created_at, id) WHERE ((status = ANY (ARRAY['pending'::text, 'failed'::text])) AND (needs IS NULL));

CREATE INDEX workflow_events_outbox_defaul_tenant_next_retry_at_created__idx ON holdfast.workflow_events_outbox_default USING btree (tenant, next_retry_at, created_at, id) WHERE ((status = ANY (ARRAY['pending'::text, 'failed'::text])) AND (needs IS NULL));

CREATE INDEX workflow_events_outbox_lately ON ONLY holdfast.workflow_events_outbox USING brin (tenant, completed_at) WITH (autosummarize='on');

CREATE INDEX workflow_events_outbox_default_tenant_completed_at_idx ON holdfast.workflow_events_outbox_default USING brin (tenant, completed_at) WITH (autosummarize='on');

CREATE INDEX workflow_events_outbox_default_tenant_created_at_idx ON holdfast.workflow_events_outbox_default USING btree (tenant, created_at) WHERE (status = 'dead_letter'::text);

CREATE INDEX workflow_events_outbox_instance ON ONLY holdfast.workflow_events_outbox USING btree (tenant, instance_id);

CREATE INDEX workflow_events_outbox_default_tenant_instance_id_idx ON holdfast.workflow_events_outbox_default USING btree (tenant, instance_id);

CREATE INDEX workflow_events_outbox_processing ON ONLY holdfast.workflow_events_outbox USING btree (tenant, lease_until) WHERE (status = 'processing'::text);

CREATE INDEX workflow_events_outbox_default_tenant_lease_until_idx ON holdfast.workflow_events_outbox_default USING btree (tenant, lease_until) WHERE (status = 'processing'::text);

CREATE INDEX workflow_executions_entity ON ONLY holdfast.workflow_executions USING btree (tenant, entity_id, created_at);

CREATE INDEX workflow_executions_default_tenant_entity_id_created_at_idx ON holdfast.workflow_executions_default USING btree (tenant, entity_id, created_at);

CREATE INDEX workflow_inbound_events_expiry ON holdfast.workflow_inbound_events USING btree (tenant, expires_at);

CREATE INDEX workflow_inbound_events_waiting ON holdfast.workflow_inbound_events USING btree (tenant, event_key, received_at, id) WHERE (matched_at IS NULL);

CREATE UNIQUE INDEX workflow_instances_active ON holdfast.workflow_instances USING btree (tenant, entity_type, entity_id) WHERE ((status = ANY (ARRAY['running'::text, 'paused'::text])) AND (entity_id IS NOT NULL));

CREATE INDEX workflow_instances_alive ON holdfast.workflow_instances USING btree (tenant, workflow_id, started_at, id) WHERE (status = ANY (ARRAY['running'::text, 'paused'::text]));

CREATE INDEX workflow_instances_definition ON holdfast.workflow_instances USING btree (tenant, definition_id, status);

CREATE INDEX workflow_instances_document ON holdfast.workflow_instances USING btree (tenant, entity_id, id) WHERE (entity_id IS NOT NULL);

CREATE INDEX workflow_instances_entity ON holdfast.workflow_instances USING btree (tenant, entity_type, entity_id);

CREATE INDEX workflow_instances_expired ON holdfast.workflow_instances USING btree (tenant, timeout_at) WHERE ((status = ANY (ARRAY['running'::text, 'paused'::text])) AND (timeout_at IS NOT NULL));

CREATE INDEX workflow_instances_started ON holdfast.workflow_instances USING btree (tenant, started_at, id);

CREATE INDEX workflow_instances_status ON holdfast.workflow_instances USING btree (tenant, status, id);

CREATE INDEX workflow_instances_subject ON holdfast.workflow_instances USING btree (tenant, subject_id) WHERE (subject_id <> ''::text);

CREATE INDEX workflow_notifications_inbox ON holdfast.workflow_notifications USING btree (tenant, name, id);

CREATE INDEX workflow_notifications_unread ON holdfast.workflow_notifications USING btree (tenant, name, id) WHERE (read_at IS NULL);

CREATE INDEX workflow_notifications_xid ON holdfast.workflow_notifications USING btree (tenant, xid, number);

CREATE INDEX workflow_operation_finished_at ON holdfast.workflow_operation USING btree (tenant, finished_at) WHERE (finished_at IS NOT NULL);

CREATE INDEX workflow_operation_item_outcome ON holdfast.workflow_operation_item USING btree (tenant, operation_id, outcome, seq);

CREATE INDEX workflow_rules_type ON holdfast.workflow_rules USING btree (tenant, entity_type, timing, priority, name) WHERE enabled;

CREATE INDEX workflow_run_admitted ON holdfast.workflow_run_live USING btree (tenant, concurrency_key) WHERE ((concurrency_key IS NOT NULL) AND ready AND ((deleted_at IS NULL) OR (lease_until IS NOT NULL)));

CREATE INDEX workflow_run_blocked ON holdfast.workflow_run_live USING btree (tenant, concurrency_key, priority DESC, run_at, id) WHERE (blocked AND (deleted_at IS NULL));

CREATE INDEX workflow_run_children ON holdfast.workflow_run_live USING btree (tenant, parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX workflow_run_delayed ON holdfast.workflow_run_live USING btree (tenant, run_at) WHERE ((status = 'pending'::text) AND (NOT ready) AND (NOT blocked) AND (deleted_at IS NULL));

CREATE INDEX workflow_run_deleted ON holdfast.workflow_run_live USING btree (tenant, deleted_at) WHERE (deleted_at IS NOT NULL);

CREATE INDEX workflow_run_done_children ON ONLY holdfast.workflow_run_done USING btree (tenant, parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX workflow_run_done_lately ON ONLY holdfast.workflow_run_done USING brin (tenant, finished_at) WITH (autosummarize='on');

CREATE INDEX workflow_run_done_default_tenant_finished_at_idx ON holdfast.workflow_run_done_default USING brin (tenant, finished_at) WITH (autosummarize='on');

CREATE INDEX workflow_run_done_failed ON ONLY holdfast.workflow_run_done USING btree (tenant, id) WHERE (status = 'failed'::text);

CREATE INDEX workflow_run_done_default_tenant_id_idx ON holdfast.workflow_run_done_default USING btree (tenant, id) WHERE (status = 'failed'::text);

CREATE INDEX workflow_run_done_default_tenant_parent_id_idx ON holdfast.workflow_run_done_default USING btree (tenant, parent_id) WHERE (parent_id IS NOT NULL);

CREATE INDEX workflow_run_key_run ON holdfast.workflow_run_key USING btree (tenant, run_id);

CREATE INDEX workflow_run_leased ON holdfast.workflow_run_live USING btree (tenant, id) WHERE (status = 'leased'::text);

CREATE INDEX workflow_run_ready ON holdfast.workflow_run_live USING btree (tenant, type, priority DESC, run_at, id) WITH (deduplicate_items=off) WHERE ((status = 'pending'::text) AND ready AND (deleted_at IS NULL));

CREATE INDEX workflow_run_wait_instance ON holdfast.workflow_run_wait USING btree (tenant, instance_id);

CREATE INDEX workflow_run_waiting ON holdfast.workflow_run_live USING btree (tenant, waiting_for) WHERE (waiting_for IS NOT NULL);

CREATE INDEX workflow_schedule_due ON holdfast.workflow_schedule USING btree (tenant, next_fire_at) WHERE (next_fire_at IS NOT NULL);

CREATE INDEX workflow_session_wait_instance ON holdfast.workflow_session_wait USING btree (tenant, instance_id);

CREATE UNIQUE INDEX workflow_session_wait_step ON holdfast.workflow_session_wait USING btree (tenant, step_key);

CREATE INDEX workflow_sessions_active_idx ON holdfast.workflow_sessions USING btree (tenant, status, id DESC) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting_for_input'::text]));

CREATE INDEX workflow_sessions_active_workflow_idx ON holdfast.workflow_sessions USING btree (tenant, workflow_name, status) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting_for_input'::text]));

CREATE INDEX workflow_sessions_completed_at_idx ON holdfast.workflow_sessions USING btree (tenant, completed_at) WHERE (completed_at IS NOT NULL);

CREATE INDEX workflow_sessions_created_at_idx ON holdfast.workflow_sessions USING btree (tenant, created_at DESC, id DESC);

CREATE INDEX workflow_sessions_input_data_gin_idx ON holdfast.workflow_sessions USING gin (input_data);

CREATE INDEX workflow_sessions_project_session_idx ON holdfast.workflow_sessions USING btree (tenant, session_name);

CREATE INDEX workflow_sessions_workflow_name_idx ON holdfast.workflow_sessions USING btree (tenant, workflow_name, id DESC);

CREATE INDEX workflow_side_effects_outbox_due_kind ON ONLY holdfast.workflow_side_effects_outbox USING btree (tenant, effect_type, next_retry_at, created_at, id) WHERE (status = ANY (ARRAY['pending'::text, 'failed'::text]));

CREATE INDEX workflow_side_effects_outbox__tenant_effect_type_next_retry_idx ON holdfast.workflow_side_effects_outbox_default USING btree (tenant, effect_type, next_retry_at, created_at, id) WHERE (status = ANY (ARRAY['pending'::text, 'failed'::text]));

CREATE INDEX workflow_side_effects_outbox_dead ON ONLY holdfast.workflow_side_effects_outbox USING btree (tenant, created_at) WHERE (status = 'dead_letter'::text);

CREATE INDEX workflow_side_effects_outbox_step ON ONLY holdfast.workflow_side_effects_outbox USING btree (tenant, step_execution_id);

CREATE INDEX workflow_side_effects_outbox_defau_tenant_step_execution_id_idx ON holdfast.workflow_side_effects_outbox_default USING btree (tenant, step_execution_id);

CREATE INDEX workflow_side_effects_outbox_lately ON ONLY holdfast.workflow_side_effects_outbox USING brin (tenant, completed_at) WITH (autosummarize='on');

CREATE INDEX workflow_side_effects_outbox_default_tenant_completed_at_idx ON holdfast.workflow_side_effects_outbox_default USING brin (tenant, completed_at) WITH (autosummarize='on');

CREATE INDEX workflow_side_effects_outbox_default_tenant_created_at_idx ON holdfast.workflow_side_effects_outbox_default USING btree (tenant, created_at) WHERE (status = 'dead_letter'::text);

CREATE INDEX workflow_side_effects_outbox_processing ON ONLY holdfast.workflow_side_effects_outbox USING btree (tenant, id) WHERE (status = 'processing'::text);

CREATE INDEX workflow_side_effects_outbox_default_tenant_id_idx ON holdfast.workflow_side_effects_outbox_default USING btree (tenant, id) WHERE (status = 'processing'::text);

CREATE INDEX workflow_side_effects_outbox_instance ON ONLY holdfast.workflow_side_effects_outbox USING btree (tenant, instance_id);

CREATE INDEX workflow_side_effects_outbox_default_tenant_instance_id_idx ON holdfast.workflow_side_effects_outbox_default USING btree (tenant, instance_id);

CREATE INDEX workflow_step_executions_actor ON ONLY holdfast.workflow_step_executions USING btree (tenant, actor_user_id, status);

CREATE INDEX workflow_step_executions_timeline ON ONLY holdfast.workflow_step_executions USING btree (tenant, instance_id, created_at);

CREATE INDEX workflow_step_executions_defa_tenant_instance_id_created_at_idx ON holdfast.workflow_step_executions_default USING btree (tenant, instance_id, created_at);

CREATE INDEX workflow_step_executions_node ON ONLY holdfast.workflow_step_executions USING btree (tenant, instance_id, node_id, status);

CREATE INDEX workflow_step_executions_defa_tenant_instance_id_node_id_st_idx ON holdfast.workflow_step_executions_default USING btree (tenant, instance_id, node_id, status);

CREATE INDEX workflow_step_executions_event ON ONLY holdfast.workflow_step_executions USING btree (tenant, waiting_for_event_key) WHERE ((status = 'pending'::text) AND (waiting_for_event_key IS NOT NULL));

CREATE INDEX workflow_step_executions_defau_tenant_waiting_for_event_key_idx ON holdfast.workflow_step_executions_default USING btree (tenant, waiting_for_event_key) WHERE ((status = 'pending'::text) AND (waiting_for_event_key IS NOT NULL));

CREATE INDEX workflow_step_executions_defaul_tenant_actor_user_id_status_idx ON holdfast.workflow_step_executions_default USING btree (tenant, actor_user_id, status);

CREATE INDEX workflow_step_executions_resume ON ONLY holdfast.workflow_step_executions USING btree (tenant, resume_at) WHERE ((resume_at IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'running'::text])));

CREATE INDEX workflow_step_executions_default_tenant_resume_at_idx ON holdfast.workflow_step_executions_default USING btree (tenant, resume_at) WHERE ((resume_at IS NOT NULL) AND (status = ANY (ARRAY['pending'::text, 'running'::text])));

CREATE INDEX workflow_step_executions_snapshot ON ONLY holdfast.workflow_step_executions USING btree (tenant, snapshot_version_id) WHERE (snapshot_version_id IS NOT NULL);

CREATE INDEX workflow_step_executions_default_tenant_snapshot_version_id_idx ON holdfast.workflow_step_executions_default USING btree (tenant, snapshot_version_id) WHERE (snapshot_version_id IS NOT NULL);

CREATE INDEX workflow_triggers_due ON holdfast.workflow_triggers USING btree (tenant, next_at) WHERE (enabled AND (trigger_type = 'on_timer'::text));

CREATE INDEX workflow_triggers_entity ON holdfast.workflow_triggers USING btree (tenant, trigger_type, entity_type) WHERE enabled;

CREATE INDEX workflow_triggers_event ON holdfast.workflow_triggers USING btree (tenant, event_key) WHERE (enabled AND (trigger_type = 'on_event'::text));

CREATE INDEX workflow_what_ifs_type ON holdfast.workflow_what_ifs USING btree (tenant, entity_type, id);

CREATE INDEX checkpoint_blobs_thread_id_idx ON holdfast_langgraph.checkpoint_blobs USING btree (thread_id);

CREATE INDEX checkpoint_writes_thread_id_idx ON holdfast_langgraph.checkpoint_writes USING btree (thread_id);

CREATE INDEX checkpoints_thread_id_idx ON holdfast_langgraph.checkpoints USING btree (thread_id);

ALTER INDEX holdfast.outbox_event_done_pkey ATTACH PARTITION holdfast.outbox_event_done_default_pkey;

ALTER INDEX holdfast.outbox_event_history ATTACH PARTITION holdfast.outbox_event_done_default_tenant_aggregate_type_aggregate_i_idx;

ALTER INDEX holdfast.outbox_event_done_lately ATTACH PARTITION holdfast.outbox_event_done_default_tenant_published_at_idx;

ALTER INDEX holdfast.workflow_data_change_pkey ATTACH PARTITION holdfast.workflow_data_change_default_pkey;

ALTER INDEX holdfast.workflow_data_change_xid ATTACH PARTITION holdfast.workflow_data_change_default_tenant_namespace_xid_idx;

ALTER INDEX holdfast.workflow_event_chained_object ATTACH PARTITION holdfast.workflow_event_chained_defaul_tenant_object_id_created_at_i_idx;

ALTER INDEX holdfast.workflow_event_chained_pkey ATTACH PARTITION holdfast.workflow_event_chained_default_pkey;

ALTER INDEX holdfast.workflow_event_chained_xid ATTACH PARTITION holdfast.workflow_event_chained_default_tenant_xid_id_idx;

ALTER INDEX holdfast.workflow_event_plain_pkey ATTACH PARTITION holdfast.workflow_event_plain_default_pkey;

ALTER INDEX holdfast.workflow_event_plain_object ATTACH PARTITION holdfast.workflow_event_plain_default_tenant_object_id_created_at_id_idx;

ALTER INDEX holdfast.workflow_event_plain_xid ATTACH PARTITION holdfast.workflow_event_plain_default_tenant_xid_id_idx;

ALTER INDEX holdfast.workflow_events_outbox_needing ATTACH PARTITION holdfast.workflow_events_outbox_defaul_tenant_needs_next_retry_at_cr_idx;

ALTER INDEX holdfast.workflow_events_outbox_due ATTACH PARTITION holdfast.workflow_events_outbox_defaul_tenant_next_retry_at_created__idx;

ALTER INDEX holdfast.workflow_events_outbox_pkey ATTACH PARTITION holdfast.workflow_events_outbox_default_pkey;

ALTER INDEX holdfast.workflow_events_outbox_lately ATTACH PARTITION holdfast.workflow_events_outbox_default_tenant_completed_at_idx;

ALTER INDEX holdfast.workflow_events_outbox_dead ATTACH PARTITION holdfast.workflow_events_outbox_default_tenant_created_at_idx;

ALTER INDEX holdfast.workflow_events_outbox_instance ATTACH PARTITION holdfast.workflow_events_outbox_default_tenant_instance_id_idx;

ALTER INDEX holdfast.workflow_events_outbox_processing ATTACH PARTITION holdfast.workflow_events_outbox_default_tenant_lease_until_idx;

ALTER INDEX holdfast.workflow_executions_pkey ATTACH PARTITION holdfast.workflow_executions_default_pkey;

ALTER INDEX holdfast.workflow_executions_entity ATTACH PARTITION holdfast.workflow_executions_default_tenant_entity_id_created_at_idx;

ALTER INDEX holdfast.workflow_run_done_pkey ATTACH PARTITION holdfast.workflow_run_done_default_pkey;

ALTER INDEX holdfast.workflow_run_done_lately ATTACH PARTITION holdfast.workflow_run_done_default_tenant_finished_at_idx;

ALTER INDEX holdfast.workflow_run_done_failed ATTACH PARTITION holdfast.workflow_run_done_default_tenant_id_idx;

ALTER INDEX holdfast.workflow_run_done_children ATTACH PARTITION holdfast.workflow_run_done_default_tenant_parent_id_idx;

ALTER INDEX holdfast.workflow_side_effects_outbox_due_kind ATTACH PARTITION holdfast.workflow_side_effects_outbox__tenant_effect_type_next_retry_idx;

ALTER INDEX holdfast.workflow_side_effects_outbox_step ATTACH PARTITION holdfast.workflow_side_effects_outbox_defau_tenant_step_execution_id_idx;

ALTER INDEX holdfast.workflow_side_effects_outbox_pkey ATTACH PARTITION holdfast.workflow_side_effects_outbox_default_pkey;

ALTER INDEX holdfast.workflow_side_effects_outbox_lately ATTACH PARTITION holdfast.workflow_side_effects_outbox_default_tenant_completed_at_idx;

ALTER INDEX holdfast.workflow_side_effects_outbox_dead ATTACH PARTITION holdfast.workflow_side_effects_outbox_default_tenant_created_at_idx;

ALTER INDEX holdfast.workflow_side_effects_outbox_processing ATTACH PARTITION holdfast.workflow_side_effects_outbox_default_tenant_id_idx;

ALTER INDEX holdfast.workflow_side_effects_outbox_instance ATTACH PARTITION holdfast.workflow_side_effects_outbox_default_tenant_instance_id_idx;

ALTER INDEX holdfast.workflow_step_executions_timeline ATTACH PARTITION holdfast.workflow_step_executions_defa_tenant_instance_id_created_at_idx;

ALTER INDEX holdfast.workflow_step_executions_node ATTACH PARTITION holdfast.workflow_step_executions_defa_tenant_instance_id_node_id_st_idx;

ALTER INDEX holdfast.workflow_step_executions_event ATTACH PARTITION holdfast.workflow_step_executions_defau_tenant_waiting_for_event_key_idx;

ALTER INDEX holdfast.workflow_step_executions_actor ATTACH PARTITION holdfast.workflow_step_executions_defaul_tenant_actor_user_id_status_idx;

ALTER INDEX holdfast.workflow_step_executions_pkey ATTACH PARTITION holdfast.workflow_step_executions_default_pkey;

ALTER INDEX holdfast.workflow_step_executions_resume ATTACH PARTITION holdfast.workflow_step_executions_default_tenant_resume_at_idx;

ALTER INDEX holdfast.workflow_step_executions_snapshot ATTACH PARTITION holdfast.workflow_step_executions_default_tenant_snapshot_version_id_idx;

CREATE TRIGGER a_decision_never_changes BEFORE UPDATE OF tenant, id, request_id, instance_id, step_key, entity_id, entity_version, content_hash, compiled_hash, decision, outcome, decided_by, seat, reason, answer, decided_at ON holdfast.approval_decisions FOR EACH ROW EXECUTE FUNCTION holdfast.keep_decision();

CREATE TRIGGER acting_party BEFORE INSERT ON holdfast.workflow_event_plain FOR EACH ROW WHEN ((current_setting('holdfast.party'::text, true) <> ''::text)) EXECUTE FUNCTION holdfast.name_party();

CREATE TRIGGER answered_once BEFORE UPDATE ON holdfast.session_prompts FOR EACH ROW WHEN (((old.status <> 'open'::text) AND (NOT ((old.status = 'withdrawn'::text) AND (new.status = 'open'::text))))) EXECUTE FUNCTION holdfast.refuse_second_answer();

CREATE TRIGGER chain BEFORE INSERT ON holdfast.workflow_event_chained FOR EACH ROW EXECUTE FUNCTION holdfast.chain_event();

CREATE TRIGGER changed AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION holdfast.session_changed();

CREATE TRIGGER check_time BEFORE INSERT ON holdfast.workflow_event_plain FOR EACH ROW WHEN ((new.created_at <> now())) EXECUTE FUNCTION holdfast.check_event_time();

CREATE TRIGGER clear_inboxes AFTER UPDATE OF status ON holdfast.approval_requests FOR EACH ROW EXECUTE FUNCTION holdfast.clear_inboxes();

CREATE TRIGGER deleted_outputs AFTER DELETE ON holdfast.workflow_sessions FOR EACH ROW EXECUTE FUNCTION holdfast.session_ends_its_outputs();

CREATE CONSTRAINT TRIGGER deletes_no_last_prompt AFTER DELETE ON holdfast.session_prompts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((old.status = 'open'::text)) EXECUTE FUNCTION holdfast.check_waiting();

CREATE TRIGGER drop_thread AFTER DELETE ON holdfast.workflow_sessions FOR EACH ROW EXECUTE FUNCTION holdfast.drop_thread_of_session();

CREATE TRIGGER ended AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW WHEN (((old.status <> new.status) AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text])))) EXECUTE FUNCTION holdfast.session_ended();

CREATE TRIGGER ended_outputs AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW WHEN (((old.status <> new.status) AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text])))) EXECUTE FUNCTION holdfast.session_ends_its_outputs();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.api_tokens FOR EACH ROW EXECUTE FUNCTION holdfast.guard_token();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.approval_decisions FOR EACH ROW EXECUTE FUNCTION holdfast.guard_decision();

CREATE TRIGGER guard BEFORE UPDATE OF tenant, id, kind, instance_id, step_id, step_key, node_id, token_id, entity_type, entity_id, entity_version, content_hash, compiled_hash, snapshot_version_id, title, requester, makers, four_eyes, branches, in_parallel, may_delegate, required, outcomes, passes, form, chain, stage, stages, created_at ON holdfast.approval_requests FOR EACH ROW EXECUTE FUNCTION holdfast.guard_request();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.entities FOR EACH ROW EXECUTE FUNCTION holdfast.guard_entity();

CREATE TRIGGER guard BEFORE INSERT ON holdfast.user_roles FOR EACH ROW EXECUTE FUNCTION holdfast.guard_grant();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.workflow_action_receipt FOR EACH ROW WHEN ((old.output IS NOT NULL)) EXECUTE FUNCTION holdfast.guard_receipt();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.workflow_operation FOR EACH ROW WHEN (((old.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text])) OR ((new.status = 'pending'::text) AND (old.status <> 'pending'::text)))) EXECUTE FUNCTION holdfast.guard_operation();

CREATE TRIGGER guard BEFORE UPDATE ON holdfast.workflow_schedule FOR EACH ROW WHEN (((new.last_fire_at <= old.last_fire_at) AND (new.last_fire_at IS DISTINCT FROM old.last_fire_at))) EXECUTE FUNCTION holdfast.guard_schedule();

CREATE TRIGGER guard_built_in BEFORE DELETE OR UPDATE ON holdfast.roles FOR EACH ROW EXECUTE FUNCTION holdfast.guard_built_in_role();

CREATE TRIGGER guard_finished BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW WHEN (((old.status = ANY (ARRAY['completed'::text, 'failed'::text])) AND (old.status = new.status) AND ((((old.completed_at IS DISTINCT FROM new.completed_at) OR (old.error_message IS DISTINCT FROM new.error_message)) OR (old.session_name IS DISTINCT FROM new.session_name)) OR (old.workflow_name IS DISTINCT FROM new.workflow_name)))) EXECUTE FUNCTION holdfast.refuse_change_of_finished();

CREATE TRIGGER guard_new BEFORE INSERT ON holdfast.api_tokens FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_token();

CREATE TRIGGER guard_new BEFORE INSERT ON holdfast.approval_decisions FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_decision();

CREATE TRIGGER guard_new_session BEFORE INSERT ON holdfast.workflow_sessions FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_session();

CREATE TRIGGER guard_publication BEFORE UPDATE OF status ON holdfast.workflow_definitions FOR EACH ROW WHEN (((old.status = 'draft'::text) AND (new.status = 'published'::text))) EXECUTE FUNCTION holdfast.guard_publication();

CREATE TRIGGER guard_session BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION holdfast.guard_session();

CREATE TRIGGER keep_an_administrator AFTER DELETE ON holdfast.user_roles FOR EACH ROW WHEN ((old.role = 'admin'::text)) EXECUTE FUNCTION holdfast.keep_an_administrator();

CREATE TRIGGER keep_an_administrator AFTER UPDATE OF deactivated_at ON holdfast.users FOR EACH ROW WHEN (((old.deactivated_at IS NULL) AND (new.deactivated_at IS NOT NULL))) EXECUTE FUNCTION holdfast.keep_an_administrator();

CREATE TRIGGER keep_editors BEFORE UPDATE ON holdfast.workflow_definitions FOR EACH ROW WHEN (((old.status = 'draft'::text) AND ((NOT (new.editors @> old.editors)) OR ((new.revision > old.revision) AND (new.proposed_by IS NOT NULL)) OR ((new.revision = old.revision) AND ((new.body_patches_json IS DISTINCT FROM old.body_patches_json) OR (new.base_ref IS DISTINCT FROM old.base_ref)))))) EXECUTE FUNCTION holdfast.restrict_draft_update();

CREATE CONSTRAINT TRIGGER leaves_nobody_waiting AFTER UPDATE ON holdfast.session_prompts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.status = 'open'::text) AND (new.status <> 'open'::text))) EXECUTE FUNCTION holdfast.check_waiting();

CREATE TRIGGER legal_transition BEFORE UPDATE ON holdfast.workflow_run_done FOR EACH ROW WHEN ((old.status <> new.status)) EXECUTE FUNCTION holdfast.refuse_transition();

CREATE TRIGGER note_asked AFTER INSERT ON holdfast.approval_assignees FOR EACH ROW EXECUTE FUNCTION holdfast.note_asked();

CREATE TRIGGER note_maker AFTER INSERT ON holdfast.entity_versions FOR EACH ROW WHEN (((new.created_by ~ '^(user|service):.'::text) AND ((new.version = 1) OR (new.instance_id IS NULL)))) EXECUTE FUNCTION holdfast.note_maker();

CREATE TRIGGER note_removed AFTER UPDATE OF removed_at ON holdfast.approval_assignees FOR EACH ROW WHEN ((old.removed_at IS DISTINCT FROM new.removed_at)) EXECUTE FUNCTION holdfast.note_asked();

CREATE TRIGGER reject_default_definition_mutation BEFORE DELETE OR UPDATE ON holdfast.workflow_definitions FOR EACH ROW WHEN (old.is_default) EXECUTE FUNCTION holdfast.reject_default_definition_mutation();

CREATE TRIGGER reject_published_definition_mutation BEFORE UPDATE ON holdfast.workflow_definitions FOR EACH ROW WHEN ((old.status <> 'draft'::text)) EXECUTE FUNCTION holdfast.reject_published_definition_mutation();

CREATE TRIGGER reject_published_definition_removal BEFORE DELETE ON holdfast.workflow_definitions FOR EACH ROW WHEN ((old.status <> 'draft'::text)) EXECUTE FUNCTION holdfast.reject_published_definition_mutation();

CREATE TRIGGER restrict_draft_update BEFORE UPDATE ON holdfast.workflow_definitions FOR EACH ROW WHEN (((old.status = 'draft'::text) AND ((new.status = 'archived'::text) OR (new.definition_kind <> old.definition_kind) OR (new.entity_type <> old.entity_type) OR (new.version <> old.version) OR (new.id <> old.id) OR (new.is_default <> old.is_default)))) EXECUTE FUNCTION holdfast.restrict_draft_update();

CREATE TRIGGER restrict_instance_update BEFORE UPDATE OF tenant, id, entity_type, entity_id, subject_id, started_at, created_by, party, partition_id ON holdfast.workflow_instances FOR EACH ROW EXECUTE FUNCTION holdfast.restrict_instance_update();

CREATE TRIGGER restrict_status_regression BEFORE UPDATE ON holdfast.workflow_side_effects_outbox FOR EACH ROW WHEN (((old.status <> new.status) AND (NOT (((old.status = 'pending'::text) AND (new.status = ANY (ARRAY['processing'::text, 'cancelled'::text]))) OR ((old.status = 'processing'::text) AND (new.status = ANY (ARRAY['completed'::text, 'failed'::text, 'pending'::text, 'dead_letter'::text, 'cancelled'::text]))) OR ((old.status = 'failed'::text) AND (new.status = ANY (ARRAY['processing'::text, 'pending'::text, 'dead_letter'::text, 'cancelled'::text]))) OR ((old.status = 'dead_letter'::text) AND (new.status = ANY (ARRAY['pending'::text, 'cancelled'::text])) AND (COALESCE(current_setting('holdfast.admin_override'::text, true), ''::text) = 'on'::text)))))) EXECUTE FUNCTION holdfast.restrict_status_regression('an effect', 'a completed effect stays; an operator replays or skips dead letters');

CREATE TRIGGER restrict_status_regression BEFORE UPDATE ON holdfast.workflow_what_ifs FOR EACH ROW WHEN ((old.status = ANY (ARRAY['completed'::text, 'failed'::text, 'cancelled'::text]))) EXECUTE FUNCTION holdfast.restrict_status_regression('a what-if', 'what it found stays; ask anew');

CREATE TRIGGER restrict_step_execution_updates BEFORE UPDATE OF tenant, id, created_at, instance_id, node_id, node_type, token_id, entity_version, run_as, idempotency_key, origin, opened_seq, waited, input_json, opened_output, actor_user_id, acted_as, snapshot_version_id, trace_id ON holdfast.workflow_step_executions FOR EACH ROW EXECUTE FUNCTION holdfast.restrict_step_execution_updates();

CREATE TRIGGER run_finished AFTER INSERT ON holdfast.workflow_run_done FOR EACH ROW WHEN ((new.created_by = 'system:process'::text)) EXECUTE FUNCTION holdfast.run_finished();

CREATE TRIGGER session_run_ended AFTER INSERT ON holdfast.workflow_run_done FOR EACH ROW WHEN (((new.status = ANY (ARRAY['failed'::text, 'cancelled'::text])) AND starts_with(new.type, 'session.execute.v1.'::text))) EXECUTE FUNCTION holdfast.session_run_ended();

CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.approval_assignees FOR EACH ROW EXECUTE FUNCTION holdfast.check_assignee();

CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.approval_requests FOR EACH ROW EXECUTE FUNCTION holdfast.check_request();

CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_events_outbox FOR EACH ROW EXECUTE FUNCTION holdfast.check_inbox_event();

CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_instances FOR EACH ROW EXECUTE FUNCTION holdfast.check_instance();

CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_run_live FOR EACH ROW EXECUTE FUNCTION holdfast.check_run();

CREATE TRIGGER sound BEFORE INSERT OR UPDATE ON holdfast.workflow_step_executions FOR EACH ROW EXECUTE FUNCTION holdfast.check_step();

CREATE TRIGGER stay_interrupted BEFORE UPDATE ON holdfast.workflow_sessions FOR EACH ROW WHEN ((old.interrupted AND (NOT new.interrupted))) EXECUTE FUNCTION holdfast.stay_interrupted();

CREATE TRIGGER tend_at_once AFTER DELETE ON holdfast.user_roles FOR EACH ROW EXECUTE FUNCTION holdfast.tend_at_once();

CREATE TRIGGER tend_at_once AFTER UPDATE OF deactivated_at ON holdfast.users FOR EACH ROW WHEN (((old.deactivated_at IS NULL) AND (new.deactivated_at IS NOT NULL))) EXECUTE FUNCTION holdfast.tend_at_once();

CREATE TRIGGER touch BEFORE UPDATE ON holdfast.approval_chains FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TRIGGER touch BEFORE UPDATE ON holdfast.tenants FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TRIGGER touch BEFORE UPDATE ON holdfast.users FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_rules FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_run_done FOR EACH ROW WHEN ((old.updated_at = new.updated_at)) EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TRIGGER touch BEFORE UPDATE ON holdfast.workflow_triggers FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE CONSTRAINT TRIGGER waits_for_somebody AFTER UPDATE ON holdfast.workflow_sessions DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (((old.status <> new.status) AND (new.status = 'waiting_for_input'::text))) EXECUTE FUNCTION holdfast.check_waiting();

CREATE TRIGGER wake AFTER INSERT ON holdfast.workflow_event_chained FOR EACH STATEMENT EXECUTE FUNCTION holdfast.live_wake();

CREATE TRIGGER wake AFTER INSERT ON holdfast.workflow_notifications FOR EACH STATEMENT EXECUTE FUNCTION holdfast.live_wake();

ALTER TABLE ONLY holdfast.api_tokens
    ADD CONSTRAINT api_tokens_tenant_parent_id_fkey FOREIGN KEY (tenant, parent_id) REFERENCES holdfast.api_tokens(tenant, token_id);

ALTER TABLE ONLY holdfast.api_tokens
    ADD CONSTRAINT api_tokens_tenant_user_id_fkey FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users(tenant, user_id);

ALTER TABLE ONLY holdfast.approval_assignees
    ADD CONSTRAINT approval_assignees_tenant_request_id_fkey FOREIGN KEY (tenant, request_id) REFERENCES holdfast.approval_requests(tenant, id);

ALTER TABLE ONLY holdfast.approval_chains
    ADD CONSTRAINT approval_chains_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.approval_decisions
    ADD CONSTRAINT approval_decisions_tenant_request_id_fkey FOREIGN KEY (tenant, request_id) REFERENCES holdfast.approval_requests(tenant, id);

ALTER TABLE ONLY holdfast.approval_delegations
    ADD CONSTRAINT approval_delegations_tenant_delegate_fkey FOREIGN KEY (tenant, delegate) REFERENCES holdfast.users(tenant, name);

ALTER TABLE ONLY holdfast.approval_delegations
    ADD CONSTRAINT approval_delegations_tenant_delegator_fkey FOREIGN KEY (tenant, delegator) REFERENCES holdfast.users(tenant, name);

ALTER TABLE ONLY holdfast.approval_delegations
    ADD CONSTRAINT approval_delegations_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.approval_requests
    ADD CONSTRAINT approval_requests_tenant_entity_id_entity_version_content__fkey FOREIGN KEY (tenant, entity_id, entity_version, content_hash) REFERENCES holdfast.entity_versions(tenant, entity_id, version, content_hash);

ALTER TABLE ONLY holdfast.approval_steps
    ADD CONSTRAINT approval_steps_tenant_chain_id_fkey FOREIGN KEY (tenant, chain_id) REFERENCES holdfast.approval_chains(tenant, id);

ALTER TABLE ONLY holdfast.approval_turns
    ADD CONSTRAINT approval_turns_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.document_views
    ADD CONSTRAINT document_views_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.document_views
    ADD CONSTRAINT document_views_tenant_owner_fkey FOREIGN KEY (tenant, owner) REFERENCES holdfast.users(tenant, name);

ALTER TABLE ONLY holdfast.entities
    ADD CONSTRAINT entities_snapshot FOREIGN KEY (tenant, id, entity_version, content_hash) REFERENCES holdfast.entity_versions(tenant, entity_id, version, content_hash) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY holdfast.entities
    ADD CONSTRAINT entities_tenant_amended_from_id_fkey FOREIGN KEY (tenant, amended_from_id) REFERENCES holdfast.entities(tenant, id);

ALTER TABLE ONLY holdfast.entities
    ADD CONSTRAINT entities_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.entities
    ADD CONSTRAINT entities_version FOREIGN KEY (tenant, version_id) REFERENCES holdfast.entity_versions(tenant, id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY holdfast.entity_readers
    ADD CONSTRAINT entity_readers_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.entity_versions
    ADD CONSTRAINT entity_versions_tenant_entity_id_fkey FOREIGN KEY (tenant, entity_id) REFERENCES holdfast.entities(tenant, id);

ALTER TABLE ONLY holdfast.inbox_views
    ADD CONSTRAINT inbox_views_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.inbox_views
    ADD CONSTRAINT inbox_views_tenant_owner_fkey FOREIGN KEY (tenant, owner) REFERENCES holdfast.users(tenant, name);

ALTER TABLE ONLY holdfast.org_chart
    ADD CONSTRAINT org_chart_tenant_manager_fkey FOREIGN KEY (tenant, manager) REFERENCES holdfast.users(tenant, name);

ALTER TABLE ONLY holdfast.org_chart
    ADD CONSTRAINT org_chart_tenant_name_fkey FOREIGN KEY (tenant, name) REFERENCES holdfast.users(tenant, name);

ALTER TABLE ONLY holdfast.role_requests
    ADD CONSTRAINT role_requests_tenant_role_fkey FOREIGN KEY (tenant, role) REFERENCES holdfast.roles(tenant, role) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.role_requests
    ADD CONSTRAINT role_requests_tenant_user_id_fkey FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users(tenant, user_id);

ALTER TABLE ONLY holdfast.roles
    ADD CONSTRAINT roles_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.session_inputs
    ADD CONSTRAINT session_inputs_tenant_workflow_session_id_fkey FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions(tenant, id) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.session_messages
    ADD CONSTRAINT session_messages_tenant_workflow_session_id_fkey FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions(tenant, id) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.session_prompts
    ADD CONSTRAINT session_prompts_tenant_workflow_session_id_fkey FOREIGN KEY (tenant, workflow_session_id) REFERENCES holdfast.workflow_sessions(tenant, id) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.user_identities
    ADD CONSTRAINT user_identities_tenant_user_id_fkey FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users(tenant, user_id);

ALTER TABLE ONLY holdfast.user_roles
    ADD CONSTRAINT user_roles_tenant_role_fkey FOREIGN KEY (tenant, role) REFERENCES holdfast.roles(tenant, role);

ALTER TABLE ONLY holdfast.user_roles
    ADD CONSTRAINT user_roles_tenant_user_id_fkey FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users(tenant, user_id);

ALTER TABLE ONLY holdfast.users
    ADD CONSTRAINT users_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_definitions
    ADD CONSTRAINT workflow_definitions_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_definitions
    ADD CONSTRAINT workflow_definitions_tenant_source_definition_id_fkey FOREIGN KEY (tenant, source_definition_id) REFERENCES holdfast.workflow_definitions(tenant, id);

ALTER TABLE ONLY holdfast.workflow_draft_editors
    ADD CONSTRAINT workflow_draft_editors_tenant_definition_id_fkey FOREIGN KEY (tenant, definition_id) REFERENCES holdfast.workflow_definitions(tenant, id) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.workflow_effect_lane
    ADD CONSTRAINT workflow_effect_lane_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_instances
    ADD CONSTRAINT workflow_instances_tenant_definition_id_fkey FOREIGN KEY (tenant, definition_id) REFERENCES holdfast.workflow_definitions(tenant, id);

ALTER TABLE ONLY holdfast.workflow_instances
    ADD CONSTRAINT workflow_instances_tenant_entity_id_fkey FOREIGN KEY (tenant, entity_id) REFERENCES holdfast.entities(tenant, id);

ALTER TABLE ONLY holdfast.workflow_notifications
    ADD CONSTRAINT workflow_notifications_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_operation_item
    ADD CONSTRAINT workflow_operation_item_tenant_operation_id_fkey FOREIGN KEY (tenant, operation_id) REFERENCES holdfast.workflow_operation(tenant, id) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.workflow_rules
    ADD CONSTRAINT workflow_rules_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_schedule
    ADD CONSTRAINT workflow_schedule_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_secrets
    ADD CONSTRAINT workflow_secrets_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE holdfast.workflow_step_executions
    ADD CONSTRAINT workflow_step_executions_tenant_snapshot_version_id_fkey FOREIGN KEY (tenant, snapshot_version_id) REFERENCES holdfast.entity_versions(tenant, id) DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE ONLY holdfast.workflow_test_cases
    ADD CONSTRAINT workflow_test_cases_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_triggers
    ADD CONSTRAINT workflow_triggers_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE ONLY holdfast.workflow_what_if_documents
    ADD CONSTRAINT workflow_what_if_documents_tenant_what_if_id_group_id_fkey FOREIGN KEY (tenant, what_if_id, group_id) REFERENCES holdfast.workflow_what_if_groups(tenant, what_if_id, id) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.workflow_what_if_groups
    ADD CONSTRAINT workflow_what_if_groups_tenant_what_if_id_fkey FOREIGN KEY (tenant, what_if_id) REFERENCES holdfast.workflow_what_ifs(tenant, id) ON DELETE CASCADE;

ALTER TABLE ONLY holdfast.workflow_what_ifs
    ADD CONSTRAINT workflow_what_ifs_tenant_fkey FOREIGN KEY (tenant) REFERENCES holdfast.tenants(tenant);

ALTER TABLE holdfast.api_tokens ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.approval_assignees ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.approval_chains ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.approval_decisions ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.approval_delegations ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.approval_requests ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.approval_steps ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.approval_turns ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.audit_head ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.audit_tombstone ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.audit_tombstone_range ENABLE ROW LEVEL SECURITY;

CREATE POLICY cross_tenant ON holdfast.api_tokens TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.approval_assignees TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.approval_chains TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.approval_decisions TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.approval_delegations TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.approval_requests TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.approval_steps TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.approval_turns TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.audit_head TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.audit_tombstone TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.audit_tombstone_range TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.document_views TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.entities TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.entity_readers TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.entity_versions TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.inbox_views TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.org_chart TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.outbox_event_done TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.outbox_event_done_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.outbox_event_live TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.outbox_lane TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.outbox_order TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.queue_depth TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.queue_minute TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.role_requests TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.roles TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.session_inputs TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.session_messages TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.session_outputs TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.session_prompts TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.tenants TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.user_identities TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.user_roles TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.users TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_action_receipt TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_awaited_event TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_data_change TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_data_change_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_data_namespace TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_data_store TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_definitions TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_draft_editors TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_effect_lane TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_entity_links TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_event_chained TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_event_chained_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_event_plain TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_event_plain_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_events_outbox TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_events_outbox_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_executions TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_executions_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_inbound_events TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_instances TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_lane TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_notifications TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_nudge TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_operation TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_operation_item TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_outbox_receipts TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_pause TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_rate TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_rules TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_run_done TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_run_done_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_run_key TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_run_live TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_run_step TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_run_wait TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_schedule TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_secrets TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_session_wait TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_sessions TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_side_effects_outbox TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_side_effects_outbox_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_step_executions TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_step_executions_default TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_step_receipts TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_test_cases TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_triggers TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_what_if_documents TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_what_if_groups TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast.workflow_what_ifs TO holdfast_owner USING (true) WITH CHECK (true);

ALTER TABLE holdfast.document_views ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.entities ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.entity_readers ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.entity_versions ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.inbox_views ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.org_chart ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.outbox_event_done ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.outbox_event_done_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.outbox_event_live ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.outbox_lane ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.outbox_order ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.queue_depth ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.queue_minute ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.role_requests ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.roles ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.session_inputs ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.session_messages ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.session_outputs ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.session_prompts ENABLE ROW LEVEL SECURITY;

CREATE POLICY tenant_isolation ON holdfast.api_tokens USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.approval_assignees USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.approval_chains USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.approval_decisions USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.approval_delegations USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.approval_requests USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.approval_steps USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.approval_turns USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.audit_head USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.audit_tombstone USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.audit_tombstone_range USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.document_views USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.entities USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.entity_readers USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.entity_versions USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.inbox_views USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.org_chart USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.outbox_event_done USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.outbox_event_done_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.outbox_event_live USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.outbox_lane USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.outbox_order USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.queue_depth USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.queue_minute USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.role_requests USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.roles USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.session_inputs USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.session_messages USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.session_outputs USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.session_prompts USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.tenants USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.user_identities USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.user_roles USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.users USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_action_receipt USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_awaited_event USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_data_change USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_data_change_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_data_namespace USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_data_store USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_definitions USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_draft_editors USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_effect_lane USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_entity_links USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_event_chained USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_event_chained_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_event_plain USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_event_plain_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_events_outbox USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_events_outbox_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_executions USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_executions_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_inbound_events USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_instances USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_lane USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_notifications USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_nudge USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_operation USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_operation_item USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_outbox_receipts USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_pause USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_rate USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_rules USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_run_done USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_run_done_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_run_key USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_run_live USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_run_step USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_run_wait USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_schedule USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_secrets USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_session_wait USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_sessions USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_side_effects_outbox USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_side_effects_outbox_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_step_executions USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_step_executions_default USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_step_receipts USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_test_cases USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_triggers USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_what_if_documents USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_what_if_groups USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

CREATE POLICY tenant_isolation ON holdfast.workflow_what_ifs USING ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid)) WITH CHECK ((tenant = (NULLIF(current_setting('holdfast.tenant'::text, true), ''::text))::uuid));

ALTER TABLE holdfast.tenants ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.user_identities ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.user_roles ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.users ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_action_receipt ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_awaited_event ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_data_change ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_data_change_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_data_namespace ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_data_store ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_definitions ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_draft_editors ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_effect_lane ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_entity_links ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_event_chained ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_event_chained_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_event_plain ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_event_plain_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_events_outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_events_outbox_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_executions ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_executions_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_inbound_events ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_instances ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_lane ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_notifications ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_nudge ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_operation ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_operation_item ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_outbox_receipts ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_pause ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_rate ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_rules ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_run_done ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_run_done_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_run_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_run_live ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_run_step ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_run_wait ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_schedule ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_secrets ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_session_wait ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_sessions ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_side_effects_outbox ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_side_effects_outbox_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_step_executions ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_step_executions_default ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_step_receipts ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_test_cases ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_triggers ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_what_if_documents ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_what_if_groups ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast.workflow_what_ifs ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast_langgraph.checkpoint_blobs ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast_langgraph.checkpoint_writes ENABLE ROW LEVEL SECURITY;

ALTER TABLE holdfast_langgraph.checkpoints ENABLE ROW LEVEL SECURITY;

CREATE POLICY cross_tenant ON holdfast_langgraph.checkpoint_blobs TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast_langgraph.checkpoint_writes TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY cross_tenant ON holdfast_langgraph.checkpoints TO holdfast_owner USING (true) WITH CHECK (true);

CREATE POLICY tenant_isolation ON holdfast_langgraph.checkpoint_blobs USING (starts_with(thread_id, ( SELECT holdfast.thread_prefix() AS thread_prefix))) WITH CHECK (starts_with(thread_id, ( SELECT holdfast.thread_prefix() AS thread_prefix)));

CREATE POLICY tenant_isolation ON holdfast_langgraph.checkpoint_writes USING (starts_with(thread_id, ( SELECT holdfast.thread_prefix() AS thread_prefix))) WITH CHECK (starts_with(thread_id, ( SELECT holdfast.thread_prefix() AS thread_prefix)));

CREATE POLICY tenant_isolation ON holdfast_langgraph.checkpoints USING (starts_with(thread_id, ( SELECT holdfast.thread_prefix() AS thread_prefix))) WITH CHECK (starts_with(thread_id, ( SELECT holdfast.thread_prefix() AS thread_prefix)));

GRANT USAGE ON SCHEMA holdfast TO holdfast_app;

GRANT USAGE ON SCHEMA holdfast_langgraph TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.add_input(session uuid, new_id uuid, new_kind text, new_body text, node text, at_once boolean, actor text, party text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.add_input(session uuid, new_id uuid, new_kind text, new_body text, node text, at_once boolean, actor text, party text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.add_messages(for_tenant uuid, session uuid, types text[], contents jsonb[], at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.admit_runs(tenants uuid[], keys text[], at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.announce_output(for_tenant uuid, session uuid, run uuid, epoch bigint, new_object text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.announce_output(for_tenant uuid, session uuid, run uuid, epoch bigint, new_object text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.announce_worker(worker uuid, worker_name text, handled text[], tries integer[], taken text[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.announce_worker(worker uuid, worker_name text, handled text[], tries integer[], taken text[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.answer_prompt(session uuid, prompt text, value text, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.answer_prompt(session uuid, prompt text, value text, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.ask_people(given jsonb, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.ask_people(given jsonb, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.await_event(run_tenant uuid, run uuid, epoch bigint, step text, event_key text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.await_event(run_tenant uuid, run uuid, epoch bigint, step text, event_key text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.begin_session(for_tenant uuid, session uuid, run uuid, epoch bigint, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.begin_session(for_tenant uuid, session uuid, run uuid, epoch bigint, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.behalf_of(party jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.broken_rule(row_of text, rule text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.broken_rule(row_of text, rule text) TO holdfast_app;

GRANT SELECT ON TABLE holdfast.approval_requests TO holdfast_app;

GRANT UPDATE(claimed_by) ON TABLE holdfast.approval_requests TO holdfast_app;

GRANT UPDATE(tend_at) ON TABLE holdfast.approval_requests TO holdfast_app;

GRANT UPDATE(escalate_at) ON TABLE holdfast.approval_requests TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.can_answer(r holdfast.approval_requests) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.can_answer(r holdfast.approval_requests) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.cancel_run(wanted uuid, reason text, actor text, publishes text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.cancel_run(wanted uuid, reason text, actor text, publishes text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.cancel_session(session uuid, reason text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.cancel_session(session uuid, reason text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.chain_event() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_assignee() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_event_time() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_inbox_event() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_instance() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_request() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_run() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_step() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.check_waiting() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.checkpoint_time(checkpoint jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.claim_anchor(to_place text, every interval, at timestamp with time zone, OUT due boolean, OUT before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.claim_anchor(to_place text, every interval, at timestamp with time zone, OUT due boolean, OUT before timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.claim_effects(worker text, kinds text[], slots integer, quota integer, full_tenants uuid[], lease interval, at timestamp with time zone, marks jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.claim_effects(worker text, kinds text[], slots integer, quota integer, full_tenants uuid[], lease interval, at timestamp with time zone, marks jsonb) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.claim_events(worker text, share integer, lease interval, at timestamp with time zone, known text[], marks jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.claim_events(worker text, share integer, lease interval, at timestamp with time zone, known text[], marks jsonb) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.claim_lane(worker text, lane_tenant uuid, lane_type text, quota integer, lease interval, by_age boolean, at timestamp with time zone, mark holdfast.run_mark, thorough boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.claim_lane(worker text, lane_tenant uuid, lane_type text, quota integer, lease interval, by_age boolean, at timestamp with time zone, mark holdfast.run_mark, thorough boolean) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.claim_outbox(dispatcher text, slots integer, per_lane integer, lease interval, after_tenant uuid, at timestamp with time zone, marks jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.claim_outbox(dispatcher text, slots integer, per_lane integer, lease interval, after_tenant uuid, at timestamp with time zone, marks jsonb) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.claim_runs(worker text, tenants uuid[], types text[], quotas integer[], leases interval[], by_age boolean, event_level text, at timestamp with time zone, threaded boolean[], marks holdfast.run_mark[], thorough boolean[]) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.claim_runs(worker text, tenants uuid[], types text[], quotas integer[], leases interval[], by_age boolean, event_level text, at timestamp with time zone, threaded boolean[], marks holdfast.run_mark[], thorough boolean[]) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.clear_inboxes() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.close_calls(given jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.close_calls(given jsonb, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.close_requests(closing jsonb, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.close_requests(closing jsonb, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.count_active_sessions(workflow text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.count_active_sessions(workflow text) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.create_partitions(at timestamp with time zone, months_ahead integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.create_partitions(at timestamp with time zone, months_ahead integer) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.create_tenant(new_tenant uuid, new_slug text, new_name text, created_by text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.create_tenant(new_tenant uuid, new_slug text, new_name text, created_by text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.data_charge(own uuid, in_namespace text, more_keys integer, more_bytes bigint, actor text, at timestamp with time zone, OUT refused text, OUT notice text) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.data_configure(own uuid, in_namespace text, new_id uuid, new_schema text, keys_at_most bigint, bytes_at_most bigint, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_configure(own uuid, in_namespace text, new_id uuid, new_schema text, keys_at_most bigint, bytes_at_most bigint, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_delete(own uuid, in_namespace text, in_keys text[], expected bigint, actor text, origin jsonb, step text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_delete(own uuid, in_namespace text, in_keys text[], expected bigint, actor text, origin jsonb, step text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_fits(number numeric) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.data_get(own uuid, in_namespace text, in_key text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_get(own uuid, in_namespace text, in_key text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_increment(own uuid, in_namespace text, in_key text, new_id uuid, by numeric, initial numeric, lives interval, checked bigint, allowed numeric, actor text, origin jsonb, step text, at timestamp with time zone, OUT status text, OUT new_revision bigint, OUT new_value text, OUT created boolean, OUT known_revision bigint, OUT note text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_increment(own uuid, in_namespace text, in_key text, new_id uuid, by numeric, initial numeric, lives interval, checked bigint, allowed numeric, actor text, origin jsonb, step text, at timestamp with time zone, OUT status text, OUT new_revision bigint, OUT new_value text, OUT created boolean, OUT known_revision bigint, OUT note text) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_list(own uuid, in_namespace text, low text, high text, past text, at_most integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_list(own uuid, in_namespace text, low text, high text, past text, at_most integer, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_recount(own uuid, in_namespace text) FROM PUBLIC;

GRANT SELECT ON TABLE holdfast.workflow_data_namespace TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_rule(own uuid, in_namespace text, more_bytes integer, actor text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.data_set(own uuid, in_namespace text, in_key text, new_id uuid, new_value text, new_type text, lives interval, expected bigint, checked bigint, actor text, origin jsonb, step text, at timestamp with time zone, OUT status text, OUT new_revision bigint, OUT created boolean, OUT known_revision bigint, OUT note text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_set(own uuid, in_namespace text, in_key text, new_id uuid, new_value text, new_type text, lives interval, expected bigint, checked bigint, actor text, origin jsonb, step text, at timestamp with time zone, OUT status text, OUT new_revision bigint, OUT created boolean, OUT known_revision bigint, OUT note text) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_set_many(own uuid, in_namespace text, in_keys text[], new_ids uuid[], new_values text[], new_types text[], lives interval[], expected bigint[], checked bigint, actor text, origin jsonb, step text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_set_many(own uuid, in_namespace text, in_keys text[], new_ids uuid[], new_values text[], new_types text[], lives interval[], expected bigint[], checked bigint, actor text, origin jsonb, step text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_sweep(own uuid, most integer, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_sweep(own uuid, most integer, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.data_sweep_tenant(own uuid, in_namespace text, most integer, actor text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.data_tell(own uuid, in_namespace text, in_key text, what text, at_revision bigint, object uuid, facts jsonb, actor text, origin jsonb, step text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.data_tidy(most integer, recount boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.data_tidy(most integer, recount boolean, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.data_wake(own uuid, in_namespace text) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.delete_definition(wanted text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.delete_definition(wanted text) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.delete_run(wanted uuid, reason text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.delete_run(wanted uuid, reason text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.delete_session(session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.delete_session(session uuid) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.discard_outputs(for_tenant uuid, session uuid, kept text, due timestamp with time zone, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.documents_not_to_start(ids uuid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.documents_not_to_start(ids uuid[]) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.draw_definition(of_name text, of_revision integer, drawing jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.draw_definition(of_name text, of_revision integer, drawing jsonb) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_awaited_events(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.drop_awaited_events(before timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_expired_events(before timestamp with time zone, at_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.drop_expired_events(before timestamp with time zone, at_most integer) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_finished_runs(before timestamp with time zone, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.drop_finished_runs(before timestamp with time zone, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_minutes(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.drop_minutes(before timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_operations(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.drop_operations(before timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_partitions(of_branch text, before timestamp with time zone, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.drop_partitions(of_branch text, before timestamp with time zone, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_receipts(before timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.drop_receipts(before timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.drop_thread(thread text) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.drop_thread_of_session() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.due_schedules(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.due_schedules(at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.due_triggers(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.due_triggers(at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.emit_event(event_key text, new_payload text, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.emit_event(event_key text, new_payload text, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.end_requests(own uuid, ending jsonb, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.ended_tokens(tenants uuid[], tokens uuid[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.ended_tokens(tenants uuid[], tokens uuid[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.enqueue_effects(ids uuid[], instances uuid[], steps uuid[], step_keys text[], nodes text[], tokens text[], kinds text[], payloads text[], keys text[], awaited boolean[], max_attempts integer[], traces text[], actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.enqueue_effects(ids uuid[], instances uuid[], steps uuid[], step_keys text[], nodes text[], tokens text[], kinds text[], payloads text[], keys text[], awaited boolean[], max_attempts integer[], traces text[], actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.enqueue_expiry(for_tenant uuid, session uuid, due timestamp with time zone, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.enqueue_run_for(for_tenant uuid, new_id uuid, new_type text, new_payload text, new_priority integer, new_run_at timestamp with time zone, tries integer, trace text, actor text, event_level text, at timestamp with time zone, party jsonb) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.enqueue_run_for(for_tenant uuid, new_id uuid, new_type text, new_payload text, new_priority integer, new_run_at timestamp with time zone, tries integer, trace text, actor text, event_level text, at timestamp with time zone, party jsonb) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.enqueue_runs(new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], actor text, party text, event_level text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.enqueue_runs(new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], actor text, party text, event_level text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.enqueue_runs_for(for_tenant uuid, new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], actor text, event_level text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.enqueue_runs_for(for_tenant uuid, new_ids uuid[], types text[], payloads text, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], actor text, event_level text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.enqueue_session(for_tenant uuid, session uuid, actor text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.enter_tenant(wanted uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.enter_tenant(wanted uuid) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.expire_session(for_tenant uuid, session uuid, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.expire_session(for_tenant uuid, session uuid, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.fail_session(for_tenant uuid, session uuid, reason text, kind text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.find_people(users text[], managed text[], picked text[], asked text[], instances uuid[], except_for text[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.find_people(users text[], managed text[], picked text[], asked text[], instances uuid[], except_for text[], at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.find_tenant(wanted text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.find_tenant(wanted text) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.find_token(wanted bytea, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.find_token(wanted bytea, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.finish_session(for_tenant uuid, session uuid, run uuid, epoch bigint, output text, reference text, hash text, size bigint, error text, trace text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.finish_session(for_tenant uuid, session uuid, run uuid, epoch bigint, output text, reference text, hash text, size bigint, error text, trace text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.first_statistics() FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.first_statistics() TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.follow_recompiled(old uuid, new uuid, actor text, about jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.follow_recompiled(old uuid, new uuid, actor text, about jsonb, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.fork_session(source uuid, source_checkpoint text, new_id uuid, name text, actor text, party text, timeout interval, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.fork_session(source uuid, source_checkpoint text, new_id uuid, name text, actor text, party text, timeout interval, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.guard_built_in_role() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_decision() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_entity() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_grant() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_new_decision() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_new_session() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_new_token() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_operation() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_publication() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_receipt() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_request() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_schedule() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_session() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.guard_token() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.handled_types(wanted text[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.handled_types(wanted text[], at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.heads_since(since timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.heads_since(since timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.heartbeat_effects(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.heartbeat_effects(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.heartbeat_events(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.heartbeat_events(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.heartbeat_outbox(tenants uuid[], lanes text[], epochs bigint[], leases interval[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.heartbeat_outbox(tenants uuid[], lanes text[], epochs bigint[], leases interval[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.heartbeat_runs(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.heartbeat_runs(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.heed_nudges(at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.hold_document(wanted uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.hold_document(wanted uuid) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.hold_requests(wanted uuid[], me text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.hold_requests(wanted uuid[], me text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.hold_run(run uuid, epoch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.hold_run(run uuid, epoch bigint) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.holds_session(for_tenant uuid, session uuid, run uuid, epoch bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.idle_runs(late timestamp with time zone, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.idle_runs(late timestamp with time zone, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.inbox_names(own uuid, me text, roles text[], may_approve boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.inbox_names(own uuid, me text, roles text[], may_approve boolean, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.insert_runs(own uuid, new_ids uuid[], types text[], payloads jsonb, priorities integer[], run_ats timestamp with time zone[], max_attempts integer[], keys text[], fingerprints bytea[], trace_parents text[], concurrency_keys text[], concurrency_limits integer[], parent uuid, actor text, event_level text, at timestamp with time zone, party jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.installation_health(after text, most integer, cap integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.installation_health(after text, most integer, cap integer, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.is_in_force(of_tenant uuid, wanted uuid, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.is_in_force(of_tenant uuid, wanted uuid, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.keep_an_administrator() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.keep_decision() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.keep_latest_checkpoint(thread text, before timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.keep_successes(tenants uuid[], ids uuid[], epochs bigint[], addresses tid[], results text[], by text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.lacked_by_effect(error text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.lacked_by_effect(error text) TO holdfast_app;
GRANT ALL ON FUNCTION holdfast.lacked_by_effect(error text) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.latency_bucket(seconds double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.latency_bucket(seconds double precision) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.leave_tombstones(of_branch text, leaf text, of_month date, kept_days integer, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.links_delete(own uuid, in_namespace text, from_type text, from_id text, to_type text, to_id text, of_relation text, actor text, origin jsonb, step text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.links_delete(own uuid, in_namespace text, from_type text, from_id text, to_type text, to_id text, of_relation text, actor text, origin jsonb, step text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.links_lookup(own uuid, in_namespace text, of_type text, of_id text, forward boolean, reverse boolean, of_relation text, other_type text, after_type text, after_id text, after_relation text, after_link uuid, at_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.links_lookup(own uuid, in_namespace text, of_type text, of_id text, forward boolean, reverse boolean, of_relation text, other_type text, after_type text, after_id text, after_relation text, after_link uuid, at_most integer) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.links_upsert(own uuid, in_namespace text, new_id uuid, from_type text, from_id text, to_type text, to_id text, new_relation text, new_attributes text, actor text, origin jsonb, step text, at timestamp with time zone, OUT id uuid, OUT created boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.links_upsert(own uuid, in_namespace text, new_id uuid, from_type text, from_id text, to_type text, to_id text, new_relation text, new_attributes text, actor text, origin jsonb, step text, at timestamp with time zone, OUT id uuid, OUT created boolean) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.list_tenants() FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.list_tenants() TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.live_wake() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.lock_event_key(key text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.lock_event_key(key text) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.lock_instance(instance uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.lock_instance(instance uuid) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.measured(part text) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.migrate_instance(wanted uuid, read_version integer, new_definition uuid, new_version integer, new_hash text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.migrate_instance(wanted uuid, read_version integer, new_definition uuid, new_version integer, new_hash text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.move_documents(moves jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.move_documents(moves jsonb, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.name_party() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.narrow_party(carried jsonb, other jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.new_tombstones() FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.new_tombstones() TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.next_input(for_tenant uuid, session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.next_input(for_tenant uuid, session uuid) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.note_anchor(to_place text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.note_anchor(to_place text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.note_asked() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.note_maker() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.note_retried(wanted uuid, made uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.note_retried(wanted uuid, made uuid) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.note_started(worker text, run_tenant uuid, run uuid, epoch bigint, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.note_started(worker text, run_tenant uuid, run uuid, epoch bigint, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.offer_events(instance uuid, needed text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.offer_events(instance uuid, needed text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.open_instances(ids uuid[], patience boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.open_instances(ids uuid[], patience boolean) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.outbox_depths(cap integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.outbox_depths(cap integer, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.own_queue_states(cap integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.own_queue_states(cap integer, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.pack_steps(tenants uuid[], moments timestamp with time zone[], ids uuid[], packed bytea[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.pack_steps(tenants uuid[], moments timestamp with time zone[], ids uuid[], packed bytea[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.pause_instance(wanted uuid, new_status text, by text, why text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.pause_instance(wanted uuid, new_status text, by text, why text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.post_events(given jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.post_events(given jsonb, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.post_events_for(own uuid, given jsonb, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.priority_levels(lane_tenant uuid, lane_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.protect_tenant_table(target regclass) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.protect_tenant_tables() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.protect_threads() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.prune_outboxes(before timestamp with time zone, at_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.prune_outboxes(before timestamp with time zone, at_most integer) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.prune_receipts(before timestamp with time zone, at_most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.prune_receipts(before timestamp with time zone, at_most integer) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.prune_session(session uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.prune_session(session uuid) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.prune_sessions(for_tenant uuid, since timestamp with time zone, before timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.prune_sessions(for_tenant uuid, since timestamp with time zone, before timestamp with time zone, most integer) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.publish_event(event_type text, payload jsonb, aggregate_type text, aggregate_id text, subject text, trace_parent text, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.publish_event(event_type text, payload jsonb, aggregate_type text, aggregate_id text, subject text, trace_parent text, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.publish_events(ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[], trace_parents text[], actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.publish_events(ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[], trace_parents text[], actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.publish_events_for(tenants uuid[], ids uuid[], types text[], payloads text[], aggregate_types text[], aggregate_ids text[], subjects text[], trace_parents text[], actor text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.publish_outcomes(tenants uuid[], ids uuid[], publishes text, actor text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.put_advance(own uuid, steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb, done jsonb, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.queue_depths(cap integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.queue_depths(cap integer, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.queue_states(own uuid, cap integer, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.read_secret(of_tenant uuid, made_at timestamp with time zone, effect uuid, epoch bigint) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.read_secret(of_tenant uuid, made_at timestamp with time zone, effect uuid, epoch bigint) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.reader_names(own uuid, me text, roles text[], may_approve boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.reader_names(own uuid, me text, roles text[], may_approve boolean, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.ready_lanes(prefixes text[], types text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.ready_lanes(prefixes text[], types text[]) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.recall_steps(run_tenant uuid, run uuid, epoch bigint, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.recall_steps(run_tenant uuid, run uuid, epoch bigint, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.record_decisions(given jsonb, trail jsonb, ending jsonb, advance jsonb, posted jsonb, actor text, together boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.record_decisions(given jsonb, trail jsonb, ending jsonb, advance jsonb, posted jsonb, actor text, together boolean, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.record_steps(tenants uuid[], ids uuid[], epochs bigint[], names text[], results text[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.record_steps(tenants uuid[], ids uuid[], epochs bigint[], names text[], results text[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.refuse_change_of_finished() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.refuse_second_answer() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.refuse_transition() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.register_definition(new_name text, spec jsonb, new_source text, replace boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.register_definition(new_name text, spec jsonb, new_source text, replace boolean, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.reject_default_definition_mutation() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.reject_published_definition_mutation() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.release_events(given jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.release_events(given jsonb, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.replay_dead_events(wanted_type text, most integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.replay_dead_events(wanted_type text, most integer, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.replay_effect(wanted uuid, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.replay_effect(wanted uuid, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.replay_event(wanted uuid, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.replay_event(wanted uuid, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.replay_process_event(wanted uuid, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.replay_process_event(wanted uuid, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.requests_to_tend(at timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.requests_to_tend(at timestamp with time zone, most integer) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.require_tenant(own uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.restrict_draft_update() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.restrict_instance_update() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.restrict_status_regression() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.restrict_step_execution_updates() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.retrace_instance(wanted uuid, trace text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.retrace_instance(wanted uuid, trace text) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.retry_waiting_effects(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.retry_waiting_effects(at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.retry_waiting_events(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.retry_waiting_events(at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.rewrap_secret(of_tenant uuid, wanted text, was_wrapped bytea, new_key_id text, new_wrapped bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.rewrap_secret(of_tenant uuid, wanted text, was_wrapped bytea, new_key_id text, new_wrapped bytea) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.roll_up_queues(cap integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.roll_up_queues(cap integer, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.run_finished() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.running_workers(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.running_workers(at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.save_sessions(saves jsonb, bytes bytea, again boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.save_sessions(saves jsonb, bytes bytea, again boolean, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.schedule_delay(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.schedule_delay(at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.schedule_retention(for_tenant uuid, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.seat_taken(own uuid, instance uuid, request uuid, own_branches jsonb, own_in_parallel boolean, people text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.seat_taken(own uuid, instance uuid, request uuid, own_branches jsonb, own_in_parallel boolean, people text[]) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.secrets_under_other_keys(than text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.secrets_under_other_keys(than text) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.session_changed() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.session_ended() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.session_ends_its_outputs() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.session_run_ended() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.sessions_to_place() FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.sessions_to_place() TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.sessions_with_input(wanted text, before uuid, only_status text, only_workflow text, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.sessions_with_input(wanted text, before uuid, only_status text, only_workflow text, most integer) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.set_definition_phase(wanted text, new_phase text, reason text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.set_definition_phase(wanted text, new_phase text, reason text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.set_retention(of_branch text, new_days integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.settle_effect(wanted uuid, made_at timestamp with time zone, epoch bigint, new_status text, evidence jsonb, problem text, retry_at timestamp with time zone, attempt_back integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.settle_effect(wanted uuid, made_at timestamp with time zone, epoch bigint, new_status text, evidence jsonb, problem text, retry_at timestamp with time zone, attempt_back integer, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.settle_outbox(dispatcher text, tenants uuid[], aggregate_types text[], aggregate_ids text[], epochs bigint[], tries integer[], delays interval[], failed_ids uuid[], errors text[], deads boolean[], takers text[], sent_lanes integer[], sent_ids uuid[], sent_tries integer[], hold_dead boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.settle_outbox(dispatcher text, tenants uuid[], aggregate_types text[], aggregate_ids text[], epochs bigint[], tries integer[], delays interval[], failed_ids uuid[], errors text[], deads boolean[], takers text[], sent_lanes integer[], sent_ids uuid[], sent_tries integer[], hold_dead boolean, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.settle_outcomes(worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[], last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[], event_level text, publishes text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.settle_requests(closing jsonb, decided jsonb, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.settle_requests(closing jsonb, decided jsonb, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.settle_runs(worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[], last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[], event_level text, publishes text, at timestamp with time zone, addresses tid[]) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.settle_runs(worker text, tenants uuid[], ids uuid[], epochs bigint[], statuses text[], results text[], errors text[], last_errors text[], delays interval[], attempts_back integer[], events text[], waits text[], keys text[], event_level text, publishes text, at timestamp with time zone, addresses tid[]) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.sign_tombstone(of_tenant uuid, of_seq bigint, by_key text, with_signature bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.sign_tombstone(of_tenant uuid, of_seq bigint, by_key text, with_signature bytea) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.sized(part text) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.skip_effect(wanted uuid, reason text, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.skip_effect(wanted uuid, reason text, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.skip_event(wanted uuid, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.skip_event(wanted uuid, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.skip_process_event(wanted uuid, reason text, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.skip_process_event(wanted uuid, reason text, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.stale_workflows(current text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.stale_workflows(current text) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.start_child_run(run_tenant uuid, run uuid, epoch bigint, step text, child uuid, child_type text, child_payload text, child_priority integer, child_run_at timestamp with time zone, tries integer, child_key text, child_limit integer, trace text, event_level text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.start_child_run(run_tenant uuid, run uuid, epoch bigint, step text, child uuid, child_type text, child_payload text, child_priority integer, child_run_at timestamp with time zone, tries integer, child_key text, child_limit integer, trace text, event_level text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.start_session(new_id uuid, name text, workflow text, revision integer, input text, actor text, party text, timeout interval, tries integer, new_notify_type text, new_notify_payload text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.start_session(new_id uuid, name text, workflow text, revision integer, input text, actor text, party text, timeout interval, tries integer, new_notify_type text, new_notify_payload text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.stay_interrupted() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.steps_to_pack(at timestamp with time zone, most integer) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.steps_to_pack(at timestamp with time zone, most integer) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.still_stands(own_tenant uuid, document uuid, decided_version integer, decided_hash text, own_instance uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.take_rate(tenants uuid[], types text[], wanted integer[], steps interval[], slacks interval[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.take_rate(tenants uuid[], types text[], wanted integer[], steps interval[], slacks interval[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.tell_parents(tenants uuid[], ids uuid[], outcomes jsonb[], by text, at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.tend_at_once() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.tend_effects(kinds text[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.tend_effects(kinds text[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.tend_events(at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.tend_events(at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.tend_outbox(max_attempts integer, hold_dead boolean, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.tend_outbox(max_attempts integer, hold_dead boolean, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.tend_runs(event_level text, publishes text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.tend_runs(event_level text, publishes text, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.thread_of(project text, session text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.thread_of(project text, session text) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.thread_prefix() FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.thread_prefix() TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.time_ordered_id(at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.touch_updated_at() FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.transaction_tenant() FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.transaction_tenant() TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.trusted_time(given timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.unknown_code(late timestamp with time zone, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.unknown_code(late timestamp with time zone, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.use_definition(wanted text) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.use_definition(wanted text) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.use_installation_token(wanted bytea, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.use_installation_token(wanted bytea, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.void_decisions(document uuid, instance uuid, changed text[], why text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.void_decisions(document uuid, instance uuid, changed text[], why text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.wait_for_input(for_tenant uuid, session uuid, run uuid, epoch bigint, ids text[], contents text[], schemas text[], lifetimes interval[], at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.wait_for_input(for_tenant uuid, session uuid, run uuid, epoch bigint, ids text[], contents text[], schemas text[], lifetimes interval[], at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.waiting_effects(late timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.waiting_effects(late timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.wants_event(level text, event text) FROM PUBLIC;

REVOKE ALL ON FUNCTION holdfast.withdraw_effects(own_instance uuid, keys text[], why text, actor text, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.withdraw_effects(own_instance uuid, keys text[], why text, actor text, at timestamp with time zone) TO holdfast_app;

REVOKE ALL ON FUNCTION holdfast.withdraw_worker(worker uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.withdraw_worker(worker uuid) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.work_figures(cap integer, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.work_figures(cap integer, at timestamp with time zone) TO holdfast_worker;

REVOKE ALL ON FUNCTION holdfast.write_advance(steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb, done jsonb, at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION holdfast.write_advance(steps jsonb, settled jsonb, statuses jsonb, opened jsonb, moved jsonb, trail jsonb, events jsonb, posted jsonb, done jsonb, at timestamp with time zone) TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.api_tokens TO holdfast_app;

GRANT UPDATE(revoked_at) ON TABLE holdfast.api_tokens TO holdfast_app;

GRANT UPDATE(last_used_at) ON TABLE holdfast.api_tokens TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.approval_assignees TO holdfast_app;

GRANT UPDATE(is_open) ON TABLE holdfast.approval_assignees TO holdfast_app;

GRANT UPDATE(removed_at) ON TABLE holdfast.approval_assignees TO holdfast_app;

GRANT UPDATE(removed_why) ON TABLE holdfast.approval_assignees TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.approval_chains TO holdfast_app;

GRANT UPDATE(description) ON TABLE holdfast.approval_chains TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.approval_chains TO holdfast_app;

GRANT UPDATE(archived_at) ON TABLE holdfast.approval_chains TO holdfast_app;

GRANT SELECT ON TABLE holdfast.approval_decisions TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.approval_delegations TO holdfast_app;

GRANT UPDATE(revoked_at) ON TABLE holdfast.approval_delegations TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.approval_steps TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.approval_turns TO holdfast_app;

GRANT UPDATE(last_name) ON TABLE holdfast.approval_turns TO holdfast_app;

GRANT SELECT ON TABLE holdfast.audit_anchor TO holdfast_app;

GRANT SELECT ON TABLE holdfast.audit_head TO holdfast_app;

GRANT SELECT ON TABLE holdfast.audit_tombstone TO holdfast_app;

GRANT SELECT ON TABLE holdfast.audit_tombstone_range TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.document_views TO holdfast_app;

GRANT UPDATE(filters) ON TABLE holdfast.document_views TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.document_views TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(entity_version) ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(contract_version) ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(data) ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(content_hash) ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(version_id) ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(updated_by) ON TABLE holdfast.entities TO holdfast_app;

GRANT UPDATE(deleted_at) ON TABLE holdfast.entities TO holdfast_app;

GRANT SELECT ON TABLE holdfast.entity_readers TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.entity_versions TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.inbox_views TO holdfast_app;

GRANT UPDATE(filters) ON TABLE holdfast.inbox_views TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.inbox_views TO holdfast_app;

GRANT SELECT ON TABLE holdfast.installation TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.org_chart TO holdfast_app;

GRANT UPDATE(manager) ON TABLE holdfast.org_chart TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.org_chart TO holdfast_app;

GRANT UPDATE(updated_by) ON TABLE holdfast.org_chart TO holdfast_app;

GRANT SELECT ON TABLE holdfast.outbox_event_done TO holdfast_app;

GRANT SELECT ON TABLE holdfast.outbox_event_live TO holdfast_app;

GRANT SELECT ON TABLE holdfast.outbox_event TO holdfast_app;

GRANT SELECT ON TABLE holdfast.outbox_lane TO holdfast_app;

GRANT SELECT ON TABLE holdfast.outbox_order TO holdfast_app;

GRANT SELECT ON TABLE holdfast.partition_drop TO holdfast_app;

GRANT SELECT ON TABLE holdfast.queue_depth TO holdfast_app;

GRANT USAGE ON SEQUENCE holdfast.workflow_event_id TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(tenant) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(object_kind) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(object_id) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(event_type) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(actor) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(step_id) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(data) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(trace_id) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT INSERT(created_at) ON TABLE holdfast.workflow_event_plain TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_events_outbox TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_run_done TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_sessions TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(tenant) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(created_at) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(id) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(instance_id) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(step_execution_id) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(step_key) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(node_id) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(token_id) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(effect_type) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(payload_json) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(event_idempotency_key) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(awaited) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(created_by) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(max_attempts) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT INSERT(next_retry_at) ON TABLE holdfast.workflow_side_effects_outbox TO holdfast_app;

GRANT SELECT ON TABLE holdfast.queue_finished TO holdfast_app;

GRANT SELECT ON TABLE holdfast.queue_minute TO holdfast_app;

GRANT SELECT ON TABLE holdfast.queue_rollup TO holdfast_app;

GRANT SELECT ON TABLE holdfast.retention TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.role_requests TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.roles TO holdfast_app;

GRANT UPDATE(permissions) ON TABLE holdfast.roles TO holdfast_app;

GRANT UPDATE(description) ON TABLE holdfast.roles TO holdfast_app;

GRANT UPDATE(grantable_by) ON TABLE holdfast.roles TO holdfast_app;

GRANT SELECT ON TABLE holdfast.schema_migrations TO holdfast_app;

GRANT SELECT ON TABLE holdfast.schema_repeatables TO holdfast_app;

GRANT SELECT ON TABLE holdfast.session_inputs TO holdfast_app;

GRANT SELECT ON TABLE holdfast.session_messages TO holdfast_app;

GRANT SELECT ON TABLE holdfast.session_outputs TO holdfast_app;

GRANT SELECT ON TABLE holdfast.session_prompts TO holdfast_app;

GRANT SELECT ON TABLE holdfast.tenants TO holdfast_app;

GRANT UPDATE(name) ON TABLE holdfast.tenants TO holdfast_app;

GRANT UPDATE(settings) ON TABLE holdfast.tenants TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.tenants TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.user_identities TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.user_roles TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.users TO holdfast_app;

GRANT UPDATE(display_name) ON TABLE holdfast.users TO holdfast_app;

GRANT UPDATE(email) ON TABLE holdfast.users TO holdfast_app;

GRANT UPDATE(email_set_by) ON TABLE holdfast.users TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.users TO holdfast_app;

GRANT UPDATE(deactivated_at) ON TABLE holdfast.users TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_action_receipt TO holdfast_app;

GRANT UPDATE(output) ON TABLE holdfast.workflow_action_receipt TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_awaited_event TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_data_change TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_data_store TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_definition_registry TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_definition_version TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(name) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(note) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(status) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(base_ref) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(body_patches_json) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(held_back_json) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(revision) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(editors) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(proposed_at) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(proposed_by) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(published_at) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(published_by) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT UPDATE(archived_at) ON TABLE holdfast.workflow_definitions TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_draft_editors TO holdfast_app;

GRANT UPDATE(editor) ON TABLE holdfast.workflow_draft_editors TO holdfast_app;

GRANT UPDATE(client) ON TABLE holdfast.workflow_draft_editors TO holdfast_app;

GRANT UPDATE(since) ON TABLE holdfast.workflow_draft_editors TO holdfast_app;

GRANT UPDATE(lease_until) ON TABLE holdfast.workflow_draft_editors TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_effect_lane TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_entity_links TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(tenant) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(object_kind) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(object_id) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(event_type) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(actor) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(step_id) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(data) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(trace_id) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT INSERT(created_at) ON TABLE holdfast.workflow_event_chained TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_event TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_executions TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_inbound_events TO holdfast_app;

GRANT UPDATE(matched_at) ON TABLE holdfast.workflow_inbound_events TO holdfast_app;

GRANT UPDATE(instance_id) ON TABLE holdfast.workflow_inbound_events TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_instances TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_lane TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_notifications TO holdfast_app;

GRANT UPDATE(read_at) ON TABLE holdfast.workflow_notifications TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_nudge TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(status) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE("position") ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(total) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(succeeded) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(skipped) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(failed) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(result) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(error) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(started_at) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(finished_at) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT UPDATE(cancelled_by) ON TABLE holdfast.workflow_operation TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_operation_item TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_outbox_receipts TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_pause TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_rate TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(timing) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(operations) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(condition) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(effect) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(config) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(priority) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(enabled) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.workflow_rules TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_run_live TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_run TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_run_key TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_run_step TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_run_wait TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(description) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(type) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(payload) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(cron) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(timezone) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(priority) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(max_attempts) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(missed) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(missed_limit) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(overlap) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(starts_at) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(ends_at) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(paused_at) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(paused_by) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(next_fire_at) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(last_fire_at) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(last_run_id) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(last_error) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(party) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.workflow_schedule TO holdfast_app;

GRANT INSERT,DELETE ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT SELECT(tenant) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT SELECT(name) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT SELECT(hosts),UPDATE(hosts) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT SELECT(key_id),UPDATE(key_id) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT UPDATE(wrapped_key) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT UPDATE(ciphertext) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT SELECT(updated_at),UPDATE(updated_at) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT SELECT(updated_by),UPDATE(updated_by) ON TABLE holdfast.workflow_secrets TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_session_wait TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_step_executions TO holdfast_app;

GRANT SELECT ON TABLE holdfast.workflow_step_receipts TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_test_cases TO holdfast_app;

GRANT UPDATE(description) ON TABLE holdfast.workflow_test_cases TO holdfast_app;

GRANT UPDATE(content) ON TABLE holdfast.workflow_test_cases TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.workflow_test_cases TO holdfast_app;

GRANT UPDATE(updated_by) ON TABLE holdfast.workflow_test_cases TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(entity_type) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(event_key) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(cron) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(config) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(condition) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(enabled) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(next_at) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(last_at) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(party) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT UPDATE(updated_at) ON TABLE holdfast.workflow_triggers TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_what_if_documents TO holdfast_app;

GRANT SELECT,INSERT ON TABLE holdfast.workflow_what_if_groups TO holdfast_app;

GRANT UPDATE(documents) ON TABLE holdfast.workflow_what_if_groups TO holdfast_app;

GRANT SELECT,INSERT,DELETE ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(status) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(run_id) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(total) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(replayed) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(changed) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(unplayable) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(last_document) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(error) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT UPDATE(finished_at) ON TABLE holdfast.workflow_what_ifs TO holdfast_app;

GRANT SELECT ON TABLE holdfast_langgraph.checkpoint_blobs TO holdfast_app;

GRANT SELECT ON TABLE holdfast_langgraph.checkpoint_migrations TO holdfast_app;

GRANT SELECT ON TABLE holdfast_langgraph.checkpoint_writes TO holdfast_app;

GRANT SELECT ON TABLE holdfast_langgraph.checkpoints TO holdfast_app;
