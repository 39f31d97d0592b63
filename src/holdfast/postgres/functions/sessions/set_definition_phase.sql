CREATE OR REPLACE FUNCTION holdfast.set_definition_phase(wanted text, new_phase text, reason text, at timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.workflow_definition_registry r SET phase = new_phase, phase_reason = reason, last_updated = at
    WHERE r.name = wanted;
  RETURN FOUND;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.set_definition_phase TO holdfast_worker;
