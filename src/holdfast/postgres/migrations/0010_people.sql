-- People: who is asked, and what they decided.
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
--   inbox_views            filters of the inbox that a person keeps under a name
--
-- Promises kept here (WF-03)
--   A decision names the version, the content hash and the compiled workflow of its request, and can be made only while
--   the request is open, the instance alive, and nobody but the instance itself has changed the document since. It is
--   made by somebody who was asked, once by each person; never by who made, edited or submitted the version, under four eyes;
--   never by a delegate in a matter of the delegate's or the delegator's own; by nobody who decided in a parallel branch,
--   unless both allow it. It never changes. It is applied once, and only if all that still
--   holds; or voided once, saying which fields were changed; never both.
--
--   What makes a row sound is in triggers (check_request, check_assignee, guard_new_decision, guard_decision): constraints would be read and planned
--   anew by every statement.
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

-- -------------------------------------------------------------------------------------------------------- requests

CREATE TABLE holdfast.approval_requests (
  tenant               uuid NOT NULL,
  id                   uuid NOT NULL,
  kind                 text COLLATE "C" NOT NULL,
  status               text COLLATE "C" NOT NULL DEFAULT 'open',
  instance_id          uuid NOT NULL,
  step_id              uuid NOT NULL,
  step_key             text COLLATE "C" NOT NULL,
  node_id              text COLLATE "C" NOT NULL,
  token_id             text COLLATE "C" NOT NULL,
  entity_type          text COLLATE "C" NOT NULL,
  entity_id            uuid,
  entity_version       integer NOT NULL,
  content_hash         text COLLATE "C",
  compiled_hash        text COLLATE "C" NOT NULL,
  snapshot_version_id  uuid,
  title                text NOT NULL,
  instructions         text,
  requester            text COLLATE "C",
  makers               text[] COLLATE "C" NOT NULL DEFAULT '{}',
  four_eyes            boolean NOT NULL DEFAULT true,
  branches             jsonb,
  in_parallel          boolean NOT NULL DEFAULT false,
  may_delegate         boolean NOT NULL DEFAULT true,
  required             text NOT NULL DEFAULT 'any',
  outcomes             text[] NOT NULL,
  passes               text COLLATE "C",
  form                 jsonb,
  chain                text COLLATE "C",
  stage                integer NOT NULL DEFAULT 1,
  stages               jsonb,
  claimed_by           text COLLATE "C",
  due_at               timestamptz,
  remind_every         interval,
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
    REFERENCES holdfast.entity_versions (tenant, entity_id, version, content_hash)
);

COMMENT ON COLUMN holdfast.approval_requests.makers IS
  'Everybody who created or edited the document up to this version, or chose a transition of it: none of them decides, under four eyes.';
COMMENT ON COLUMN holdfast.approval_requests.branches IS
  'The splits its step lies in, each with its branch; NULL outside of any. Of those in different branches of one split a person decides on one.';
COMMENT ON COLUMN holdfast.approval_requests.in_parallel IS 'Whether who decides beside it may decide on it too, if that one agrees.';

-- A step asks once in each stage; and never two stages at a time.
CREATE UNIQUE INDEX approval_requests_stage ON holdfast.approval_requests (tenant, step_key, stage);

CREATE UNIQUE INDEX approval_requests_open ON holdfast.approval_requests (tenant, step_key) WHERE status = 'open';

CREATE INDEX approval_requests_instance ON holdfast.approval_requests (tenant, instance_id, id);

CREATE INDEX approval_requests_entity ON holdfast.approval_requests (tenant, entity_id, id);

CREATE INDEX approval_requests_tend ON holdfast.approval_requests (tenant, tend_at) WHERE status = 'open' AND tend_at IS NOT NULL;

