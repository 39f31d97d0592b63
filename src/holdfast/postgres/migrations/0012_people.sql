-- People and effects: who is asked, what they decided, what is sent to the outside.
--
-- Model
--   approval_chains        templates of approvals in several stages; approval_steps are the stages
--   approval_requests      one question to people: to approve a version of a document, or to fill in a form
--   approval_assignees     who is asked: user:‹name›, role:‹name›, or anyone with the permission; what inboxes read
--   approval_decisions     what somebody decided, append-only; consumed once by a gate (applied), or voided by an edit
--   approval_delegations   who decides for whom, from when until when
--   approval_turns         whose turn it is among the holders of a role
--   org_chart              who is whose manager
--   workflow_notifications messages inside the product
--   workflow_secrets       what signs webhooks; written by the application, read by workers only
--   workflow_effect_lane   which tenants ever sent an effect: what a claim looks through
--
-- Promises kept here (WF-03)
--   A decision names the version, the content hash and the compiled workflow of its request, and can be made only while
--   the request is open, the instance alive, and nobody but the instance itself has changed the document since. It is
--   made by somebody who was asked, once by each person; never by the requester under four eyes; never by a delegate in
--   a matter of the delegate's or the delegator's own. It never changes. It is applied once, and only if all that still
--   holds; or voided once, saying which fields were changed; never both.
--
--   request:  open ──▶ approved | rejected | answered | timeout | cancelled | voided

-- ---------------------------------------------------------------------------------------------------------- chains

CREATE TABLE holdfast.approval_chains (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id           uuid NOT NULL,
  name         text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  description  text NOT NULL DEFAULT '' CHECK (length(description) <= 1000),
  created_at   timestamptz NOT NULL DEFAULT now(),
  created_by   text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  updated_at   timestamptz NOT NULL DEFAULT now(),
  archived_at  timestamptz,
  PRIMARY KEY (tenant, id),
  UNIQUE (tenant, name)
);
SELECT holdfast.protect_tenant_table('holdfast.approval_chains');
CREATE TRIGGER touch BEFORE UPDATE ON holdfast.approval_chains FOR EACH ROW EXECUTE FUNCTION holdfast.touch_updated_at();

CREATE TABLE holdfast.approval_steps (
  tenant          uuid NOT NULL,
  chain_id        uuid NOT NULL,
  position        integer NOT NULL CHECK (position BETWEEN 1 AND 50),
  name            text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  approvers       jsonb NOT NULL CHECK (jsonb_typeof(approvers) = 'array' AND jsonb_array_length(approvers) BETWEEN 1 AND 50),
  required        text NOT NULL DEFAULT 'any' CHECK (required ~ '^(any|all|[1-9][0-9]?)$'),
  condition       text CHECK (length(condition) BETWEEN 1 AND 500),
  due_after       interval CHECK (due_after > interval '0'),
  escalate_after  interval CHECK (escalate_after > interval '0'),
  escalate_to     jsonb CHECK (jsonb_typeof(escalate_to) = 'array'),
  PRIMARY KEY (tenant, chain_id, position),
  FOREIGN KEY (tenant, chain_id) REFERENCES holdfast.approval_chains (tenant, id),
  CONSTRAINT approval_steps_escalation CHECK ((escalate_after IS NULL) = (escalate_to IS NULL))
);
SELECT holdfast.protect_tenant_table('holdfast.approval_steps');

-- -------------------------------------------------------------------------------------------------------- requests

CREATE TABLE holdfast.approval_requests (
  tenant               uuid NOT NULL,
  id                   uuid NOT NULL,
  kind                 text COLLATE "C" NOT NULL CHECK (kind IN ('approval', 'task')),
  status               text COLLATE "C" NOT NULL DEFAULT 'open' CHECK (
    status IN ('open', 'approved', 'rejected', 'answered', 'timeout', 'cancelled', 'voided')),
  instance_id          uuid NOT NULL,
  step_id              uuid NOT NULL,
  step_key             text COLLATE "C" NOT NULL CHECK (step_key ~ '^[0-9a-f]{64}$'),
  node_id              text COLLATE "C" NOT NULL CHECK (length(node_id) BETWEEN 1 AND 512),
  token_id             text COLLATE "C" NOT NULL CHECK (length(token_id) BETWEEN 1 AND 512),
  entity_type          text COLLATE "C" NOT NULL CHECK (length(entity_type) BETWEEN 1 AND 64),
  entity_id            uuid,
  entity_version       integer NOT NULL,
  content_hash         text COLLATE "C" CHECK (content_hash ~ '^[0-9a-f]{64}$'),
  compiled_hash        text COLLATE "C" NOT NULL CHECK (length(compiled_hash) BETWEEN 1 AND 128),
  snapshot_version_id  uuid,
  title                text NOT NULL CHECK (length(title) BETWEEN 1 AND 2000),
  instructions         text CHECK (length(instructions) <= 20000),
  requester            text COLLATE "C" CHECK (length(requester) BETWEEN 1 AND 255),
  four_eyes            boolean NOT NULL DEFAULT true,
  may_delegate         boolean NOT NULL DEFAULT true,
  required             text NOT NULL DEFAULT 'any' CHECK (required ~ '^(any|all|[1-9][0-9]?)$'),
  outcomes             text[] NOT NULL CHECK (cardinality(outcomes) >= 1),
  passes               text COLLATE "C",
  form                 jsonb,
  chain                text COLLATE "C",
  stage                integer NOT NULL DEFAULT 1 CHECK (stage BETWEEN 1 AND 50),
  stages               jsonb,
  claimed_by           text COLLATE "C" CHECK (length(claimed_by) BETWEEN 1 AND 255),
  due_at               timestamptz,
  remind_every         interval CHECK (remind_every > interval '0'),
  tend_at              timestamptz,
  escalate_at          timestamptz,
  escalate_to          jsonb,
  outcome              text COLLATE "C",
  reason               text,
  changed_fields       text[],
  created_at           timestamptz NOT NULL DEFAULT now(),
  closed_at            timestamptz,
  PRIMARY KEY (tenant, id),
  -- The version that is decided on exists, with exactly this content. (An automation has no document.)
  FOREIGN KEY (tenant, entity_id, entity_version, content_hash)
    REFERENCES holdfast.entity_versions (tenant, entity_id, version, content_hash),
  CONSTRAINT approval_requests_closed CHECK ((status = 'open') = (closed_at IS NULL)),
  CONSTRAINT approval_requests_outcome CHECK ((status IN ('approved', 'rejected', 'answered')) = (outcome IS NOT NULL)),
  CONSTRAINT approval_requests_voided CHECK ((status = 'voided') = (changed_fields IS NOT NULL)),
  CONSTRAINT approval_requests_form CHECK ((kind = 'task') = (form IS NOT NULL)),
  CONSTRAINT approval_requests_own CHECK (NOT four_eyes OR claimed_by IS DISTINCT FROM requester OR claimed_by IS NULL)
);
-- A step asks once in each stage; and never two stages at a time.
CREATE UNIQUE INDEX approval_requests_stage ON holdfast.approval_requests (tenant, step_key, stage);
CREATE UNIQUE INDEX approval_requests_open ON holdfast.approval_requests (tenant, step_key) WHERE status = 'open';
CREATE INDEX approval_requests_instance ON holdfast.approval_requests (tenant, instance_id, id);
CREATE INDEX approval_requests_entity ON holdfast.approval_requests (tenant, entity_id, id);
CREATE INDEX approval_requests_tend ON holdfast.approval_requests (tenant, tend_at) WHERE status = 'open' AND tend_at IS NOT NULL;
SELECT holdfast.protect_tenant_table('holdfast.approval_requests');

