-- What somebody must do every second or so: take back lanes whose lease expired. The event that was next has used an attempt;
-- with the last one it is dead. Answers with when the next lane is due, if any is waiting. One caller at a time works; others
-- only get the answer.
CREATE OR REPLACE FUNCTION holdfast.tend_outbox(max_attempts integer, hold_dead boolean, at timestamptz) RETURNS timestamptz
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  expired record;
  victim uuid;
  victim_type text;
  victim_trace text;
  probe uuid := '00000000-0000-0000-0000-000000000000';
  found_due timestamptz;
  soonest timestamptz;
BEGIN
  IF pg_try_advisory_xact_lock(hashtextextended('holdfast.tend_outbox', 0)) THEN
    FOR expired IN
      SELECT l.tenant, l.aggregate_type, l.aggregate_id, l.attempts, l.leased_by FROM holdfast.outbox_lane l
      WHERE l.lease_until IS NOT NULL AND l.lease_until < at LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED
    LOOP
      victim := NULL;
      IF expired.attempts >= max_attempts THEN
        UPDATE holdfast.outbox_event_live e
          SET status = 'dead', attempts = expired.attempts, last_error = 'lease_expired'
          WHERE e.tenant = expired.tenant AND e.id = (
            SELECT h.id FROM holdfast.outbox_event_live h
            WHERE h.tenant = expired.tenant AND h.aggregate_type = expired.aggregate_type
              AND h.aggregate_id = expired.aggregate_id AND h.status = 'pending'
            ORDER BY h.seq LIMIT 1)
          RETURNING e.id, e.event_type, e.trace_parent INTO victim, victim_type, victim_trace;
        INSERT INTO holdfast.workflow_event_plain
          (tenant, object_kind, object_id, event_type, actor, data, trace_id, created_at)
          SELECT expired.tenant, 'outbox', victim, 'outbox.dead', 'system:janitor',
                 jsonb_build_object('type', victim_type, 'attempts', expired.attempts, 'error', 'lease_expired',
                                    'aggregate', expired.aggregate_type || '/' || expired.aggregate_id),
                 victim_trace, at
          WHERE victim IS NOT NULL;
      END IF;
      UPDATE holdfast.outbox_lane l
        SET lease_until = NULL, leased_by = NULL, blocked = victim IS NOT NULL AND hold_dead,
            attempts = CASE WHEN victim IS NULL THEN l.attempts ELSE 0 END,
            due_at = at + random() * least(power(2, l.attempts - 1), 60) * interval '0.5 s'
        WHERE l.tenant = expired.tenant AND l.aggregate_type = expired.aggregate_type
          AND l.aggregate_id = expired.aggregate_id;
    END LOOP;
  END IF;
  FOR number IN 1 .. 1000 LOOP
    SELECT l.tenant, l.due_at INTO probe, found_due FROM holdfast.outbox_lane l
      WHERE l.tenant > probe AND l.lease_until IS NULL AND NOT l.blocked ORDER BY l.tenant, l.due_at LIMIT 1;
    EXIT WHEN NOT FOUND;
    soonest := least(soonest, found_due);
  END LOOP;
  RETURN soonest;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.tend_outbox TO holdfast_worker;
