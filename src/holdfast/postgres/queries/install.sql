-- Statements that look at, or prepare, the installation itself: roles, schema, applied migrations, partitions.

-- name: backend
SELECT pg_backend_pid() AS pid

-- name: end_idle_transactions
-- For the whole session. Whoever forgets a transaction holds back VACUUM, and a connection that others wait for.
SELECT set_config('idle_in_transaction_session_timeout', %(timeout)s, false)

-- name: login
-- Whether the connecting role could be used to get around row-level security.
SELECT current_user::text AS name, rolsuper, rolbypassrls, rolcreaterole,
       has_database_privilege(current_database(), 'CREATE') AS may_create
FROM pg_catalog.pg_roles WHERE rolname = current_user

-- name: create_roles
-- Roles belong to the whole server: another database's migration may be making them at this very moment.
DO $$
DECLARE
  wanted text;
BEGIN
  FOREACH wanted IN ARRAY ARRAY['holdfast_owner', 'holdfast_app', 'holdfast_worker'] LOOP
    IF NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = wanted) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I %s NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS NOREPLICATION', wanted,
                       CASE WHEN wanted = 'holdfast_owner' THEN 'NOLOGIN' ELSE 'LOGIN' END);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL;
      END;
    END IF;
  END LOOP;
  IF NOT pg_catalog.pg_has_role('holdfast_worker', 'holdfast_app', 'MEMBER') THEN
    GRANT holdfast_app TO holdfast_worker;
  END IF;
  FOREACH wanted IN ARRAY ARRAY['holdfast_owner', 'holdfast_app', 'holdfast_worker'] LOOP
    -- A superuser needs no membership to SET ROLE, and must not be given one: it would outlive its being superuser.
    IF NOT (SELECT rolsuper FROM pg_catalog.pg_roles WHERE rolname = current_user)
       AND NOT pg_catalog.pg_has_role(current_user, wanted, 'USAGE') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', wanted);
    END IF;
  END LOOP;
END
$$

-- name: create_schema
DO $$
BEGIN
  IF to_regnamespace('holdfast') IS NULL THEN
    CREATE SCHEMA holdfast AUTHORIZATION holdfast_owner;
    GRANT USAGE ON SCHEMA holdfast TO holdfast_app;
  END IF;
  -- For the tables of LangGraph's library, which names them itself.
  IF to_regnamespace('holdfast_langgraph') IS NULL THEN
    CREATE SCHEMA holdfast_langgraph AUTHORIZATION holdfast_owner;
  END IF;
  IF to_regclass('holdfast.schema_migrations') IS NULL THEN
    CREATE TABLE holdfast.schema_migrations (
      version      integer PRIMARY KEY,
      name         text NOT NULL,
      checksum     text NOT NULL,
      applied_at   timestamptz NOT NULL DEFAULT now(),
      duration_ms  integer NOT NULL
    );
    ALTER TABLE holdfast.schema_migrations OWNER TO holdfast_owner;
    GRANT SELECT ON holdfast.schema_migrations TO holdfast_app;
  END IF;
  IF to_regclass('holdfast.schema_repeatables') IS NULL THEN
    CREATE TABLE holdfast.schema_repeatables (
      path        text PRIMARY KEY,
      checksum    text NOT NULL,
      applied_at  timestamptz NOT NULL DEFAULT now()
    );
    ALTER TABLE holdfast.schema_repeatables OWNER TO holdfast_owner;
    GRANT SELECT ON holdfast.schema_repeatables TO holdfast_app;
  END IF;
END
$$

-- name: is_prepared
SELECT to_regclass('holdfast.schema_migrations') IS NOT NULL AND to_regclass('holdfast.schema_repeatables') IS NOT NULL
       AND to_regnamespace('holdfast_langgraph') IS NOT NULL AS it

-- name: has_schema
SELECT to_regclass('holdfast.schema_migrations') IS NOT NULL AS found

-- name: try_migration_lock
-- Tried, not waited for: a waiting statement holds a snapshot, and CREATE INDEX CONCURRENTLY would wait for that.
SELECT pg_try_advisory_xact_lock(hashtextextended('holdfast.migrate', 0)) AS locked

-- name: has_repeatables
SELECT to_regclass('holdfast.schema_repeatables') IS NOT NULL AS found

-- name: become_owner
SET ROLE holdfast_owner

-- name: become_owner_here
-- Until the transaction ends. Functions may be defined before what they call: all of it is there in the end. Nobody may call one whose
-- file does not say so.
DO $$
BEGIN
  SET LOCAL ROLE holdfast_owner;
  SET LOCAL check_function_bodies = off;
  ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
END
$$