CREATE TABLE holdfast.approval_assignees (
  tenant       uuid NOT NULL,
  request_id   uuid NOT NULL,
  principal    text COLLATE "C" NOT NULL CHECK (principal = 'anyone' OR principal ~ '^(user|role):.{1,255}$'),
  via          text COLLATE "C" CHECK (length(via) BETWEEN 1 AND 300),
  is_open      boolean NOT NULL DEFAULT true,
  due_at       timestamptz,
  added_at     timestamptz NOT NULL DEFAULT now(),
  added_by     text NOT NULL CHECK (length(added_by) BETWEEN 1 AND 300),
  removed_at   timestamptz,
  removed_why  text,
  PRIMARY KEY (tenant, request_id, principal),
  FOREIGN KEY (tenant, request_id) REFERENCES holdfast.approval_requests (tenant, id),
  CONSTRAINT approval_assignees_removed CHECK (removed_at IS NULL OR NOT is_open)
);
-- Inboxes: one probe for each name a person goes by; ids of requests are made in the order of time.
CREATE INDEX approval_assignees_inbox ON holdfast.approval_assignees (tenant, principal, request_id) WHERE is_open;
CREATE INDEX approval_assignees_due ON holdfast.approval_assignees (tenant, principal, due_at, request_id)
  WHERE is_open AND due_at IS NOT NULL;
SELECT holdfast.protect_tenant_table('holdfast.approval_assignees');

CREATE FUNCTION holdfast.guard_request() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'open' THEN
    RAISE EXCEPTION 'the request % is closed', OLD.id USING ERRCODE = 'HF001', HINT = 'what was asked and answered stays';
  END IF;
  IF ROW (NEW.tenant, NEW.id, NEW.kind, NEW.instance_id, NEW.step_id, NEW.step_key, NEW.node_id, NEW.token_id,
          NEW.entity_type, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.compiled_hash, NEW.snapshot_version_id,
          NEW.title, NEW.requester, NEW.four_eyes, NEW.may_delegate, NEW.required, NEW.outcomes, NEW.passes, NEW.form,
          NEW.chain, NEW.stage, NEW.stages, NEW.created_at)
     IS DISTINCT FROM
     ROW (OLD.tenant, OLD.id, OLD.kind, OLD.instance_id, OLD.step_id, OLD.step_key, OLD.node_id, OLD.token_id,
          OLD.entity_type, OLD.entity_id, OLD.entity_version, OLD.content_hash, OLD.compiled_hash, OLD.snapshot_version_id,
          OLD.title, OLD.requester, OLD.four_eyes, OLD.may_delegate, OLD.required, OLD.outcomes, OLD.passes, OLD.form,
          OLD.chain, OLD.stage, OLD.stages, OLD.created_at) THEN
    RAISE EXCEPTION 'what the request % asks never changes', OLD.id
      USING ERRCODE = 'HF001', HINT = 'withdraw it and ask again';
  END IF;
  IF NEW.status IN ('approved', 'rejected', 'answered') AND NOT EXISTS (
    SELECT FROM holdfast.approval_decisions d WHERE d.tenant = NEW.tenant AND d.request_id = NEW.id) THEN
    RAISE EXCEPTION 'nobody has decided on the request %', OLD.id
      USING ERRCODE = 'HF001', HINT = 'an outcome follows from decisions';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON holdfast.approval_requests FOR EACH ROW EXECUTE FUNCTION holdfast.guard_request();

-- A closed request leaves every inbox in the transaction that closes it.
CREATE FUNCTION holdfast.clear_inboxes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.approval_assignees a SET is_open = false
    WHERE a.tenant = NEW.tenant AND a.request_id = NEW.id AND a.is_open;
  RETURN NULL;
END
$$;
CREATE TRIGGER clear_inboxes AFTER UPDATE ON holdfast.approval_requests FOR EACH ROW
  WHEN (OLD.status = 'open' AND NEW.status <> 'open') EXECUTE FUNCTION holdfast.clear_inboxes();

-- ------------------------------------------------------------------------------------------------------- decisions

