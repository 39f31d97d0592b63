-- Sessions found by what they were started with.
--
-- Model
--   sessions_with_input  the ids of the transaction's tenant whose input contains a JSON value, newest first, a page at a time
--
-- `@>` is not leakproof, so Postgres evaluates it only after the policy of the table: a query of a tenant could never use an
-- index into input_data. The function does what the policy does, itself, as the owner, and so can. It gives ids only; who
-- calls it reads the rows through the policy, as always.

-- First the newest sessions of the tenant: what many inputs contain fills the page from them. Only what is not found there is
-- looked for in the index, all of it at once: Postgres knows no statistics of a column behind a policy, takes every value for
-- equally common, and would otherwise walk through all sessions of the tenant for one that is rare.
CREATE OR REPLACE FUNCTION holdfast.sessions_with_input(
  wanted text, before uuid, only_status text, only_workflow text, most integer) RETURNS TABLE (id uuid)
LANGUAGE plpgsql STABLE ROWS 50 SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET plan_cache_mode = force_custom_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  part jsonb := wanted::jsonb;
  walk CONSTANT integer := 500;
  walked uuid[];
  found uuid[];
BEGIN
  IF jsonb_typeof(part) IS DISTINCT FROM 'object' THEN
    RAISE EXCEPTION 'what is looked for in inputs is not a JSON object' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  WITH newest AS MATERIALIZED (
    SELECT s.id, s.status, s.workflow_name, s.input_data FROM holdfast.workflow_sessions s
    WHERE s.tenant = own AND (before IS NULL OR s.id < before) ORDER BY s.id DESC LIMIT walk
  )
  SELECT coalesce(array_agg(n.id ORDER BY n.id DESC), '{}'),
         coalesce(array_agg(n.id ORDER BY n.id DESC) FILTER (
           WHERE (only_status IS NULL OR n.status = only_status)
             AND (only_workflow IS NULL OR n.workflow_name = only_workflow)
             AND n.input_data @> part), '{}')
    INTO walked, found FROM newest n;
  RETURN QUERY SELECT f.id FROM unnest(found[1:most]) f (id);
  IF cardinality(found) >= most OR cardinality(walked) < walk THEN
    RETURN;
  END IF;
  RETURN QUERY
    WITH older AS MATERIALIZED (
      SELECT s.id FROM holdfast.workflow_sessions s
      WHERE s.tenant = own AND s.input_data @> part AND s.id < walked[walk]
        AND (only_status IS NULL OR s.status = only_status)
        AND (only_workflow IS NULL OR s.workflow_name = only_workflow)
    )
    SELECT o.id FROM older o ORDER BY o.id DESC LIMIT most - cardinality(found);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.sessions_with_input TO holdfast_app;
