-- Users, roles and credentials of one tenant.

-- name: load_actor
-- One user with the roles and the permissions of the tenant's own roles, on users (tenant, name).
SELECT u.user_id, u.name, u.kind, u.deactivated_at IS NOT NULL AS deactivated,
       ARRAY(SELECT r.role FROM holdfast.user_roles r WHERE r.tenant = u.tenant AND r.user_id = u.user_id) AS roles,
       ARRAY(SELECT p FROM holdfast.user_roles g JOIN holdfast.roles o ON o.tenant = g.tenant AND o.role = g.role
             CROSS JOIN unnest(o.permissions) p WHERE g.tenant = u.tenant AND g.user_id = u.user_id) AS own_permissions
FROM holdfast.users u WHERE u.tenant = %(tenant)s AND u.name = %(name)s

-- name: create_user
INSERT INTO holdfast.users (tenant, user_id, name, kind, display_name, email)
VALUES (%(tenant)s, %(user_id)s, %(name)s, %(kind)s, %(display_name)s, %(email)s)
ON CONFLICT (tenant, name) DO NOTHING

-- name: list_users
-- By name, on users (tenant, name).
SELECT u.user_id, u.name, u.kind, u.display_name, u.email, u.created_at, u.deactivated_at,
       coalesce((SELECT array_agg(r.role ORDER BY r.role) FROM holdfast.user_roles r
                 WHERE r.tenant = u.tenant AND r.user_id = u.user_id), '{}') AS roles,
       coalesce((SELECT array_agg(q.role ORDER BY q.role) FROM holdfast.role_requests q
                 WHERE q.tenant = u.tenant AND q.user_id = u.user_id), '{}') AS requested_roles
FROM holdfast.users u
WHERE u.tenant = %(tenant)s
  AND (%(name)s::text IS NULL OR u.name = %(name)s)
  AND (%(after)s::text IS NULL OR u.name > %(after)s)
ORDER BY u.name
LIMIT %(limit)s

-- name: update_user
UPDATE holdfast.users
SET display_name = %(display_name)s, email = %(email)s,
    email_set_by = CASE WHEN email IS DISTINCT FROM %(email)s THEN %(set_by)s::text ELSE email_set_by END
WHERE tenant = %(tenant)s AND user_id = %(user_id)s

-- name: set_user_active
UPDATE holdfast.users
SET deactivated_at = CASE WHEN %(active)s::boolean THEN NULL ELSE coalesce(%(now)s::timestamptz, now()) END
WHERE tenant = %(tenant)s AND user_id = %(user_id)s AND (deactivated_at IS NULL) <> %(active)s::boolean

-- name: lock_admins
-- Every active administrator, always in the same order: two who take away each other's role or access wait, not deadlock.
SELECT u.user_id FROM holdfast.users u
WHERE u.tenant = %(tenant)s AND u.deactivated_at IS NULL AND EXISTS (
  SELECT FROM holdfast.user_roles r WHERE r.tenant = u.tenant AND r.user_id = u.user_id AND r.role = 'admin')
ORDER BY u.user_id
FOR UPDATE

-- name: other_admins
-- Looked for after the locks: what others have taken away by then is gone.
SELECT u.user_id FROM holdfast.users u JOIN holdfast.user_roles r ON r.tenant = u.tenant AND r.user_id = u.user_id
WHERE u.tenant = %(tenant)s AND r.role = 'admin' AND u.deactivated_at IS NULL AND u.user_id <> %(user_id)s
LIMIT 1

-- name: grant_role
INSERT INTO holdfast.user_roles (tenant, user_id, role, granted_by)
VALUES (%(tenant)s, %(user_id)s, %(role)s, %(granted_by)s)
ON CONFLICT DO NOTHING

-- name: revoke_role
DELETE FROM holdfast.user_roles WHERE tenant = %(tenant)s AND user_id = %(user_id)s AND role = %(role)s

-- name: request_role
-- Asks for a grant, unless somebody has asked already.
INSERT INTO holdfast.role_requests (tenant, user_id, role, requested_by, requested_at)
VALUES (%(tenant)s, %(user_id)s, %(role)s, %(requested_by)s, coalesce(%(now)s::timestamptz, now()))
ON CONFLICT DO NOTHING