CREATE TABLE holdfast.approval_delegations (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id           uuid NOT NULL,
  delegator    text COLLATE "C" NOT NULL,
  delegate     text COLLATE "C" NOT NULL,
  entity_type  text COLLATE "C" CHECK (length(entity_type) BETWEEN 1 AND 64),
  starts_at    timestamptz NOT NULL,
  ends_at      timestamptz NOT NULL,
  reason       text NOT NULL DEFAULT '' CHECK (length(reason) <= 1000),
  created_at   timestamptz NOT NULL DEFAULT now(),
  created_by   text NOT NULL CHECK (length(created_by) BETWEEN 1 AND 300),
  revoked_at   timestamptz,
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, delegator) REFERENCES holdfast.users (tenant, name),
  FOREIGN KEY (tenant, delegate) REFERENCES holdfast.users (tenant, name),
  CONSTRAINT approval_delegations_not_to_oneself CHECK (delegator <> delegate),
  CONSTRAINT approval_delegations_dates CHECK (ends_at > starts_at)
);
CREATE INDEX approval_delegations_delegate ON holdfast.approval_delegations (tenant, delegate, ends_at) WHERE revoked_at IS NULL;
CREATE INDEX approval_delegations_delegator ON holdfast.approval_delegations (tenant, delegator, ends_at) WHERE revoked_at IS NULL;
SELECT holdfast.protect_tenant_table('holdfast.approval_delegations');

CREATE TABLE holdfast.approval_decisions (
  tenant          uuid NOT NULL,
  id              uuid NOT NULL,
  request_id      uuid NOT NULL,
  instance_id     uuid NOT NULL,
  step_key        text COLLATE "C" NOT NULL,
  entity_id       uuid,
  entity_version  integer NOT NULL,
  content_hash    text COLLATE "C",
  compiled_hash   text COLLATE "C" NOT NULL,
  decision        text COLLATE "C" NOT NULL CHECK (decision IN ('approved', 'rejected', 'returned', 'abstained', 'answered')),
  outcome         text COLLATE "C",
  decided_by      text COLLATE "C" NOT NULL CHECK (length(decided_by) BETWEEN 1 AND 255),
  seat            text COLLATE "C" NOT NULL CHECK (length(seat) BETWEEN 1 AND 255),
  reason          text CHECK (length(reason) <= 10000),
  answer          jsonb,
  decided_at      timestamptz NOT NULL DEFAULT now(),
  applied         boolean NOT NULL DEFAULT false,
  applied_at      timestamptz,
  applied_by      text COLLATE "C",
  voided_at       timestamptz,
  void_reason     text,
  changed_fields  text[],
  PRIMARY KEY (tenant, id),
  FOREIGN KEY (tenant, request_id) REFERENCES holdfast.approval_requests (tenant, id),
  -- Each person once, whether for themselves or for another; and each seat once, whoever sits in it.
  CONSTRAINT approval_decisions_person UNIQUE (tenant, request_id, decided_by),
  CONSTRAINT approval_decisions_seat UNIQUE (tenant, request_id, seat),
  CONSTRAINT approval_decisions_reason CHECK (
    decision NOT IN ('rejected', 'returned') OR (reason IS NOT NULL AND btrim(reason) <> '')),
  CONSTRAINT approval_decisions_outcome CHECK ((decision = 'abstained') = (outcome IS NULL)),
  CONSTRAINT approval_decisions_applied CHECK (
    applied = (applied_at IS NOT NULL) AND applied = (applied_by IS NOT NULL) AND NOT (applied AND voided_at IS NOT NULL)),
  CONSTRAINT approval_decisions_voided CHECK ((voided_at IS NULL) = (changed_fields IS NULL))
);
COMMENT ON COLUMN holdfast.approval_decisions.seat IS 'Whose vote it is: decided_by, or the person a delegate decided for.';
CREATE INDEX approval_decisions_step ON holdfast.approval_decisions (tenant, step_key);
CREATE INDEX approval_decisions_unapplied ON holdfast.approval_decisions (tenant, entity_id)
  WHERE NOT applied AND voided_at IS NULL;
SELECT holdfast.protect_tenant_table('holdfast.approval_decisions');

-- Whether the document still is what was decided on: nobody but the instance itself has made a newer version. The lock
-- keeps an edit that is under way from slipping in between the look and the commit.
CREATE FUNCTION holdfast.still_stands(
  own_tenant uuid, document uuid, decided_version integer, decided_hash text, own_instance uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF decided_hash IS NULL THEN
    RETURN true;
  END IF;
  PERFORM FROM holdfast.entities e
    WHERE e.tenant = own_tenant AND e.id = document AND e.entity_version >= decided_version AND e.deleted_at IS NULL
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    SELECT FROM holdfast.entity_versions v
    WHERE v.tenant = own_tenant AND v.entity_id = document AND v.version = decided_version AND v.content_hash = decided_hash)
  AND NOT EXISTS (
    SELECT FROM holdfast.entity_versions v
    WHERE v.tenant = own_tenant AND v.entity_id = document AND v.version > decided_version
      AND v.instance_id IS DISTINCT FROM own_instance)
  AND NOT EXISTS (
    SELECT FROM holdfast.entities e WHERE e.tenant = own_tenant AND e.amended_from_id = document);
END
$$;

CREATE FUNCTION holdfast.guard_new_decision() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  asked holdfast.approval_requests;
  alive text;
