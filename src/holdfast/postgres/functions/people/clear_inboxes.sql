-- A closed request leaves every inbox in the transaction that closes it.
CREATE OR REPLACE FUNCTION holdfast.clear_inboxes() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  UPDATE holdfast.approval_assignees a SET is_open = false
    WHERE a.tenant = NEW.tenant AND a.request_id = NEW.id AND a.is_open;
  RETURN NULL;
END
$$;
