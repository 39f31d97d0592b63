-- Sees to it that a tenant with sessions has the schedule that forgets old checkpoints. Tenants get different times between
-- one and five o'clock (UTC), so that they are not all due in the same minute.
CREATE OR REPLACE FUNCTION holdfast.schedule_retention(for_tenant uuid, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  new_id uuid;
  minute integer;
  fire timestamptz;
BEGIN
  IF EXISTS (SELECT FROM holdfast.workflow_schedule s
             WHERE s.tenant = for_tenant AND s.name = 'holdfast.checkpoint-retention') THEN
    RETURN;
  END IF;
  new_id := holdfast.time_ordered_id(at);
  minute := 60 + abs(hashtextextended(for_tenant::text, 0) % 240);
  fire := (date_trunc('day', at AT TIME ZONE 'UTC') + make_interval(mins => minute)) AT TIME ZONE 'UTC';
  IF fire <= at THEN
    fire := fire + interval '24 hours';
  END IF;
  INSERT INTO holdfast.workflow_schedule
    (tenant, id, name, description, type, cron, timezone, overlap, next_fire_at, created_by, created_at, updated_at)
    VALUES (for_tenant, new_id, 'holdfast.checkpoint-retention', 'Forgets old checkpoints of sessions',
            'session.retain.v1', format('%s %s * * *', minute % 60, minute / 60), 'UTC', 'skip', fire, 'system:sessions', at, at)
    ON CONFLICT (tenant, name) DO NOTHING;
  IF FOUND THEN
    INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, created_at)
      VALUES (for_tenant, 'schedule', new_id, 'schedule.created', 'system:sessions',
              jsonb_build_object('name', 'holdfast.checkpoint-retention', 'type', 'session.retain.v1'), at);
  END IF;
END
$$;
