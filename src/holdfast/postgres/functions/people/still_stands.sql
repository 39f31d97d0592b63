-- Whether the document still is what was decided on: nobody but the instance itself has made a newer version. The lock
-- keeps an edit that is under way from slipping in between the look and the commit.
CREATE OR REPLACE FUNCTION holdfast.still_stands(
  own_tenant uuid, document uuid, decided_version integer, decided_hash text, own_instance uuid) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off AS $$
BEGIN
  IF decided_hash IS NULL THEN
    RETURN true;
  END IF;
  PERFORM FROM holdfast.entities e
    WHERE e.tenant = own_tenant AND e.id = document AND e.entity_version >= decided_version AND e.deleted_at IS NULL
    FOR SHARE;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  RETURN EXISTS (
    SELECT FROM holdfast.entity_versions v
    WHERE v.tenant = own_tenant AND v.entity_id = document AND v.version = decided_version AND v.content_hash = decided_hash)
  AND NOT EXISTS (
    SELECT FROM holdfast.entity_versions v
    WHERE v.tenant = own_tenant AND v.entity_id = document AND v.version > decided_version
      AND v.instance_id IS DISTINCT FROM own_instance)
  AND NOT EXISTS (
    SELECT FROM holdfast.entities e WHERE e.tenant = own_tenant AND e.amended_from_id = document);
END
$$;
