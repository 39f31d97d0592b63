-- Access: tenants, and the people and programs that act in them.
--
-- Model
--   tenants     one row a tenant; every other tenant table leads its keys with the column tenant
--   users       people and programs of a tenant; never deleted, so that the audit trail can name them
--   roles       built-in ones (permissions live in the code) and the tenant's own; each says who may grant it
--   user_roles  which user has which role
--   role_requests  roles that one person has asked for another, where a second one must agree
--   api_tokens  credentials, stored as SHA-256, scoped, expiring, revocable; one made with another ends with it. A signed-in
--               browser has one of the kind browser, a mailed link is one of the kind link: neither does for the other
--   user_identities  who somebody is to an OpenID provider
--
-- States
--
--   user   active ──▶ deactivated ──▶ active
--   token  valid ──▶ revoked | expired          (neither comes back)
--
-- Roles of Postgres
--   holdfast_owner   owns everything; only migrations and SECURITY DEFINER functions act as it
--   holdfast_app     what application transactions run as: sees the rows of one tenant, or none
--   holdfast_worker  holdfast_app plus the few functions that look across tenants
--
-- Isolation
--   A transaction says SET LOCAL holdfast.tenant. Every policy compares with it; unset means no row matches. Policies are not
--   written here: protect_tenant_tables() gives them to every table with a column tenant, so that none can be forgotten.