BEGIN
  SELECT * INTO asked FROM holdfast.approval_requests r
    WHERE r.tenant = NEW.tenant AND r.id = NEW.request_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no request %', NEW.request_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF asked.status <> 'open' THEN
    RAISE EXCEPTION 'the request is closed: it is %', asked.status
      USING ERRCODE = 'HF001', HINT = 'somebody was faster, or it was withdrawn';
  END IF;
  IF ROW (NEW.instance_id, NEW.step_key, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.compiled_hash)
     IS DISTINCT FROM ROW (asked.instance_id, asked.step_key, asked.entity_id, asked.entity_version, asked.content_hash,
                           asked.compiled_hash) THEN
    RAISE EXCEPTION 'the decision is on version %, the request is about version %', NEW.entity_version, asked.entity_version
      USING ERRCODE = 'HF003', HINT = 'read the document again and decide on what it has become';
  END IF;
  IF NOT holdfast.still_stands(NEW.tenant, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.instance_id) THEN
    RAISE EXCEPTION 'the document has changed since version %', NEW.entity_version
      USING ERRCODE = 'HF003', HINT = 'read the document again and decide on what it has become';
  END IF;
  SELECT i.status INTO alive FROM holdfast.workflow_instances i WHERE i.tenant = NEW.tenant AND i.id = NEW.instance_id;
  IF alive IS NULL OR alive NOT IN ('running', 'paused') THEN
    RAISE EXCEPTION 'the process is over: it is %', coalesce(alive, 'gone') USING ERRCODE = 'HF001';
  END IF;
  IF asked.four_eyes AND asked.requester IN (NEW.decided_by, NEW.seat) THEN
    RAISE EXCEPTION '% asked for this and cannot decide on it', asked.requester
      USING ERRCODE = 'HF002', HINT = 'somebody else has to (four eyes)';
  END IF;
  IF NEW.seat <> NEW.decided_by THEN
    IF asked.requester IN (NEW.decided_by, NEW.seat) THEN
      RAISE EXCEPTION 'nobody decides for another in a matter of their own' USING ERRCODE = 'HF002';
    END IF;
    IF NOT asked.may_delegate OR NOT EXISTS (
      SELECT FROM holdfast.approval_delegations g
      WHERE g.tenant = NEW.tenant AND g.delegate = NEW.decided_by AND g.delegator = NEW.seat AND g.revoked_at IS NULL
        AND NEW.decided_at >= g.starts_at AND NEW.decided_at < g.ends_at
        AND (g.entity_type IS NULL OR g.entity_type = asked.entity_type)) THEN
      RAISE EXCEPTION '% does not decide for %', NEW.decided_by, NEW.seat
        USING ERRCODE = 'HF002', HINT = 'a delegation that is in force is needed';
    END IF;
  END IF;
  IF NOT EXISTS (
    SELECT FROM holdfast.approval_assignees a
    WHERE a.tenant = NEW.tenant AND a.request_id = NEW.request_id AND a.is_open
      AND (a.principal = 'anyone' OR a.principal = 'user:' || NEW.seat OR (
        starts_with(a.principal, 'role:') AND EXISTS (
          SELECT FROM holdfast.users u
          JOIN holdfast.user_roles h ON h.tenant = u.tenant AND h.user_id = u.user_id
          WHERE u.tenant = NEW.tenant AND u.name = NEW.seat AND h.role = substr(a.principal, 6))))) THEN
    RAISE EXCEPTION '% is not asked', NEW.seat USING ERRCODE = 'HF002', HINT = 'only those who are asked decide';
  END IF;
  IF asked.claimed_by IS NOT NULL AND asked.claimed_by NOT IN (NEW.decided_by, NEW.seat) THEN
    RAISE EXCEPTION '% is at it', asked.claimed_by USING ERRCODE = 'HF001', HINT = 'ask them to release it';
  END IF;
  IF NEW.applied OR NEW.voided_at IS NOT NULL THEN
    RAISE EXCEPTION 'a new decision is neither applied nor void' USING ERRCODE = 'HF001';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard_new BEFORE INSERT ON holdfast.approval_decisions
  FOR EACH ROW EXECUTE FUNCTION holdfast.guard_new_decision();

CREATE FUNCTION holdfast.guard_decision() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF ROW (NEW.tenant, NEW.id, NEW.request_id, NEW.instance_id, NEW.step_key, NEW.entity_id, NEW.entity_version,
          NEW.content_hash, NEW.compiled_hash, NEW.decision, NEW.outcome, NEW.decided_by, NEW.seat, NEW.reason, NEW.answer,
          NEW.decided_at)
     IS DISTINCT FROM
     ROW (OLD.tenant, OLD.id, OLD.request_id, OLD.instance_id, OLD.step_key, OLD.entity_id, OLD.entity_version,
          OLD.content_hash, OLD.compiled_hash, OLD.decision, OLD.outcome, OLD.decided_by, OLD.seat, OLD.reason, OLD.answer,
          OLD.decided_at) THEN
    RAISE EXCEPTION 'a decision never changes' USING ERRCODE = 'HF001', HINT = 'ask again for another one';
  END IF;
  IF OLD.applied OR OLD.voided_at IS NOT NULL THEN
    RAISE EXCEPTION 'the decision is already %', CASE WHEN OLD.applied THEN 'applied' ELSE 'void' END
      USING ERRCODE = 'HF003', HINT = 'a decision is used once; ask again for another one';
  END IF;
  IF NEW.applied THEN
    IF NOT EXISTS (
      SELECT FROM holdfast.approval_requests r
      WHERE r.tenant = NEW.tenant AND r.id = NEW.request_id AND r.status IN ('approved', 'rejected', 'answered')) THEN
      RAISE EXCEPTION 'the request of this decision has no outcome' USING ERRCODE = 'HF003';
    END IF;
    IF NOT holdfast.still_stands(NEW.tenant, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.instance_id) THEN
      RAISE EXCEPTION 'the document has changed since version %, which was decided on', NEW.entity_version
        USING ERRCODE = 'HF003', HINT = 'ask again about what it has become';
    END IF;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON holdfast.approval_decisions FOR EACH ROW EXECUTE FUNCTION holdfast.guard_decision();

