-- Effects: what processes send to the outside, through the outbox (WF-10).

-- name: enqueue_effects
SELECT holdfast.enqueue_effects(
  %(ids)s::uuid[], %(instances)s::uuid[], %(steps)s::uuid[], %(step_keys)s::text[], %(nodes)s::text[], %(tokens)s::text[],
  %(kinds)s::text[], %(payloads)s::text[], %(keys)s::text[], %(awaited)s::boolean[], %(max_attempts)s::integer[],
  %(traces)s::text[], %(actor)s, coalesce(%(now)s::timestamptz, now())) AS written
WHERE %(tenant)s::uuid IS NOT NULL

-- name: enqueue_called_effect
-- One effect that an action asked for; no step waits for it. Whoever calls has the action's own receipt.
WITH lane AS (
  INSERT INTO holdfast.workflow_effect_lane (tenant) VALUES (%(tenant)s) ON CONFLICT DO NOTHING
)
INSERT INTO holdfast.workflow_side_effects_outbox
  (tenant, created_at, id, instance_id, step_execution_id, step_key, node_id, token_id, effect_type, payload_json,
   event_idempotency_key, awaited, max_attempts, created_by, next_retry_at)
VALUES (%(tenant)s, coalesce(%(now)s::timestamptz, now()), %(id)s, %(instance)s, %(step)s, %(step_key)s, %(node)s, '-', %(kind)s,
        %(payload)s::jsonb, %(key)s, false, %(max_attempts)s::integer, %(actor)s, coalesce(%(now)s::timestamptz, now()))

-- name: tell_effects
-- A hint for idle workers; Postgres sends it once for each transaction.
SELECT pg_notify('holdfast_effects', %(tenant)s::text)

-- name: withdraw_effects
SELECT holdfast.withdraw_effects(%(instance_id)s, %(step_keys)s::text[], %(why)s, %(actor)s,
                                 coalesce(%(now)s::timestamptz, now())) AS gone

-- name: claim_effects
-- On workflow_side_effects_outbox_due_kind (tenant, effect_type, next_retry_at, created_at, id), tenant by tenant, kind by kind.
SELECT c.*, coalesce(%(now)s::timestamptz, now()) AS now
FROM holdfast.claim_effects(%(worker)s, %(kinds)s::text[], %(slots)s::integer, %(quota)s::integer, %(full)s::uuid[], %(lease)s::interval,
                            coalesce(%(now)s::timestamptz, now()), %(marks)s::jsonb) c

-- name: heartbeat_effects
-- On workflow_side_effects_outbox_processing (tenant, id).
SELECT tenant::text, id::text, status
FROM holdfast.heartbeat_effects(%(tenants)s::uuid[], %(ids)s::uuid[], %(epochs)s::bigint[], %(leases)s::interval[],
                                coalesce(%(now)s::timestamptz, now()))

-- name: tend_effects
SELECT taken_back, extract(epoch FROM next_due - coalesce(%(now)s::timestamptz, now()))::double precision AS due_in
FROM holdfast.tend_effects(%(kinds)s::text[], coalesce(%(now)s::timestamptz, now()))

-- name: settle_effect
SELECT holdfast.settle_effect(%(id)s, %(created_at)s, %(epoch)s::bigint, %(status)s, %(evidence)s::jsonb, %(error)s,
                              coalesce(%(now)s::timestamptz, now()) + %(pause)s::interval, %(back)s::integer,
                              coalesce(%(now)s::timestamptz, now())) AS held

-- name: retry_waiting_effects
SELECT holdfast.retry_waiting_effects(coalesce(%(now)s::timestamptz, now())) WHERE %(tenant)s::uuid IS NOT NULL

-- name: replay_effect
SELECT holdfast.replay_effect(%(id)s, %(actor)s, coalesce(%(now)s::timestamptz, now())) AS done

-- name: skip_effect
SELECT holdfast.skip_effect(%(id)s, %(reason)s, %(actor)s, coalesce(%(now)s::timestamptz, now())) AS done

-- name: list_effects
-- Newest first, on the primary key (tenant, created_at, id) of each partition; dead letters on their own index.
SELECT id, effect_type AS kind, status, instance_id, node_id, payload_json AS payload, event_idempotency_key AS key, attempts,
       max_attempts, next_retry_at, error, response_json AS response, trace_id, created_by, created_at, completed_at
