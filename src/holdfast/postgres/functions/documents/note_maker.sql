-- Whoever made or edited a document may read it, every version of it. What a process writes it writes for itself.
CREATE OR REPLACE FUNCTION holdfast.note_maker() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO holdfast.entity_readers (tenant, principal, entity_type, entity_id, source, version)
    SELECT e.tenant, 'user:' || split_part(NEW.created_by, ':', 2), e.entity_type, e.id, e.id, 0
    FROM holdfast.entities e WHERE e.tenant = NEW.tenant AND e.id = NEW.entity_id
    ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
