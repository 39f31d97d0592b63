-- Counts the minutes that are over, of every tenant, and notes how the queues stand now. Two minutes late, so that what is committed late is counted
-- too. One of all workers does it; the others find it locked or done, and it answers how many minutes it counted. No more than a day is caught up on.
CREATE OR REPLACE FUNCTION holdfast.roll_up_queues(cap integer, at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off AS $$
DECLARE
  this_minute timestamptz := date_trunc('minute', at);
  horizon timestamptz := this_minute - interval '2 minutes';
  begun timestamptz;
BEGIN
  INSERT INTO holdfast.queue_rollup (until) VALUES (horizon - interval '1 day') ON CONFLICT DO NOTHING;
  SELECT r.until INTO begun FROM holdfast.queue_rollup r FOR UPDATE SKIP LOCKED;
  IF NOT FOUND OR begun >= horizon THEN
    RETURN 0;
  END IF;
  begun := greatest(begun, horizon - interval '1 day');
  INSERT INTO holdfast.queue_minute (tenant, queue, minute, finished, errors, buckets)
    SELECT c.tenant, c.queue, c.minute, sum(c.finished), sum(c.errors), jsonb_object_agg(c.bucket::text, c.finished)
    FROM (
      SELECT f.tenant, f.queue, date_trunc('minute', f.at) AS minute, holdfast.latency_bucket(f.seconds) AS bucket,
             count(*)::integer AS finished, (count(*) FILTER (WHERE f.error))::integer AS errors
      FROM holdfast.queue_finished f WHERE f.at >= begun AND f.at < horizon
      GROUP BY f.tenant, f.queue, minute, bucket) c
    GROUP BY c.tenant, c.queue, c.minute
    ON CONFLICT DO NOTHING;
  INSERT INTO holdfast.queue_depth (tenant, queue, minute, pending, stuck, dead, oldest)
    SELECT t.tenant, s.queue, this_minute, s.pending + s.working, s.stuck, s.dead, s.oldest
    FROM holdfast.tenants t CROSS JOIN LATERAL holdfast.queue_states(t.tenant, cap, at) s
    WHERE s.pending + s.working + s.stuck + s.dead > 0
    ON CONFLICT DO NOTHING;
  UPDATE holdfast.queue_rollup SET until = horizon;
  RETURN (extract(epoch FROM horizon - begun) / 60)::integer;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.roll_up_queues TO holdfast_worker;
