-- Schedules that are due. Each is moved on by who starts it, in the transaction that does (see start_scheduled).
CREATE OR REPLACE FUNCTION holdfast.due_triggers(at timestamptz) RETURNS TABLE (tenant uuid, id uuid)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY SELECT g.tenant, g.id FROM holdfast.tenants t JOIN holdfast.workflow_triggers g ON g.tenant = t.tenant
    WHERE g.enabled AND g.trigger_type = 'on_timer' AND g.next_at <= at;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.due_triggers TO holdfast_worker;
