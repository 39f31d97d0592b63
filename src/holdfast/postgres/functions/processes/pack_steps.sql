-- Keeps what steps gave compressed from now on. The digest is made here, of what is there: whoever packs something else is found out. The trigger
-- sound lets nothing but this change what a settled step gave.
CREATE OR REPLACE FUNCTION holdfast.pack_steps(
  tenants uuid[], moments timestamptz[], ids uuid[], packed bytea[], at timestamptz) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  done integer := 0;
BEGIN
  FOR n IN 1 .. cardinality(ids) LOOP
    UPDATE holdfast.workflow_step_executions s
      SET output_packed = packed[n], output_hash = sha256(convert_to(s.output_json::text, 'UTF8')), output_json = NULL
      WHERE s.tenant = tenants[n] AND s.created_at = moments[n] AND s.id = ids[n] AND s.output_json IS NOT NULL
        AND s.settled_seq IS NOT NULL AND s.created_at < at - interval '12 months';
    done := done + CASE WHEN FOUND THEN 1 ELSE 0 END;
  END LOOP;
  RETURN done;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.pack_steps TO holdfast_worker;
