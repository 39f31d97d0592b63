-- Claims effects that are due, the tenants in turn; those in `full` have enough under way. The attempt is counted now: an
-- effect that kills its worker runs out of attempts. More attempts than allowed mean that the last holder never answered. With `marks`, as
-- `claim_events` has them, claims begin behind what was claimed before: by tenant and kind.
CREATE OR REPLACE FUNCTION holdfast.claim_effects(
  worker text, kinds text[], slots integer, quota integer, full_tenants uuid[], lease interval, at timestamptz,
  marks jsonb DEFAULT NULL)
RETURNS TABLE (tenant uuid, id uuid, created_at timestamptz, lease_epoch bigint, effect_type text, payload text,
               event_idempotency_key text, attempts integer, max_attempts integer, instance_id uuid, step_key text,
               node_id text, token_id text, awaited boolean, trace_id text, response_json jsonb, lane text, due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH mark AS MATERIALIZED (
      SELECT m.* FROM jsonb_to_recordset(marks) m (tenant uuid, lane text, due timestamptz, created_at timestamptz, id uuid)
    ), picked AS MATERIALIZED (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_effect_lane l CROSS JOIN LATERAL (
        SELECT o.tenant, o.created_at, o.id, row_number() OVER () AS place FROM (
          SELECT d.tenant, d.created_at, d.id FROM unnest(kinds) k (kind) LEFT JOIN mark m ON m.tenant = l.tenant AND m.lane = k.kind
          CROSS JOIN LATERAL (
            SELECT e.tenant, e.created_at, e.id, e.next_retry_at FROM holdfast.workflow_side_effects_outbox e
            WHERE e.tenant = l.tenant AND e.effect_type = k.kind AND e.status IN ('pending', 'failed')
              AND e.next_retry_at <= at
              AND (e.next_retry_at, e.created_at, e.id)
                > (coalesce(m.due, '-infinity'), coalesce(m.created_at, '-infinity'), coalesce(m.id, '00000000-0000-0000-0000-000000000000'))
            ORDER BY e.next_retry_at, e.created_at, e.id LIMIT quota FOR UPDATE SKIP LOCKED) d
          ORDER BY d.next_retry_at, d.created_at, d.id LIMIT quota) o) x
      WHERE l.tenant <> ALL (full_tenants)
      ORDER BY x.place LIMIT slots
    )
    UPDATE holdfast.workflow_side_effects_outbox u
    SET status = 'processing', attempts = u.attempts + 1, lease_epoch = u.lease_epoch + 1, lease_until = at + lease,
        leased_by = worker
    FROM picked p WHERE u.tenant = p.tenant AND u.created_at = p.created_at AND u.id = p.id
    RETURNING u.tenant, u.id, u.created_at, u.lease_epoch, u.effect_type, u.payload_json::text, u.event_idempotency_key, u.attempts,
              u.max_attempts, u.instance_id, u.step_key, u.node_id, u.token_id, u.awaited, u.trace_id, u.response_json,
              u.effect_type, u.next_retry_at;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.claim_effects TO holdfast_worker;