-- name: set_local_owner
SET LOCAL ROLE holdfast_owner

-- name: reset_role
RESET ROLE

-- name: applied_migrations
SELECT version, name, checksum, applied_at, duration_ms FROM holdfast.schema_migrations ORDER BY version

-- name: fingerprint
-- One name for all that was applied: whether it is this code's is asked every few seconds, and mostly it is.
SELECT encode(sha256((
  coalesce((SELECT string_agg(checksum, '' ORDER BY version) FROM holdfast.schema_migrations), '')
  || coalesce((SELECT string_agg(checksum, '' ORDER BY path COLLATE "C") FROM holdfast.schema_repeatables), '')
)::bytea), 'hex') AS it

-- name: record_migration
INSERT INTO holdfast.schema_migrations (version, name, checksum, duration_ms)
VALUES (%(version)s, %(name)s, %(checksum)s, %(duration_ms)s)

-- name: applied_repeatables
SELECT path, checksum FROM holdfast.schema_repeatables

-- name: record_repeatable
INSERT INTO holdfast.schema_repeatables (path, checksum) VALUES (%(path)s, %(checksum)s)
ON CONFLICT (path) DO UPDATE SET checksum = excluded.checksum, applied_at = now()

-- name: forget_repeatable
DELETE FROM holdfast.schema_repeatables WHERE path = %(path)s

-- name: functions_called
SELECT oid::bigint FROM pg_catalog.pg_proc WHERE pronamespace = 'holdfast'::regnamespace AND proname = %(name)s

-- name: drops_of
-- The statements that drop what has a name. Given which functions had it before a new definition, those: if the new one is another, with
-- other arguments. One that was replaced in its place keeps its number, and stays.
SELECT format('DROP VIEW holdfast.%%I', c.relname) FROM pg_catalog.pg_class c
WHERE %(besides)s::bigint[] IS NULL
  AND c.relnamespace = 'holdfast'::regnamespace AND c.relname = %(name)s AND c.relkind = 'v'
UNION ALL
SELECT format('DROP FUNCTION %%s', p.oid::regprocedure) FROM pg_catalog.pg_proc p
WHERE p.pronamespace = 'holdfast'::regnamespace AND p.proname = %(name)s
  AND (%(besides)s::bigint[] IS NULL OR p.oid::bigint = ANY (%(besides)s::bigint[]) AND EXISTS (
    SELECT FROM pg_catalog.pg_proc o
    WHERE o.pronamespace = p.pronamespace AND o.proname = p.proname AND o.oid::bigint <> ALL (%(besides)s::bigint[])))

-- name: drops_of_triggers
-- Of all triggers of a table, so that the file that defines them says all there is.
SELECT format('DROP TRIGGER %%I ON %%s', t.tgname, t.tgrelid::regclass) FROM pg_catalog.pg_trigger t
WHERE t.tgrelid = to_regclass('holdfast.' || quote_ident(%(table)s)) AND NOT t.tgisinternal AND t.tgparentid = 0

-- name: close_tables
SELECT holdfast.protect_tenant_tables(), holdfast.protect_threads(), holdfast.create_partitions(now(), 3)

-- name: create_partitions
SELECT holdfast.create_partitions(coalesce(%(now)s::timestamptz, now()), %(months_ahead)s::int) AS made

-- name: current_retention
-- How long the database keeps months of a branch; NULL is for ever.
SELECT days FROM holdfast.retention WHERE branch = %(branch)s ORDER BY since DESC LIMIT 1

-- name: set_retention
SELECT holdfast.set_retention(%(branch)s::text, %(days)s::int)

-- name: drop_partitions
SELECT holdfast.drop_partitions(
  %(branch)s::text, coalesce(%(now)s::timestamptz, now()) - make_interval(days => %(days)s::int),
  coalesce(%(now)s::timestamptz, now())) AS partition

-- name: retention_history
SELECT r.branch, r.days, nullif(r.since, '-infinity') AS since FROM holdfast.retention r ORDER BY r.branch, r.since

-- name: new_tombstones
SELECT tenant, seq, hash FROM holdfast.new_tombstones()

-- name: sign_tombstone
SELECT holdfast.sign_tombstone(%(tenant)s::uuid, %(seq)s::bigint, %(key)s::text, %(signature)s::bytea)

-- name: claim_anchor
SELECT due, before, coalesce(%(now)s::timestamptz, now()) AS at, (SELECT i.id FROM holdfast.installation i) AS installation
FROM holdfast.claim_anchor(%(place)s::text, make_interval(secs => %(every)s::float8), coalesce(%(now)s::timestamptz, now()))