-- A request for deciding on it. The instance is locked before the request: the order in which everybody takes locks.
CREATE FUNCTION holdfast.hold_request(wanted uuid, me text, at timestamptz)
RETURNS TABLE (
  id uuid, kind text, status text, instance_id uuid, step_id uuid, step_key text, node_id text, token_id text,
  entity_type text, entity_id uuid, entity_version integer, content_hash text, compiled_hash text,
  snapshot_version_id uuid, title text, requester text, four_eyes boolean, may_delegate boolean, required text,
  outcomes text[], passes text, form jsonb, chain text, stage integer, stages jsonb, claimed_by text, due_at timestamptz,
  now timestamptz, trace_id text, principals text[], decisions jsonb, decided boolean, delegators jsonb)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(r.instance_id::text, 0)) FROM holdfast.approval_requests r
    WHERE r.tenant = own AND r.id = wanted;
  RETURN QUERY
    SELECT r.id, r.kind, r.status, r.instance_id, r.step_id, r.step_key, r.node_id, r.token_id, r.entity_type, r.entity_id,
           r.entity_version, r.content_hash, r.compiled_hash, r.snapshot_version_id, r.title, r.requester, r.four_eyes,
           r.may_delegate, r.required, r.outcomes, r.passes, r.form, r.chain, r.stage, r.stages, r.claimed_by, r.due_at, at,
           (SELECT i.trace_id FROM holdfast.workflow_instances i WHERE i.tenant = own AND i.id = r.instance_id),
           coalesce((SELECT array_agg(a.principal ORDER BY a.principal) FROM holdfast.approval_assignees a
                     WHERE a.tenant = own AND a.request_id = r.id AND a.is_open), '{}'),
           coalesce((SELECT jsonb_object_agg(d.seat, d.decision) FROM holdfast.approval_decisions d
                     WHERE d.tenant = own AND d.request_id = r.id), '{}'),
           EXISTS (SELECT FROM holdfast.approval_decisions d
                   WHERE d.tenant = own AND d.request_id = r.id AND d.decided_by = me),
           coalesce((SELECT jsonb_object_agg(u.name, coalesce(
                       (SELECT jsonb_agg(h.role) FROM holdfast.user_roles h
                        WHERE h.tenant = u.tenant AND h.user_id = u.user_id), '[]'))
                     FROM holdfast.approval_delegations g
                     JOIN holdfast.users u ON u.tenant = g.tenant AND u.name = g.delegator AND u.deactivated_at IS NULL
                     WHERE g.tenant = own AND g.delegate = me AND g.revoked_at IS NULL AND at >= g.starts_at
                       AND at < g.ends_at AND (g.entity_type IS NULL OR g.entity_type = r.entity_type)), '{}')
    FROM holdfast.approval_requests r WHERE r.tenant = own AND r.id = wanted
    FOR UPDATE;
END
$$;

-- Writes a decision with its event; when it brings an outcome, closes the request; and posts what the engine is told of it.
CREATE FUNCTION holdfast.record_decision(
  decision jsonb, event text, actor text, node_id text, about jsonb, new_status text, new_outcome text, posted jsonb,
  at timestamptz)
RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  made holdfast.approval_decisions := jsonb_populate_record(NULL::holdfast.approval_decisions, decision);
BEGIN
  INSERT INTO holdfast.approval_decisions
    (tenant, id, request_id, instance_id, step_key, entity_id, entity_version, content_hash, compiled_hash, decision, outcome,
     decided_by, seat, reason, answer, decided_at)
    VALUES (own, made.id, made.request_id, made.instance_id, made.step_key, made.entity_id, made.entity_version,
            made.content_hash, made.compiled_hash, made.decision, made.outcome, made.decided_by, made.seat, made.reason,
            made.answer, at);
  IF new_status IS NOT NULL THEN
    UPDATE holdfast.approval_requests r
      SET status = new_status, outcome = new_outcome, reason = made.reason, closed_at = at
      WHERE r.tenant = own AND r.id = made.request_id AND r.status = 'open';
  END IF;
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    VALUES (own, 'instance', made.instance_id, event, record_decision.actor, record_decision.node_id, about, at);
  IF posted IS NOT NULL THEN
    PERFORM holdfast.post_events(posted, at);
  END IF;
END
$$;

-- ---------------------------------------------------------------------------------------------------------- asking
--
-- What a step does with people. Each finds its rows one by one, by their whole key: in a join with what is given the
-- planner, before it has statistics, would as soon read everything the tenant has. Their search path is the one of the
-- functions that act for the owner: a function that both call would be planned anew at every change of path.

