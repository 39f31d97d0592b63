-- Whoever is asked about a document may read the version they are asked about, and whoever asks, the document; not those who handed it on.
CREATE OR REPLACE FUNCTION holdfast.note_asked() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF NEW.removed_at IS NOT NULL THEN
    DELETE FROM holdfast.entity_readers r USING holdfast.approval_requests q
      WHERE q.tenant = NEW.tenant AND q.id = NEW.request_id AND r.tenant = q.tenant AND r.principal = NEW.principal
        AND r.entity_type = q.entity_type AND r.entity_id = q.entity_id AND r.source = q.id;
  ELSE
    INSERT INTO holdfast.entity_readers (tenant, principal, entity_type, entity_id, source, version)
      SELECT q.tenant, n.principal, q.entity_type, q.entity_id, n.source, n.version
      FROM holdfast.approval_requests q
      CROSS JOIN LATERAL (
        VALUES (NEW.principal, q.id, q.entity_version), ('user:' || q.requester, q.entity_id, 0)) n (principal, source, version)
      WHERE q.tenant = NEW.tenant AND q.id = NEW.request_id AND q.entity_id IS NOT NULL AND n.principal IS NOT NULL
      ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