CREATE TABLE holdfast.tenants (
  tenant      uuid PRIMARY KEY,
  slug        text COLLATE "C" NOT NULL
              CHECK (slug ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' AND slug NOT IN ('installation', 'me', 'permissions')),
  name        text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  settings    jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object'),
  created_at  timestamptz NOT NULL DEFAULT now(),
  updated_at  timestamptz NOT NULL DEFAULT now()
);

-- The one unique key that cannot lead with tenant: a slug is how a tenant is found.
CREATE UNIQUE INDEX tenants_slug ON holdfast.tenants (slug);

CREATE TABLE holdfast.users (
  tenant          uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  user_id         uuid NOT NULL,
  name            text COLLATE "C" NOT NULL CHECK (name ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  kind            text NOT NULL DEFAULT 'user' CHECK (kind IN ('user', 'service')),
  display_name    text NOT NULL CHECK (length(display_name) BETWEEN 1 AND 256),
  email           text CHECK (length(email) BETWEEN 3 AND 320),
  email_set_by    text CHECK (length(email_set_by) BETWEEN 1 AND 300),
  created_at      timestamptz NOT NULL DEFAULT now(),
  updated_at      timestamptz NOT NULL DEFAULT now(),
  deactivated_at  timestamptz,
  PRIMARY KEY (tenant, user_id),
  UNIQUE (tenant, name)
);

COMMENT ON COLUMN holdfast.users.email_set_by IS
  'Who else has changed the address: whoever reads what is sent there would be this person, so no link to sign in is.';

CREATE TABLE holdfast.roles (
  tenant       uuid NOT NULL REFERENCES holdfast.tenants (tenant),
  role         text COLLATE "C" NOT NULL CHECK (role ~ '^[A-Za-z0-9]([A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?$'),
  permissions  text[],
  description  text NOT NULL DEFAULT '' CHECK (length(description) <= 1000),
  grantable_by text[] NOT NULL DEFAULT '{admin}',
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, role),
  CONSTRAINT roles_admin_by_admin CHECK (role <> 'admin' OR grantable_by = '{admin}'),
  -- NULL permissions mark a built-in role; what it may do is the code's to say, so that a release can extend it.
  CONSTRAINT roles_built_in CHECK (
    (permissions IS NULL) = (role IN ('viewer', 'author', 'designer', 'approver', 'operator', 'admin')))
);

CREATE TABLE holdfast.user_roles (
  tenant      uuid NOT NULL,
  user_id     uuid NOT NULL,
  role        text COLLATE "C" NOT NULL,
  granted_at  timestamptz NOT NULL DEFAULT now(),
  granted_by  text NOT NULL,
  PRIMARY KEY (tenant, user_id, role),
  FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users (tenant, user_id),
  FOREIGN KEY (tenant, role) REFERENCES holdfast.roles (tenant, role)
);

CREATE INDEX user_roles_role ON holdfast.user_roles (tenant, role);

CREATE TABLE holdfast.role_requests (
  tenant        uuid NOT NULL,
  user_id       uuid NOT NULL,
  role          text COLLATE "C" NOT NULL,
  requested_at  timestamptz NOT NULL DEFAULT now(),
  requested_by  text NOT NULL,
  PRIMARY KEY (tenant, user_id, role),
  FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users (tenant, user_id),
  FOREIGN KEY (tenant, role) REFERENCES holdfast.roles (tenant, role) ON DELETE CASCADE
);

CREATE INDEX role_requests_role ON holdfast.role_requests (tenant, role);

CREATE TABLE holdfast.api_tokens (
  tenant        uuid NOT NULL,
  token_id      uuid NOT NULL,
  user_id       uuid NOT NULL,
  name          text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  hash          bytea NOT NULL CHECK (octet_length(hash) = 32),
  scopes        text[],
  created_at    timestamptz NOT NULL DEFAULT now(),
  created_by    text NOT NULL,
  expires_at    timestamptz CHECK (expires_at > created_at),
  revoked_at    timestamptz,
  last_used_at  timestamptz,
  parent_id     uuid,
  -- How many tokens it descends from: what is looked up at every sign-in stays short.
  depth         smallint NOT NULL DEFAULT 0 CHECK (depth BETWEEN 0 AND 8),
  kind          text NOT NULL DEFAULT 'api' CHECK (kind IN ('api', 'browser', 'link')),
  origin        text CHECK (length(origin) <= 300),
  PRIMARY KEY (tenant, token_id),
  UNIQUE (tenant, hash),
  FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users (tenant, user_id),
  FOREIGN KEY (tenant, parent_id) REFERENCES holdfast.api_tokens (tenant, token_id),
  CONSTRAINT api_tokens_descent CHECK ((parent_id IS NULL) = (depth = 0)),
  -- Whoever sits at a browser has all their rights, for a while.
  CONSTRAINT api_tokens_sign_in CHECK (
    kind = 'api' OR (expires_at IS NOT NULL AND expires_at <= created_at + interval '31 days'
                     AND scopes IS NULL AND parent_id IS NULL))
);
COMMENT ON COLUMN holdfast.api_tokens.parent_id IS 'The token it was made with: it never exceeds or outlives that one.';

CREATE INDEX api_tokens_user ON holdfast.api_tokens (tenant, user_id);

CREATE TABLE holdfast.user_identities (
  tenant      uuid NOT NULL,
  issuer      text COLLATE "C" NOT NULL CHECK (length(issuer) BETWEEN 1 AND 1000),
  subject     text COLLATE "C" NOT NULL CHECK (length(subject) BETWEEN 1 AND 255),
  user_id     uuid NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, issuer, subject),
  -- One person has one identity there: who takes over a name does not take over the person.
  UNIQUE (tenant, user_id, issuer),
  FOREIGN KEY (tenant, user_id) REFERENCES holdfast.users (tenant, user_id)
);

GRANT SELECT, UPDATE (name, settings, updated_at) ON holdfast.tenants TO holdfast_app;

GRANT SELECT, INSERT, UPDATE (display_name, email, email_set_by, updated_at, deactivated_at) ON holdfast.users TO holdfast_app;

GRANT SELECT, INSERT, UPDATE (permissions, description, grantable_by), DELETE ON holdfast.roles TO holdfast_app;

GRANT SELECT, INSERT, DELETE ON holdfast.user_roles, holdfast.role_requests TO holdfast_app;

GRANT SELECT, INSERT, UPDATE (revoked_at, last_used_at) ON holdfast.api_tokens TO holdfast_app;

GRANT SELECT, INSERT ON holdfast.user_identities TO holdfast_app;
