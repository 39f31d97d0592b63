-- What a tenant transaction needs before it can begin, and what looks across tenants.

-- name: find_tenant
SELECT tenant, slug, name, settings FROM holdfast.find_tenant(%(slug)s::text)

-- name: list_tenants
SELECT tenant, slug, name, settings, created_at FROM holdfast.list_tenants()

-- name: create_tenant
SELECT holdfast.create_tenant(%(tenant)s::uuid, %(slug)s::text, %(name)s::text, %(actor)s::text,
                              coalesce(%(now)s::timestamptz, now())) AS created

-- name: current_identity
-- What a joined transaction runs as, so that it can be given back.
SELECT current_setting('role') AS role, coalesce(current_setting('holdfast.tenant', true), '') AS tenant,
       coalesce(current_setting('holdfast.party', true), '') AS party

-- name: name_parties
-- Who acts in this transaction through which tokens, for the audit trail.
SELECT set_config('holdfast.party', %(parties)s, true) WHERE %(tenant)s::uuid IS NOT NULL

-- name: enter_tenant
-- On Citus, where this tells the nodes too.
SELECT holdfast.enter_tenant(%(tenant)s::uuid)
