-- A closed request leaves every inbox in the transaction that closes it.
CREATE OR REPLACE FUNCTION holdfast.clear_inboxes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF OLD.status <> 'open' OR NEW.status = 'open' THEN
    RETURN NULL;
  END IF;
  UPDATE holdfast.approval_assignees a SET is_open = false
    WHERE a.tenant = NEW.tenant AND a.request_id = NEW.id AND a.is_open IS NOT FALSE; -- not by the index of inboxes
  RETURN NULL;
END
$$;
