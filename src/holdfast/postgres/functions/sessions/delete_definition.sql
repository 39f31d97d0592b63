CREATE OR REPLACE FUNCTION holdfast.delete_definition(wanted text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM FROM holdfast.workflow_definition_registry r WHERE r.name = wanted FOR UPDATE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF holdfast.count_active_sessions(wanted) > 0 THEN
    RAISE EXCEPTION 'Cannot delete workflow with active sessions'
      USING ERRCODE = 'HF001', HINT = 'wait for them, cancel them, or mark the definition as deprecated';
  END IF;
  DELETE FROM holdfast.workflow_definition_registry r WHERE r.name = wanted;
  RETURN true;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.delete_definition TO holdfast_worker;
