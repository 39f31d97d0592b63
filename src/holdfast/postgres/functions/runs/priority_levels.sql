-- The priorities of a lane with the oldest run of each: for claims by age, which keep priorities from starving. One look into the index
-- workflow_run_ready each, so there is a bound to how many are asked: the highest hundred, and as many more from a priority on that chance
-- picks, another one each time.
CREATE OR REPLACE FUNCTION holdfast.priority_levels(lane_tenant uuid, lane_type text)
RETURNS TABLE (priority integer, run_at timestamptz)
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  below integer := 2147483647;
  lowest integer;
BEGIN
  FOR probe IN 1 .. 200 LOOP
    IF probe = 101 THEN
      SELECT r.priority INTO lowest FROM holdfast.workflow_run_live r
        WHERE r.tenant = lane_tenant AND r.type = lane_type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
        ORDER BY r.priority, r.run_at DESC, r.id DESC LIMIT 1;
      EXIT WHEN lowest IS NULL OR lowest >= below;
      below := lowest + 1 + floor(random() * (below - lowest))::integer;
    END IF;
    SELECT r.priority, r.run_at INTO priority, run_at FROM holdfast.workflow_run_live r
      WHERE r.tenant = lane_tenant AND r.type = lane_type AND r.status = 'pending' AND r.ready AND r.deleted_at IS NULL
        AND r.priority < below
      ORDER BY r.priority DESC, r.run_at, r.id LIMIT 1;
    EXIT WHEN NOT FOUND;
    below := priority;
    RETURN NEXT;
  END LOOP;
END
$$;
