-- What the operator of the installation sees, and their tokens. None of it is a tenant's content.

-- name: use_token
SELECT token_id, name FROM holdfast.use_installation_token(%(hash)s::bytea, coalesce(%(now)s::timestamptz, now()))

-- name: as_owner
SET ROLE holdfast_owner

-- name: create_token
-- As the owner of the schema: no login of a server or a worker may.
INSERT INTO holdfast.installation_token (token_id, name, hash, created_by, created_at, expires_at)
VALUES (%(token_id)s, %(name)s, %(hash)s, %(actor)s, now(), now() + %(lifetime)s::interval)
RETURNING token_id, name, created_at, created_by, expires_at, revoked_at, last_used_at

-- name: list_tokens
SELECT token_id, name, created_at, created_by, expires_at, revoked_at, last_used_at FROM holdfast.installation_token
ORDER BY token_id DESC

-- name: revoke_token
UPDATE holdfast.installation_token SET revoked_at = coalesce(revoked_at, now()) WHERE token_id = %(token_id)s
RETURNING token_id, name, created_at, created_by, expires_at, revoked_at, last_used_at

-- name: health
SELECT slug AS tenant, queue, pending, working, waiting, stuck, dead, oldest AS oldest_seconds
FROM holdfast.installation_health(%(after)s::text, %(limit)s::int, %(cap)s::int, coalesce(%(now)s::timestamptz, now()))

-- name: workers
SELECT name, alive, seen_at, types, prefixes FROM holdfast.running_workers(coalesce(%(now)s::timestamptz, now()))