-- name: role_request
SELECT requested_by FROM holdfast.role_requests
WHERE tenant = %(tenant)s AND user_id = %(user_id)s AND role = %(role)s

-- name: drop_role_request
DELETE FROM holdfast.role_requests WHERE tenant = %(tenant)s AND user_id = %(user_id)s AND role = %(role)s

-- name: list_roles
SELECT r.role, r.permissions, r.description, r.grantable_by,
       (SELECT count(*) FROM holdfast.user_roles u WHERE u.tenant = r.tenant AND u.role = r.role) AS users
FROM holdfast.roles r
WHERE r.tenant = %(tenant)s AND (%(role)s::text IS NULL OR r.role = %(role)s)
ORDER BY r.permissions IS NOT NULL, r.role

-- name: define_role
INSERT INTO holdfast.roles (tenant, role, permissions, description)
VALUES (%(tenant)s, %(role)s, %(permissions)s::text[], %(description)s)
ON CONFLICT (tenant, role) DO UPDATE SET permissions = excluded.permissions, description = excluded.description

-- name: set_role_grantable
UPDATE holdfast.roles SET grantable_by = %(grantable_by)s::text[] WHERE tenant = %(tenant)s AND role = %(role)s

-- name: delete_role
DELETE FROM holdfast.roles WHERE tenant = %(tenant)s AND role = %(role)s

-- name: create_token
-- Made with another token, it ends no later than that one does. One made by a person at a browser is theirs, and stays.
INSERT INTO holdfast.api_tokens
  (tenant, token_id, user_id, name, hash, scopes, created_by, created_at, expires_at, parent_id, depth)
SELECT %(tenant)s, %(token_id)s, %(user_id)s, %(name)s, %(hash)s, %(scopes)s::text[], %(created_by)s, given.at,
       least(given.at + %(lifetime)s::interval, p.expires_at), p.token_id, coalesce(p.depth + 1, 0)
FROM (SELECT coalesce(%(now)s::timestamptz, now()) AS at) given
LEFT JOIN holdfast.api_tokens p ON p.tenant = %(tenant)s AND p.token_id = %(parent_id)s::uuid AND p.kind = 'api'

-- name: list_tokens
SELECT t.token_id, u.name AS "user", t.name, t.scopes, t.created_at, t.created_by, t.expires_at, t.revoked_at,
       t.last_used_at, t.parent_id,
       holdfast.is_in_force(t.tenant, t.token_id, coalesce(%(now)s::timestamptz, now())) AS in_force
FROM holdfast.api_tokens t JOIN holdfast.users u ON u.tenant = t.tenant AND u.user_id = t.user_id
WHERE t.tenant = %(tenant)s AND t.kind = 'api'
  AND (%(user)s::text IS NULL OR u.name = %(user)s)
  AND (%(token_id)s::uuid IS NULL OR t.token_id = %(token_id)s)
ORDER BY t.created_at DESC, t.token_id

-- name: revoke_token
UPDATE holdfast.api_tokens SET revoked_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND token_id = %(token_id)s AND revoked_at IS NULL

-- name: sign_in
-- Whose a credential is that is in force, with what `load_actor` tells of them, and the tenant: one statement, because every
-- request begins with it. On api_tokens (tenant, hash), users (tenant, name) and tenants.
SELECT f.token_id, f.scopes, f.created_by, f.stale, coalesce(%(now)s::timestamptz, now()) AS at, n.slug,
       u.name, u.kind, u.deactivated_at IS NOT NULL AS deactivated,
       ARRAY(SELECT r.role FROM holdfast.user_roles r WHERE r.tenant = u.tenant AND r.user_id = u.user_id) AS roles,
       ARRAY(SELECT DISTINCT p FROM holdfast.user_roles g
             JOIN holdfast.roles o ON o.tenant = g.tenant AND o.role = g.role
             CROSS JOIN unnest(o.permissions) p
             WHERE g.tenant = u.tenant AND g.user_id = u.user_id) AS own_permissions
FROM holdfast.find_token(%(hash)s, coalesce(%(now)s::timestamptz, now())) f
JOIN holdfast.api_tokens t ON t.tenant = %(tenant)s AND t.token_id = f.token_id AND t.kind = %(kind)s
JOIN holdfast.users u ON u.tenant = t.tenant AND u.name = f.user_name
JOIN holdfast.tenants n ON n.tenant = t.tenant

