CREATE OR REPLACE FUNCTION holdfast.hold_document(wanted uuid)
RETURNS TABLE (
  id uuid, entity_type text, doc_status text, entity_version integer, contract_version integer, data text,
  content_hash text, version_id uuid, amended_from_id uuid, created_at timestamptz, created_by text,
  updated_at timestamptz, updated_by text, deleted_at timestamptz, amended_to_id uuid,
  instance_id uuid, instance_status text, instance_version integer, edit_window text)
LANGUAGE plpgsql AS $$
DECLARE
  own uuid := nullif(current_setting('holdfast.tenant', true), '')::uuid;
  kind text;
  known uuid;
  active record;
BEGIN
  SELECT e.entity_type INTO kind FROM holdfast.entities e WHERE e.tenant = own AND e.id = wanted;
  IF kind IS NULL THEN
    RETURN;
  END IF;
  FOR attempt IN 1 .. 100 LOOP
    SELECT i.id INTO known FROM holdfast.workflow_instances i
      WHERE i.tenant = own AND i.entity_type = kind AND i.entity_id = wanted AND i.status IN ('running', 'paused');
    BEGIN
      IF known IS NOT NULL THEN
        PERFORM pg_advisory_xact_lock(hashtextextended(known::text, 0));
      END IF;
      PERFORM FROM holdfast.entities e WHERE e.tenant = own AND e.id = wanted FOR UPDATE;
      SELECT i.id, i.status, i.version, i.edit_window INTO active FROM holdfast.workflow_instances i
        WHERE i.tenant = own AND i.entity_type = kind AND i.entity_id = wanted AND i.status IN ('running', 'paused');
      IF active.id IS DISTINCT FROM known THEN
        RAISE EXCEPTION USING ERRCODE = 'HF100', MESSAGE = 'the process of the document changed meanwhile';
      END IF;
      RETURN QUERY
        SELECT e.id, e.entity_type, e.doc_status, e.entity_version, e.contract_version, e.data::text, e.content_hash,
               e.version_id, e.amended_from_id, e.created_at, e.created_by, e.updated_at, e.updated_by, e.deleted_at,
               (SELECT a.id FROM holdfast.entities a WHERE a.tenant = own AND a.amended_from_id = e.id),
               active.id, active.status, active.version, active.edit_window
        FROM holdfast.entities e WHERE e.tenant = own AND e.id = wanted;
      RETURN;
    EXCEPTION WHEN SQLSTATE 'HF100' THEN
      NULL; -- Leaving the block gave both locks back.
    END;
  END LOOP;
  RAISE EXCEPTION 'the process of document % keeps changing', wanted
    USING ERRCODE = 'HF001', HINT = 'try again in a moment';
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.hold_document TO holdfast_app;
