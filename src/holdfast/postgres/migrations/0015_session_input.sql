-- Sessions found by what they were started with.
--
-- Model
--   sessions_with_input  the ids of the transaction's tenant whose input contains a JSON value, newest first, a page at a time
--
-- `@>` is not leakproof, so Postgres evaluates it only after the policy of the table: a query of a tenant could never use an
-- index into input_data. The function does what the policy does, itself, as the owner, and so can. It gives ids only; who
-- calls it reads the rows through the policy, as always.

-- A plan for each call: whether the index into inputs or the tenant's own order is the shorter way depends on the values.
CREATE FUNCTION holdfast.sessions_with_input(
  wanted text, before uuid, only_status text, only_workflow text, most integer) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE ROWS 50 SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  part jsonb := wanted::jsonb;
BEGIN
  IF jsonb_typeof(part) IS DISTINCT FROM 'object' THEN
    RAISE EXCEPTION 'what is looked for in inputs is not a JSON object' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN QUERY SELECT s.id FROM holdfast.workflow_sessions s
    WHERE s.tenant = own AND s.input_data @> part
      AND (before IS NULL OR s.id < before)
      AND (only_status IS NULL OR s.status = only_status)
      AND (only_workflow IS NULL OR s.workflow_name = only_workflow)
    ORDER BY s.id DESC LIMIT most;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.sessions_with_input(text, uuid, text, text, integer) TO holdfast_app;

-- Ids are ordered by time, also that of a row somebody inserts by hand.
ALTER TABLE holdfast.workflow_sessions ALTER COLUMN id SET DEFAULT holdfast.time_ordered_id(now());

-- What counts a definition's active sessions makes room for the index of a tenant's active sessions by status.
ALTER INDEX holdfast.workflow_sessions_active_idx RENAME TO workflow_sessions_active_workflow_idx;
