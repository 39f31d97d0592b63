-- Statements for servers with the extension citus. Only the first is ever sent to any other.

-- name: has_citus
SELECT EXISTS (SELECT FROM pg_catalog.pg_extension WHERE extname = 'citus') AS found

-- name: admit_owner
-- Citus logs in to its nodes as whoever acts: in our functions, the owner. Without a password, so nobody else can where
-- passwords are asked for.
DO $$
BEGIN
  IF NOT (SELECT rolcanlogin FROM pg_catalog.pg_roles WHERE rolname = 'holdfast_owner') THEN
    ALTER ROLE holdfast_owner LOGIN;
  END IF;
END
$$

-- name: create_roles_on_nodes
-- Citus takes along the roles that are made while it is there, but not those of an older database of this server.
SELECT nodename || ':' || nodeport AS name, result FROM run_command_on_workers($node$
DO $$
DECLARE
  wanted text;
BEGIN
  PERFORM set_config('citus.enable_ddl_propagation', 'off', true);
  FOREACH wanted IN ARRAY ARRAY['holdfast_owner', 'holdfast_app', 'holdfast_worker'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION', wanted);
    ELSIF NOT (SELECT rolcanlogin FROM pg_catalog.pg_roles WHERE rolname = wanted) THEN
      EXECUTE format('ALTER ROLE %I LOGIN', wanted);
    END IF;
  END LOOP;
  IF NOT pg_catalog.pg_has_role('holdfast_worker', 'holdfast_app', 'MEMBER') THEN
    GRANT holdfast_app TO holdfast_worker;
  END IF;
END
$$
$node$) WHERE NOT success

-- name: one_connection
-- Functions cannot be changed in a transaction that has made shards over several connections.
SET LOCAL citus.multi_shard_modify_mode = 'sequential'

-- name: distributed_tables
SELECT c.relname AS name FROM pg_dist_partition d JOIN pg_catalog.pg_class c ON c.oid = d.logicalrelid
WHERE c.relnamespace = 'holdfast'::regnamespace AND d.partmethod = 'h' ORDER BY c.relname

-- name: distribute_table
SELECT create_distributed_table(
  format('holdfast.%%I', %(name)s::text)::regclass, 'tenant', colocate_with => %(beside)s::text)

-- name: empty_old_place
-- The rows were copied; the old ones would stay on the coordinator's disk, where nobody sees them any more.
SELECT truncate_local_data_after_distributing_table(format('holdfast.%%I', %(name)s::text)::regclass)

-- name: avoid_short_cut
-- For every connection from now on. 13.2 has a short cut for shards on the coordinator itself that brings down the server
-- when a query under row-level security reads them beside a table that is not distributed.
DO $$
BEGIN
  IF current_setting('citus.enable_local_fast_path_query_optimization', true) IS NOT NULL THEN
    EXECUTE format('ALTER DATABASE %I SET citus.enable_local_fast_path_query_optimization = off', current_database());
  END IF;
END
$$

-- name: fit_functions
-- Where a statement goes depends on its tenant: a plan made without knowing it, which is what our functions keep elsewhere,
-- is refused. And a transaction may touch a shard as one role only: what the application calls acts as the application.
DO $$
DECLARE
  one record;
BEGIN
  FOR one IN
    SELECT p.oid::regprocedure AS name, p.prosecdef, has_function_privilege('holdfast_app', p.oid, 'EXECUTE') AS is_public
    FROM pg_catalog.pg_proc p WHERE p.pronamespace = 'holdfast'::regnamespace AND p.proname ~ '^(data|links)_'
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET plan_cache_mode = auto', one.name);
    IF one.prosecdef AND one.is_public THEN
      EXECUTE format('ALTER FUNCTION %s SECURITY INVOKER', one.name);
    ELSIF NOT one.prosecdef THEN
      EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO holdfast_app', one.name);
    END IF;
  END LOOP;
END
$$

-- name: grants
-- What those functions need. Row-level security keeps the application to its tenant, as everywhere.
GRANT INSERT, UPDATE, DELETE ON holdfast.workflow_data_store, holdfast.workflow_data_namespace,
  holdfast.workflow_entity_links TO holdfast_app;
GRANT INSERT ON holdfast.workflow_data_change TO holdfast_app;
GRANT INSERT (id) ON holdfast.workflow_event_plain TO holdfast_app;
GRANT USAGE ON SEQUENCE holdfast.data_revision TO holdfast_app;
GRANT EXECUTE ON FUNCTION holdfast.enter_tenant(uuid), holdfast.require_tenant(uuid) TO holdfast_app
