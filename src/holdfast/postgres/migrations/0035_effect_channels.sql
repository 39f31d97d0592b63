-- Effects of kinds that an application brings, claimed only by workers that can send them.
--
--   effect_type     any channel's name, no longer one of five
--   claim, tend     by the kinds that the worker has a sender for; an effect of another kind waits for a worker that has
--   waiting_effects what has been due for long and nobody takes: for the doctor

ALTER TABLE holdfast.workflow_side_effects_outbox
  DROP CONSTRAINT workflow_side_effects_outbox_effect_type_check,
  -- Every row was checked against five names that all fit.
  ADD CONSTRAINT workflow_side_effects_outbox_effect_type_check
    CHECK (effect_type ~ '^[a-z][a-z0-9_.-]{0,62}$') NOT VALID;

-- By kind: mail that waits for a worker that can send it, however much, costs those that cannot nothing.
CREATE INDEX workflow_side_effects_outbox_due_kind
  ON holdfast.workflow_side_effects_outbox (tenant, effect_type, next_retry_at, created_at)
  WHERE status IN ('pending', 'failed');
DROP INDEX holdfast.workflow_side_effects_outbox_due;

-- Claims effects of the kinds that are due, the tenants in turn; those in `full` have enough under way. The attempt is
-- counted now: an effect that kills its worker runs out of attempts. More attempts than allowed mean that the last holder
-- never answered.
DROP FUNCTION holdfast.claim_effects(text, integer, integer, uuid[], interval, timestamptz);
CREATE FUNCTION holdfast.claim_effects(
  worker text, kinds text[], places integer, quota integer, full_tenants uuid[], lease interval, at timestamptz)
RETURNS TABLE (tenant uuid, id uuid, created_at timestamptz, lease_epoch bigint, effect_type text, payload text,
               event_idempotency_key text, attempts integer, max_attempts integer, instance_id uuid, step_key text,
               node_id text, token_id text, awaited boolean, trace_id text, response_json jsonb)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  RETURN QUERY
    WITH picked AS MATERIALIZED (
      SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_effect_lane l CROSS JOIN LATERAL (
        SELECT o.tenant, o.created_at, o.id, row_number() OVER () AS place FROM (
          SELECT d.tenant, d.created_at, d.id FROM unnest(kinds) k (kind) CROSS JOIN LATERAL (
            SELECT e.tenant, e.created_at, e.id, e.next_retry_at FROM holdfast.workflow_side_effects_outbox e
            WHERE e.tenant = l.tenant AND e.effect_type = k.kind AND e.status IN ('pending', 'failed')
              AND e.next_retry_at <= at
            ORDER BY e.next_retry_at, e.created_at LIMIT quota FOR UPDATE SKIP LOCKED) d
          ORDER BY d.next_retry_at, d.created_at LIMIT quota) o) x
      WHERE l.tenant <> ALL (full_tenants)
      ORDER BY x.place LIMIT places
    )
    UPDATE holdfast.workflow_side_effects_outbox u
    SET status = 'processing', attempts = u.attempts + 1, lease_epoch = u.lease_epoch + 1, lease_until = at + lease,
        leased_by = worker
    FROM picked p WHERE u.tenant = p.tenant AND u.created_at = p.created_at AND u.id = p.id
    RETURNING u.tenant, u.id, u.created_at, u.lease_epoch, u.effect_type, u.payload_json::text, u.event_idempotency_key, u.attempts,
              u.max_attempts, u.instance_id, u.step_key, u.node_id, u.token_id, u.awaited, u.trace_id, u.response_json;
END
$$;

-- Takes back effects whose holder is gone, of whatever kind, and answers how many, with the time at which the next effect of
-- the kinds is due.
DROP FUNCTION holdfast.tend_effects(timestamptz);
CREATE FUNCTION holdfast.tend_effects(kinds text[], at timestamptz) RETURNS TABLE (taken_back integer, next_due timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET jit = off SET enable_seqscan = off SET enable_bitmapscan = off SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  WITH expired AS MATERIALIZED (
    SELECT x.tenant, x.created_at, x.id FROM holdfast.workflow_effect_lane l CROSS JOIN LATERAL (
      SELECT e.tenant, e.created_at, e.id FROM holdfast.workflow_side_effects_outbox e
      WHERE e.tenant = l.tenant AND e.status = 'processing' AND e.lease_until < at
      ORDER BY e.lease_until LIMIT 1000 FOR UPDATE SKIP LOCKED) x
  ), back AS (
    UPDATE holdfast.workflow_side_effects_outbox e
    SET status = 'failed', error = 'lease_expired', lease_until = NULL, leased_by = NULL,
        next_retry_at = at + random() * interval '1 s'
    FROM expired x WHERE e.tenant = x.tenant AND e.created_at = x.created_at AND e.id = x.id
    RETURNING e.id
  )
  SELECT count(*) INTO taken_back FROM back;
  SELECT min(d.next_retry_at) INTO next_due
    FROM holdfast.workflow_effect_lane l CROSS JOIN unnest(kinds) k (kind) CROSS JOIN LATERAL (
      SELECT e.next_retry_at FROM holdfast.workflow_side_effects_outbox e
      WHERE e.tenant = l.tenant AND e.effect_type = k.kind AND e.status IN ('pending', 'failed')
      ORDER BY e.next_retry_at LIMIT 1) d;
  RETURN NEXT;
END
$$;

-- Effects that were due before `late` and that nobody takes, by kind: how many, of how many tenants, since when. A kind of
-- which some are being sent has somebody who can, and much to do.
CREATE FUNCTION holdfast.waiting_effects(late timestamptz) RETURNS TABLE (kind text, effects bigint, tenants bigint, since timestamptz)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
BEGIN
  RETURN QUERY
    SELECT e.effect_type, count(*), count(DISTINCT e.tenant), min(e.next_retry_at)
    FROM holdfast.workflow_side_effects_outbox e
    WHERE e.status IN ('pending', 'failed') AND e.next_retry_at < late AND NOT EXISTS (
      SELECT FROM holdfast.workflow_side_effects_outbox p
      WHERE p.status = 'processing' AND p.effect_type = e.effect_type)
    GROUP BY e.effect_type ORDER BY e.effect_type;
END
$$;

GRANT EXECUTE ON FUNCTION
  holdfast.claim_effects(text, text[], integer, integer, uuid[], interval, timestamptz),
  holdfast.tend_effects(text[], timestamptz), holdfast.waiting_effects(timestamptz)
  TO holdfast_worker;
