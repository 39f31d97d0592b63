-- Whether the document still is what was decided on: nobody but the instance itself has made a newer version. The lock
-- keeps an edit that is under way from slipping in between the look and the commit. Called by the guards of decisions, with the rights and settings of the functions that write those.
CREATE OR REPLACE FUNCTION holdfast.still_stands(
  own_tenant uuid, document uuid, decided_version integer, decided_hash text, own_instance uuid) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  found_version integer;
  found_hash text;
BEGIN
  IF decided_hash IS NULL THEN
    RETURN true;
  END IF;
  SELECT e.entity_version, e.content_hash INTO found_version, found_hash FROM holdfast.entities e
    WHERE e.tenant = own_tenant AND e.id = document AND e.entity_version >= decided_version AND e.deleted_at IS NULL
    FOR SHARE;
  IF NOT FOUND OR EXISTS (
    SELECT FROM holdfast.entity_versions v
    WHERE v.tenant = own_tenant AND v.entity_id = document AND v.version > decided_version
      AND v.instance_id IS DISTINCT FROM own_instance)
  OR EXISTS (
    SELECT FROM holdfast.entities e WHERE e.tenant = own_tenant AND e.amended_from_id = document) THEN
    RETURN false;
  END IF;
  -- Mostly the version that was decided on is the one there is.
  RETURN CASE WHEN found_version = decided_version THEN found_hash = decided_hash ELSE EXISTS (
    SELECT FROM holdfast.entity_versions v
    WHERE v.tenant = own_tenant AND v.entity_id = document AND v.version = decided_version AND v.content_hash = decided_hash) END;
END
$$;