CREATE TABLE holdfast.approval_assignees (
  tenant       uuid NOT NULL,
  request_id   uuid NOT NULL,
  principal    text COLLATE "C" NOT NULL,
  via          text COLLATE "C",
  is_open      boolean NOT NULL DEFAULT true,
  due_at       timestamptz,
  added_at     timestamptz NOT NULL DEFAULT now(),
  added_by     text NOT NULL,
  removed_at   timestamptz,
  removed_why  text,
  PRIMARY KEY (tenant, request_id, principal),
  FOREIGN KEY (tenant, request_id) REFERENCES holdfast.approval_requests (tenant, id)
);

-- Inboxes: one probe for each name a person goes by; ids of requests are made in the order of time.
CREATE INDEX approval_assignees_inbox ON holdfast.approval_assignees (tenant, principal, request_id) WHERE is_open;

CREATE INDEX approval_assignees_due ON holdfast.approval_assignees (tenant, principal, due_at, request_id)
  WHERE is_open AND due_at IS NOT NULL;

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
  decision        text COLLATE "C" NOT NULL,
  outcome         text COLLATE "C",
  decided_by      text COLLATE "C" NOT NULL,
  seat            text COLLATE "C" NOT NULL,
  reason          text,
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
  CONSTRAINT approval_decisions_seat UNIQUE (tenant, request_id, seat)
) WITH (fillfactor = 80);
COMMENT ON COLUMN holdfast.approval_decisions.seat IS 'Whose vote it is: decided_by, or the person a delegate decided for.';

-- What somebody has done; ids of decisions are made in the order of time.
CREATE INDEX approval_decisions_done ON holdfast.approval_decisions (tenant, decided_by, id);

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

CREATE TABLE holdfast.approval_turns (
  tenant     uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  role       text COLLATE "C" NOT NULL,
  last_name  text COLLATE "C" NOT NULL,
  PRIMARY KEY (tenant, role)
);

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
  number       bigint NOT NULL DEFAULT nextval('holdfast.workflow_event_id'),
  xid          xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (tenant, id),
  -- One message of one cause reaches a person once, however often it is sent.
  UNIQUE (tenant, name, key)
);

CREATE INDEX workflow_notifications_inbox ON holdfast.workflow_notifications (tenant, name, id);

CREATE INDEX workflow_notifications_unread ON holdfast.workflow_notifications (tenant, name, id) WHERE read_at IS NULL;

-- For those who follow, as for events of the trail, among which it is numbered.
CREATE INDEX workflow_notifications_xid ON holdfast.workflow_notifications (tenant, xid, number);

CREATE TABLE holdfast.inbox_views (
  tenant      uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  owner       text COLLATE "C" NOT NULL,
  name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  filters     jsonb NOT NULL CHECK (jsonb_typeof(filters) = 'object' AND pg_column_size(filters) <= 8192),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, owner, name),
  FOREIGN KEY (tenant, owner) REFERENCES holdfast.users (tenant, name)
);

GRANT SELECT, INSERT, UPDATE (description, updated_at, archived_at) ON holdfast.approval_chains TO holdfast_app;
GRANT SELECT, INSERT, DELETE ON holdfast.approval_steps TO holdfast_app;
-- A request begins by `ask_people` and ends by `close_requests`, with its event.
GRANT SELECT, UPDATE (claimed_by, tend_at, escalate_at) ON holdfast.approval_requests TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (is_open, removed_at, removed_why) ON holdfast.approval_assignees TO holdfast_app;

-- Evidence: made by `record_decision`, used up by `settle_requests`, voided by `void_decisions`; each once.
GRANT SELECT ON holdfast.approval_decisions TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (revoked_at) ON holdfast.approval_delegations TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (manager, updated_at, updated_by), DELETE ON holdfast.org_chart TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (last_name) ON holdfast.approval_turns TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (read_at) ON holdfast.workflow_notifications TO holdfast_app;
GRANT SELECT, INSERT, UPDATE (filters, updated_at), DELETE ON holdfast.inbox_views TO holdfast_app;