-- name: heads_since
SELECT tenant, object_kind, object_id, seq, hash FROM holdfast.heads_since(%(since)s::timestamptz)

-- name: note_anchor
SELECT holdfast.note_anchor(%(place)s::text, %(at)s::timestamptz)

-- name: anchored_at
SELECT anchored_at FROM holdfast.audit_anchor WHERE place = %(place)s

-- name: clock_difference
SELECT extract(epoch FROM clock_timestamp() - %(here)s::timestamptz)::float8 AS seconds

-- name: unprotected_tables
-- Tenant tables, LangGraph's too, on which row-level security is not both enabled and forced.
SELECT c.oid::regclass::text AS name
FROM pg_catalog.pg_class c
WHERE c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity)
  AND ((c.relnamespace = 'holdfast'::regnamespace AND c.relname <> ALL (%(global_tables)s::text[]))
       OR (c.relnamespace = 'holdfast_langgraph'::regnamespace AND EXISTS (
             SELECT FROM pg_catalog.pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'thread_id')))
ORDER BY 1

-- name: foreign_policies
-- Policies that are not ours: each one lets more rows through.
SELECT quote_ident(p.polname) || ' ON ' || p.polrelid::regclass AS name
FROM pg_catalog.pg_policy p JOIN pg_catalog.pg_class c ON c.oid = p.polrelid
WHERE c.relnamespace IN ('holdfast'::regnamespace, 'holdfast_langgraph'::regnamespace) AND p.polpermissive
  AND NOT (p.polname = 'tenant_isolation'
           OR (p.polname = 'cross_tenant' AND p.polroles = ARRAY['holdfast_owner'::regrole::oid]))
ORDER BY 1

-- name: roles_around_isolation
-- Also through another role that they may become.
SELECT r.rolname::text AS name, b.rolname::text AS through
FROM pg_catalog.pg_roles r JOIN pg_catalog.pg_roles b
  ON (b.rolsuper OR b.rolbypassrls OR b.rolname = 'holdfast_owner')
     AND (b.oid = r.oid OR (NOT r.rolsuper AND pg_catalog.pg_has_role(r.oid, b.oid, 'MEMBER')))
WHERE r.rolname IN ('holdfast_app', 'holdfast_worker')
ORDER BY 1, 2

-- name: changeable_history
-- Append-only tables that the application could change.
SELECT t.name FROM unnest(ARRAY['holdfast.workflow_event_chained', 'holdfast.workflow_event_plain', 'holdfast.audit_head',
                                'holdfast.retention', 'holdfast.audit_tombstone', 'holdfast.audit_tombstone_range']) t (name)
WHERE has_table_privilege('holdfast_app', t.name, 'UPDATE, DELETE, TRUNCATE')
   OR has_table_privilege('holdfast_worker', t.name, 'UPDATE, DELETE, TRUNCATE')

-- name: missing_roles
SELECT wanted AS name FROM unnest(ARRAY['holdfast_owner', 'holdfast_app', 'holdfast_worker']) wanted
WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_roles WHERE rolname = wanted)

-- name: little_memory
SET LOCAL work_mem = '64kB'

-- name: write_a_megabyte
-- More than fits into little memory: what generate_series gives goes to a temporary file.
SELECT count(*) FROM generate_series(1, 60000) n

-- name: waiting_effects
-- What nobody takes although it is due for a minute, and what is taken in vain for want of a secret or a key.
SELECT kind, lacks, effects, tenants, since
FROM holdfast.waiting_effects(coalesce(%(now)s::timestamptz, now()) - interval '1 minute')

-- name: unknown_code
-- What steps of processes wait for that no worker knows, although it is due for a minute.
SELECT needs, steps, tenants, since
FROM holdfast.unknown_code(coalesce(%(now)s::timestamptz, now()) - interval '1 minute', coalesce(%(now)s::timestamptz, now()))

-- name: missing_partitions
-- Tables cut by month that have no partition for next month, or that caught rows in their default partition.
SELECT parent.relname AS parent, to_char(month, 'YYYY-MM') AS month
FROM pg_catalog.pg_partitioned_table p
JOIN pg_catalog.pg_class parent ON parent.oid = p.partrelid
CROSS JOIN LATERAL (
  SELECT date_trunc('month', coalesce(%(now)s::timestamptz, now()) AT TIME ZONE 'UTC')
         + make_interval(months => ahead) AS month
  FROM generate_series(0, 1) ahead) months
WHERE parent.relnamespace = 'holdfast'::regnamespace AND p.partstrat = 'r'
  AND to_regclass(format('holdfast.%%I', parent.relname || to_char(month, '_YYYY_MM'))) IS NULL
ORDER BY parent.relname, month