-- Everybody that a few asks name: users who are there, managers, holders of roles of whom one is picked. Somebody who has
-- handed over for now is not available. And who asks: whoever last chose a transition of the document.
CREATE FUNCTION holdfast.find_people(users text[], managed text[], picked text[], instances uuid[], at timestamptz)
RETURNS TABLE (kind text, of text, name text, available boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  available := true;
  kind := 'user';
  FOREACH of IN ARRAY users LOOP
    SELECT u.name INTO name FROM holdfast.users u WHERE u.tenant = own AND u.name = find_people.of AND u.deactivated_at IS NULL;
    IF FOUND THEN RETURN NEXT; END IF;
  END LOOP;
  kind := 'manager';
  FOREACH of IN ARRAY managed LOOP
    SELECT u.name INTO name FROM holdfast.org_chart o JOIN holdfast.users u ON u.tenant = o.tenant AND u.name = o.manager
      WHERE o.tenant = own AND o.name = find_people.of AND u.deactivated_at IS NULL;
    IF FOUND THEN RETURN NEXT; END IF;
  END LOOP;
  kind := 'requester';
  FOREACH of IN ARRAY instances LOOP
    SELECT s.settled_by INTO name FROM holdfast.workflow_step_executions s
      WHERE s.tenant = own AND s.instance_id = find_people.of::uuid AND s.node_type = 'state' AND s.settled_by IS NOT NULL
      ORDER BY s.settled_seq DESC LIMIT 1;
    IF FOUND THEN
      SELECT u.name INTO name FROM holdfast.users u WHERE u.tenant = own AND u.name = find_people.name;
      IF FOUND THEN RETURN NEXT; END IF;
    END IF;
  END LOOP;
  kind := 'holder';
  FOREACH of IN ARRAY picked LOOP
    FOR name, available IN
      SELECT u.name, NOT EXISTS (
        SELECT FROM holdfast.approval_delegations g
        WHERE g.tenant = own AND g.delegator = u.name AND g.revoked_at IS NULL AND at >= g.starts_at AND at < g.ends_at)
      FROM holdfast.user_roles r JOIN holdfast.users u ON u.tenant = r.tenant AND u.user_id = r.user_id
      WHERE r.tenant = own AND r.role = find_people.of AND u.deactivated_at IS NULL
      ORDER BY u.name
    LOOP
      RETURN NEXT;
    END LOOP;
  END LOOP;
END
$$;

-- Requests, with those who are asked (`principals`) and the event of each; the step of each, found by when it was opened
-- (`step_at`), is made to point to it. A request that does not name its requester is asked by the author.
CREATE FUNCTION holdfast.ask_people(given jsonb, actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  opened record;
BEGIN
  INSERT INTO holdfast.approval_requests
    (tenant, id, kind, instance_id, step_id, step_key, node_id, token_id, entity_type, entity_id, entity_version,
     content_hash, compiled_hash, snapshot_version_id, title, instructions, requester, four_eyes, may_delegate, required,
     outcomes, passes, form, chain, stage, stages, due_at, remind_every, escalate_at, escalate_to, tend_at, created_at)
    SELECT own, r.id, r.kind, r.instance_id, r.step_id, r.step_key, r.node_id, r.token_id, r.entity_type, r.entity_id,
           r.entity_version, r.content_hash, r.compiled_hash, r.snapshot_version_id, r.title, r.instructions,
           coalesce(r.requester, (SELECT u.name FROM holdfast.users u WHERE u.tenant = own AND u.name = n.doc ->> 'author')),
           r.four_eyes, r.may_delegate, r.required, r.outcomes, r.passes, r.form, r.chain, r.stage, r.stages, r.due_at,
           r.remind_every, r.escalate_at, r.escalate_to, least(at + r.remind_every, r.escalate_at), at
    FROM jsonb_array_elements(given) n (doc), jsonb_populate_record(NULL::holdfast.approval_requests, n.doc) r;
  INSERT INTO holdfast.approval_assignees (tenant, request_id, principal, via, due_at, added_at, added_by)
    SELECT own, (n.doc ->> 'id')::uuid, a.name, a.via, (n.doc ->> 'due_at')::timestamptz, at, ask_people.actor
    FROM jsonb_array_elements(given) n (doc), jsonb_to_recordset(n.doc -> 'principals') a (name text, via text);
  INSERT INTO holdfast.workflow_event (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    SELECT own, 'instance', (n.doc ->> 'instance_id')::uuid, (n.doc ->> 'kind') || '.requested', ask_people.actor,
           n.doc ->> 'node_id',
           jsonb_build_object('request', n.doc -> 'id', 'title', n.doc -> 'title', 'stage', n.doc -> 'stage'), at
    FROM jsonb_array_elements(given) n (doc);
  -- Steps that were opened at the same time, as those of one transaction are, lie in one partition and share a statement.
  FOR opened IN
    SELECT (n.doc ->> 'step_at')::timestamptz AS at, array_agg((n.doc ->> 'step_id')::uuid) AS steps,
           array_agg((n.doc ->> 'id')::uuid) AS requests
    FROM jsonb_array_elements(given) n (doc) WHERE n.doc ->> 'step_at' IS NOT NULL GROUP BY 1
  LOOP
    UPDATE holdfast.workflow_step_executions s
      SET approval_request_id = opened.requests[array_position(opened.steps, s.id)]
      WHERE s.tenant = own AND s.created_at = opened.at AND s.id = ANY (opened.steps);
  END LOOP;
END
$$;

-- Closes the open requests of steps that ended without a decision.
CREATE FUNCTION holdfast.close_requests(step_keys text[], statuses text[], reasons text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
BEGIN
  FOR n IN 1 .. cardinality(step_keys) LOOP
    UPDATE holdfast.approval_requests r SET status = statuses[n], reason = reasons[n], closed_at = at
      WHERE r.tenant = own AND r.step_key = step_keys[n] AND r.status = 'open';
  END LOOP;
END
$$;

-- What the requests of some steps came to, the last stage of each. Spent: a decision on it is void or used up.
CREATE FUNCTION holdfast.settled_requests(step_keys text[]) RETURNS TABLE (step_key text, outcome text, spent boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  request uuid;
BEGIN
  FOREACH step_key IN ARRAY step_keys LOOP
    SELECT r.id, r.outcome INTO request, outcome FROM holdfast.approval_requests r
      WHERE r.tenant = own AND r.step_key = settled_requests.step_key ORDER BY r.stage DESC LIMIT 1;
    CONTINUE WHEN NOT FOUND;
    spent := EXISTS (SELECT FROM holdfast.approval_decisions d
                     WHERE d.tenant = own AND d.request_id = request AND (d.voided_at IS NOT NULL OR d.applied));
    RETURN NEXT;
  END LOOP;
END
$$;

-- Uses up the decisions of some steps for their gates; answers with the steps that had any. The trigger guard lets a
-- decision be applied once, and only while it stands.
CREATE FUNCTION holdfast.apply_decisions(
  instances uuid[], step_keys text[], gates text[], hashes text[], at timestamptz) RETURNS SETOF text
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  one record;
  used text[];
BEGIN
  FOR one IN
    SELECT g.instance, g.gate, g.compiled_hash, array_agg(g.step_key) AS keys
    FROM unnest(instances, step_keys, gates, hashes) g (instance, step_key, gate, compiled_hash)
    GROUP BY g.instance, g.gate, g.compiled_hash ORDER BY g.instance, g.gate
  LOOP
    WITH applied AS (
      UPDATE holdfast.approval_decisions d SET applied = true, applied_at = at, applied_by = one.gate
      WHERE d.tenant = own AND d.step_key = ANY (one.keys) AND d.instance_id = one.instance
        AND d.compiled_hash = one.compiled_hash AND NOT d.applied AND d.voided_at IS NULL
      RETURNING d.step_key
    )
    SELECT array_agg(DISTINCT a.step_key) INTO used FROM applied a;
    CONTINUE WHEN used IS NULL;
    UPDATE holdfast.workflow_step_executions s SET applied = true
      WHERE s.tenant = own AND s.instance_id = one.instance AND s.idempotency_key = ANY (used);
    RETURN QUERY SELECT unnest(used);
  END LOOP;
END
$$;

-- ---------------------------------------------------------------------------------------------------------- people

CREATE TABLE holdfast.org_chart (
  tenant      uuid NOT NULL,
  name        text COLLATE "C" NOT NULL,
  manager     text COLLATE "C" NOT NULL,
  updated_at  timestamptz NOT NULL DEFAULT now(),
  updated_by  text NOT NULL CHECK (length(updated_by) BETWEEN 1 AND 300),
  PRIMARY KEY (tenant, name),
  FOREIGN KEY (tenant, name) REFERENCES holdfast.users (tenant, name),
  FOREIGN KEY (tenant, manager) REFERENCES holdfast.users (tenant, name),
  CONSTRAINT org_chart_not_oneself CHECK (name <> manager)
);
CREATE INDEX org_chart_manager ON holdfast.org_chart (tenant, manager);
SELECT holdfast.protect_tenant_table('holdfast.org_chart');

CREATE TABLE holdfast.approval_turns (
  tenant     uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  role       text COLLATE "C" NOT NULL,
  last_name  text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, role)
);
SELECT holdfast.protect_tenant_table('holdfast.approval_turns');

CREATE TABLE holdfast.workflow_notifications (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  id           uuid NOT NULL,
  name         text COLLATE "C" NOT NULL,
  key          text COLLATE "C" NOT NULL CHECK (length(key) BETWEEN 1 AND 256),
  subject      text NOT NULL CHECK (length(subject) <= 2000),
  body         text NOT NULL DEFAULT '' CHECK (length(body) <= 100000),
  instance_id  uuid,
  request_id   uuid,
  created_at   timestamptz NOT NULL DEFAULT now(),
  read_at      timestamptz,
  PRIMARY KEY (tenant, id),
  -- One message of one cause reaches a person once, however often it is sent.
  UNIQUE (tenant, name, key)
);
CREATE INDEX workflow_notifications_inbox ON holdfast.workflow_notifications (tenant, name, id);
CREATE INDEX workflow_notifications_unread ON holdfast.workflow_notifications (tenant, name, id) WHERE read_at IS NULL;
SELECT holdfast.protect_tenant_table('holdfast.workflow_notifications');

CREATE TABLE holdfast.workflow_secrets (
  tenant      uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  name        text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  secret      text NOT NULL CHECK (length(secret) BETWEEN 16 AND 4096),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  updated_by  text NOT NULL CHECK (length(updated_by) BETWEEN 1 AND 300),
  PRIMARY KEY (tenant, name)
);
SELECT holdfast.protect_tenant_table('holdfast.workflow_secrets');

CREATE FUNCTION holdfast.read_secret(of_tenant uuid, wanted text) RETURNS text
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (SELECT s.secret FROM holdfast.workflow_secrets s WHERE s.tenant = of_tenant AND s.name = wanted);
END
$$;

-- --------------------------------------------------------------------------------------------------------- effects

CREATE TABLE holdfast.workflow_effect_lane (
  tenant  uuid PRIMARY KEY REFERENCES holdfast.tenants (tenant)
);
SELECT holdfast.protect_tenant_table('holdfast.workflow_effect_lane');

-- Claims effects that are due, the tenants in turn; those in `full` have enough under way. The attempt is counted now: an
-- effect that kills its worker runs out of attempts. More attempts than allowed mean that the last holder never answered.
CREATE FUNCTION holdfast.claim_effects(worker text, places integer, quota integer, full_tenants uuid[], lease interval, at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, created_at timestamptz, lease_epoch bigint, effect_type text, payload text,
               event_idempotency_key text, attempts integer, max_attempts integer, instance_id uuid, step_key text,
               node_id text, token_id text, awaited boolean, trace_id text, response_json jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH picked AS MATERIALIZED (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_effect_lane l CROSS JOIN LATERAL (
        SELECT o.tenant, o.created_at, o.id, row_number() OVER () AS place FROM (
          SELECT e.tenant, e.created_at, e.id FROM holdfast.workflow_side_effects_outbox e
          WHERE e.tenant = l.tenant AND e.status IN ('pending', 'failed') AND e.next_retry_at <= at
          ORDER BY e.next_retry_at, e.created_at LIMIT quota FOR UPDATE SKIP LOCKED) o) x
      WHERE l.tenant <> ALL (full_tenants)
      ORDER BY x.place LIMIT places
    )
    UPDATE holdfast.workflow_side_effects_outbox u
    SET status = 'processing', attempts = u.attempts + 1, lease_epoch = u.lease_epoch + 1, lease_until = at + lease,
        leased_by = worker
    FROM picked p WHERE u.tenant = p.tenant AND u.created_at = p.created_at AND u.id = p.id
    RETURNING u.tenant, u.id, u.created_at, u.lease_epoch, u.effect_type, u.payload_json::text, u.event_idempotency_key, u.attempts,
              u.max_attempts, u.instance_id, u.step_key, u.node_id, u.token_id, u.awaited, u.trace_id, u.response_json;
END
$$;

-- Records what became of an effect, in the tenant's own transaction, so that whoever waits for it hears of it in the same
-- commit. Answers false when it is no longer held at that epoch; nothing was written then.
CREATE FUNCTION holdfast.settle_effect(
  wanted uuid, made_at timestamptz, epoch bigint, new_status text, evidence jsonb, problem text, retry_at timestamptz,
  attempt_back integer, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_side_effects_outbox e
    SET status = new_status, response_json = evidence, error = problem, lease_until = NULL, leased_by = NULL,
        attempts = e.attempts - attempt_back, next_retry_at = coalesce(retry_at, e.next_retry_at),
        completed_at = CASE WHEN new_status = 'completed' THEN at END
    WHERE e.tenant = holdfast.transaction_tenant() AND e.created_at = made_at AND e.id = wanted
      AND e.lease_epoch = epoch AND e.status = 'processing';
  RETURN FOUND;
END
$$;

-- Extends leases that are still held; answers with those that are not, and what became of the effect.
CREATE FUNCTION holdfast.heartbeat_effects(tenants uuid[], ids uuid[], epochs bigint[], leases interval[], at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, status text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH claimed AS (
      SELECT * FROM unnest(tenants, ids, epochs, leases) h (tenant, id, epoch, lease)
    ), extended AS (
      UPDATE holdfast.workflow_side_effects_outbox e SET lease_until = at + h.lease
      FROM claimed h
      WHERE e.tenant = h.tenant AND e.id = h.id AND e.lease_epoch = h.epoch AND e.status = 'processing'
      RETURNING e.tenant, e.id
    )
    SELECT h.tenant, h.id,
           (SELECT e.status FROM holdfast.workflow_side_effects_outbox e WHERE e.tenant = h.tenant AND e.id = h.id)
    FROM claimed h WHERE NOT EXISTS (SELECT FROM extended x WHERE x.tenant = h.tenant AND x.id = h.id);
END
$$;

-- Takes back effects whose holder is gone, and answers how many, with the time at which the next effect is due.
CREATE FUNCTION holdfast.tend_effects(at timestamptz) RETURNS TABLE (taken_back integer, next_due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH expired AS MATERIALIZED (
    SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_effect_lane l CROSS JOIN LATERAL (
      SELECT e.tenant, e.created_at, e.id FROM holdfast.workflow_side_effects_outbox e
      WHERE e.tenant = l.tenant AND e.status = 'processing' AND e.lease_until < at
      ORDER BY e.lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED) x
  ), back AS (
    UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'failed', error = 'lease_expired', lease_until = NULL, leased_by = NULL,
        next_retry_at = at + random() * interval '1 s'
    FROM expired x WHERE e.tenant = x.tenant AND e.created_at = x.created_at AND e.id = x.id
    RETURNING e.id
  )
  SELECT count(*) INTO taken_back FROM back;
  SELECT min(d.next_retry_at) INTO next_due
    FROM holdfast.workflow_effect_lane l CROSS JOIN LATERAL (
      SELECT e.next_retry_at FROM holdfast.workflow_side_effects_outbox e
      WHERE e.tenant = l.tenant AND e.status IN ('pending', 'failed') ORDER BY e.next_retry_at LIMIT 1) d;
  RETURN NEXT;
END
$$;

-- Withdraws what was enqueued for steps that are no longer wanted and has not left yet.
CREATE FUNCTION holdfast.withdraw_effects(own_instance uuid, keys text[], why text) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone integer;
BEGIN
  UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'cancelled', error = why, lease_until = NULL, leased_by = NULL
    WHERE e.tenant = holdfast.transaction_tenant() AND e.instance_id = own_instance AND e.step_key = ANY (keys)
      AND e.status IN ('pending', 'failed', 'processing');
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

-- A dead letter gets as many attempts again as it had. Answers whether there was one.
CREATE FUNCTION holdfast.replay_effect(wanted uuid, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  done boolean;
BEGIN
  PERFORM set_config('holdfast.admin_override', 'on', true);
  UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'pending', attempts = 0, next_retry_at = at, error = NULL
    WHERE e.tenant = holdfast.transaction_tenant() AND e.id = wanted AND e.status = 'dead_letter';
  done := FOUND;
  PERFORM set_config('holdfast.admin_override', '', true);
  RETURN done;
END
$$;

-- Open requests of every tenant that want a reminder or an escalation.
CREATE FUNCTION holdfast.requests_to_tend(at timestamptz, most integer) RETURNS TABLE (tenant uuid, id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    SELECT t.tenant, d.id FROM holdfast.tenants t CROSS JOIN LATERAL (
      SELECT r.id FROM holdfast.approval_requests r
      WHERE r.tenant = t.tenant AND r.status = 'open' AND r.tend_at IS NOT NULL AND r.tend_at <= at
      ORDER BY r.tend_at LIMIT most) d
    LIMIT most;
END
$$;

-- ---------------------------------------------------------------------------------------------------------- grants

GRANT SELECT, INSERT, UPDATE (description, updated_at, archived_at) ON holdfast.approval_chains TO holdfast_app;
GRANT SELECT, INSERT, DELETE ON holdfast.approval_steps TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (status, claimed_by, due_at, tend_at, escalate_at, outcome, reason, changed_fields, closed_at)
  ON holdfast.approval_requests TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (is_open, removed_at, removed_why) ON holdfast.approval_assignees TO holdfast_app;
-- Append-only, but for being used up or voided, once.
GRANT SELECT, INSERT, UPDATE (applied, applied_at, applied_by, voided_at, void_reason, changed_fields)
  ON holdfast.approval_decisions TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (revoked_at) ON holdfast.approval_delegations TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (manager, updated_at, updated_by), DELETE ON holdfast.org_chart TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (last_name) ON holdfast.approval_turns TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (read_at) ON holdfast.workflow_notifications TO holdfast_app;
-- Secrets are written and named, never read.
GRANT SELECT (tenant, name, updated_at, updated_by), INSERT, UPDATE (secret, updated_at, updated_by), DELETE
  ON holdfast.workflow_secrets TO holdfast_app;
GRANT SELECT, INSERT ON holdfast.workflow_effect_lane TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.settle_effect(uuid, timestamptz, bigint, text, jsonb, text, timestamptz, integer, timestamptz),
  holdfast.withdraw_effects(uuid, text[], text), holdfast.replay_effect(uuid, timestamptz),
  holdfast.hold_request(uuid, text, timestamptz),
  holdfast.record_decision(jsonb, text, text, text, jsonb, text, text, jsonb, timestamptz),
  holdfast.find_people(text[], text[], text[], uuid[], timestamptz), holdfast.ask_people(jsonb, text, timestamptz),
  holdfast.close_requests(text[], text[], text[], timestamptz), holdfast.settled_requests(text[]),
  holdfast.apply_decisions(uuid[], text[], text[], text[], timestamptz)
  TO holdfast_app;
GRANT EXECUTE ON FUNCTION
  holdfast.read_secret(uuid, text),
  holdfast.claim_effects(text, integer, integer, uuid[], interval, timestamptz),
  holdfast.heartbeat_effects(uuid[], uuid[], bigint[], interval[], timestamptz),
  holdfast.tend_effects(timestamptz), holdfast.requests_to_tend(timestamptz, integer)
  TO holdfast_worker;
