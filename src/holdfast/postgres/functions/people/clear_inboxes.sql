-- A closed request leaves every inbox in the transaction that closes it; with the rights of `end_requests`, the only one to close any.
CREATE OR REPLACE FUNCTION holdfast.clear_inboxes() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.status <> 'open' OR NEW.status = 'open' THEN
    RETURN NULL;
  END IF;
  UPDATE holdfast.approval_assignees a SET is_open = false
    WHERE a.tenant = NEW.tenant AND a.request_id = NEW.id AND a.is_open IS NOT FALSE; -- not by the index of inboxes
  RETURN NULL;
END
$$;
