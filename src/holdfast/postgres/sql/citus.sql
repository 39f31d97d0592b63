-- Statements for servers with the extension citus. Only the first is ever sent to any other.

-- name: has_citus
SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus') AS found

-- name: allow_triggers
-- Ours touch only rows of the same tenant, which are on the same node.
SET LOCAL citus.enable_unsafe_triggers = on

-- name: tables_to_distribute
-- On Citus only: pg_dist_partition does not exist elsewhere. Leaves of partitioned tables follow their parents.
SELECT c.oid::regclass::text AS name, c.relname = 'tenants' AS is_tenants,
       EXISTS (SELECT FROM pg_catalog.pg_attribute a
               WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped) AS has_tenant
FROM pg_catalog.pg_class c
WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
ORDER BY c.relname <> 'tenants', c.relname

-- name: is_distributed
SELECT EXISTS (SELECT FROM pg_dist_partition WHERE logicalrelid = %(name)s::regclass) AS found

-- name: make_reference_table
SELECT create_reference_table(%(name)s::regclass)

-- name: distribute_table
SELECT create_distributed_table(%(name)s::regclass, 'tenant', colocate_with => %(beside)s::text)