-- name: begin_sign_in
-- A browser that is signed in, or a link that signs one in.
INSERT INTO holdfast.api_tokens (tenant, token_id, user_id, name, hash, created_by, created_at, expires_at, kind, origin)
SELECT %(tenant)s, %(token_id)s, %(user_id)s, %(how)s, %(hash)s, %(created_by)s, given.at, given.at + %(lifetime)s::interval,
       %(kind)s, %(origin)s
FROM (SELECT coalesce(%(now)s::timestamptz, now()) AS at) given

-- name: list_sign_ins
-- Browsers of one user, or of all: on api_tokens (tenant, user_id).
SELECT t.token_id AS sign_in_id, u.name AS "user", t.name AS how, t.origin, t.created_at, t.expires_at, t.revoked_at AS ended_at,
       t.last_used_at, holdfast.is_in_force(t.tenant, t.token_id, coalesce(%(now)s::timestamptz, now())) AS in_force
FROM holdfast.api_tokens t JOIN holdfast.users u ON u.tenant = t.tenant AND u.user_id = t.user_id
WHERE t.tenant = %(tenant)s AND t.kind = 'browser'
  AND (%(user)s::text IS NULL OR u.name = %(user)s)
  AND (%(sign_in_id)s::uuid IS NULL OR t.token_id = %(sign_in_id)s)
ORDER BY t.created_at DESC, t.token_id
LIMIT 1000

-- name: use_link
-- Once: of two who click, one gets in. On api_tokens (tenant, hash).
UPDATE holdfast.api_tokens t SET revoked_at = coalesce(%(now)s::timestamptz, now())
FROM holdfast.users u
WHERE t.tenant = %(tenant)s AND t.hash = %(hash)s AND t.kind = 'link' AND t.revoked_at IS NULL
  AND t.expires_at > coalesce(%(now)s::timestamptz, now())
  AND u.tenant = t.tenant AND u.user_id = t.user_id AND u.deactivated_at IS NULL
RETURNING u.name

-- name: open_links
-- How many links somebody has that are not used yet.
SELECT count(*) AS links FROM holdfast.api_tokens t
WHERE t.tenant = %(tenant)s AND t.user_id = %(user_id)s AND t.kind = 'link' AND t.revoked_at IS NULL
  AND t.expires_at > coalesce(%(now)s::timestamptz, now())

-- name: people_with_address
-- Active people with an e-mail address; who shares one with somebody gets no link by it, nor does anybody by one that
-- somebody else has given them.
SELECT user_id, name, email FROM holdfast.users
WHERE tenant = %(tenant)s AND lower(email) = lower(%(email)s) AND kind = 'user' AND deactivated_at IS NULL
  AND email_set_by IS NULL
LIMIT 2

-- name: find_identity
SELECT u.name FROM holdfast.user_identities i JOIN holdfast.users u ON u.tenant = i.tenant AND u.user_id = i.user_id
WHERE i.tenant = %(tenant)s AND i.issuer = %(issuer)s AND i.subject = %(subject)s

-- name: add_identity
INSERT INTO holdfast.user_identities (tenant, issuer, subject, user_id)
VALUES (%(tenant)s, %(issuer)s, %(subject)s, %(user_id)s)
ON CONFLICT DO NOTHING

-- name: ended_tokens
SELECT holdfast.ended_tokens(%(tenants)s::uuid[], %(tokens)s::uuid[], coalesce(%(now)s::timestamptz, now()))

-- name: touch_token
UPDATE holdfast.api_tokens SET last_used_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND token_id = %(token_id)s

-- name: read_tenant
SELECT tenant, slug, name, settings, created_at, updated_at FROM holdfast.tenants WHERE tenant = %(tenant)s

-- name: update_tenant
UPDATE holdfast.tenants SET name = %(name)s, settings = %(settings)s WHERE tenant = %(tenant)s

-- name: two_to_publish
-- Whether the tenant wants four eyes on publishing.
SELECT t.settings -> 'four_eyes_on_publishing' = 'true' AS wanted FROM holdfast.tenants t WHERE t.tenant = %(tenant)s