FROM holdfast.workflow_side_effects_outbox
WHERE tenant = %(tenant)s
  AND (%(status)s::text IS NULL OR status = %(status)s)
  AND (%(kind)s::text IS NULL OR effect_type = %(kind)s)
  AND (%(before_at)s::timestamptz IS NULL OR (created_at, id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
ORDER BY created_at DESC, id DESC
LIMIT %(limit)s

-- name: instance_effects
-- On workflow_side_effects_outbox_instance (tenant, instance_id).
SELECT id, effect_type AS kind, status, instance_id, node_id, payload_json AS payload, event_idempotency_key AS key, attempts,
       max_attempts, next_retry_at, error, response_json AS response, trace_id, created_by, created_at, completed_at
FROM holdfast.workflow_side_effects_outbox
WHERE tenant = %(tenant)s AND instance_id = %(instance_id)s
  AND (%(status)s::text IS NULL OR status = %(status)s)
  AND (%(kind)s::text IS NULL OR effect_type = %(kind)s)
  AND (%(before_at)s::timestamptz IS NULL OR (created_at, id) < (%(before_at)s::timestamptz, %(before_id)s::uuid))
ORDER BY created_at DESC, id DESC
LIMIT %(limit)s

-- name: get_effect
SELECT id, effect_type AS kind, status, instance_id, node_id, payload_json AS payload, event_idempotency_key AS key, attempts,
       max_attempts, next_retry_at, error, response_json AS response, trace_id, created_by, created_at, completed_at
FROM holdfast.workflow_side_effects_outbox
WHERE tenant = %(tenant)s AND id = %(id)s

-- name: read_secret
SELECT name, hosts, key_id, wrapped_key, ciphertext
FROM holdfast.read_secret(%(tenant)s::uuid, %(created_at)s::timestamptz, %(id)s::uuid, %(epoch)s::bigint)

-- name: write_secret
INSERT INTO holdfast.workflow_secrets (tenant, name, hosts, key_id, wrapped_key, ciphertext, updated_at, updated_by)
VALUES (%(tenant)s, %(name)s, %(hosts)s::text[], %(key_id)s, %(wrapped_key)s, %(ciphertext)s,
        coalesce(%(now)s::timestamptz, now()), %(actor)s)
-- Not excluded.ciphertext: that would need the right to read it.
ON CONFLICT (tenant, name) DO UPDATE
  SET hosts = %(hosts)s::text[], key_id = %(key_id)s, wrapped_key = %(wrapped_key)s, ciphertext = %(ciphertext)s,
      updated_at = excluded.updated_at, updated_by = excluded.updated_by

-- name: list_secrets
-- Names only: the application cannot read what it wrote.
SELECT name, hosts, key_id, updated_at, updated_by FROM holdfast.workflow_secrets WHERE tenant = %(tenant)s ORDER BY name

-- name: hosts_of_secret
SELECT hosts FROM holdfast.workflow_secrets WHERE tenant = %(tenant)s AND name = %(name)s

-- name: secrets_under_other_keys
SELECT tenant, name, hosts, key_id, wrapped_key, ciphertext FROM holdfast.secrets_under_other_keys(%(key_id)s::text)

-- name: rewrap_secret
SELECT holdfast.rewrap_secret(%(tenant)s::uuid, %(name)s::text, %(was)s::bytea, %(key_id)s::text, %(wrapped_key)s::bytea) AS done

-- name: delete_secret
DELETE FROM holdfast.workflow_secrets WHERE tenant = %(tenant)s AND name = %(name)s

-- name: addresses
-- The people behind users and roles, with their e-mail addresses, on users (tenant, name) and user_roles_role.
SELECT u.name, u.email FROM holdfast.users u
WHERE u.tenant = %(tenant)s AND u.deactivated_at IS NULL AND u.kind = 'user' AND u.name = ANY (%(users)s::text[])
UNION
SELECT u.name, u.email FROM holdfast.user_roles r
JOIN holdfast.users u ON u.tenant = r.tenant AND u.user_id = r.user_id
WHERE r.tenant = %(tenant)s AND r.role = ANY (%(roles)s::text[]) AND u.deactivated_at IS NULL AND u.kind = 'user'
UNION
SELECT u.name, u.email FROM holdfast.org_chart o
JOIN holdfast.users u ON u.tenant = o.tenant AND u.name = o.manager
WHERE o.tenant = %(tenant)s AND o.name = ANY (%(managed)s::text[]) AND u.deactivated_at IS NULL
ORDER BY name

-- name: notify_people
-- A person gets a message of one cause once, on the unique key (tenant, name, key).
INSERT INTO holdfast.workflow_notifications (tenant, id, name, key, subject, body, instance_id, request_id, created_at)
SELECT %(tenant)s, n.id, n.name, %(key)s, %(subject)s, %(body)s, %(instance_id)s, %(request_id)s,
       coalesce(%(now)s::timestamptz, now())
FROM unnest(%(ids)s::uuid[], %(names)s::text[]) n (id, name)
ON CONFLICT (tenant, name, key) DO NOTHING

-- name: list_notifications
-- Newest first, on workflow_notifications_inbox or, unread ones only, workflow_notifications_unread.
SELECT id, subject, body, instance_id, request_id, created_at, read_at FROM holdfast.workflow_notifications
WHERE tenant = %(tenant)s AND name = %(name)s
  AND (NOT %(unread)s::boolean OR read_at IS NULL)
  AND (%(before)s::uuid IS NULL OR id < %(before)s)
ORDER BY id DESC
LIMIT %(limit)s

-- name: unread_notifications
-- On workflow_notifications_unread, no more of it than is counted.
SELECT count(*) AS unread FROM (
  SELECT FROM holdfast.workflow_notifications WHERE tenant = %(tenant)s AND name = %(name)s AND read_at IS NULL LIMIT %(most)s) n

-- name: read_all_notifications
UPDATE holdfast.workflow_notifications SET read_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND name = %(name)s AND read_at IS NULL

-- name: read_notifications
UPDATE holdfast.workflow_notifications SET read_at = coalesce(%(now)s::timestamptz, now())
WHERE tenant = %(tenant)s AND name = %(name)s AND read_at IS NULL AND id = ANY (%(ids)s::uuid[])
