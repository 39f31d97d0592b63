-- Somebody left, or lost a role: open requests that ask them, and could be escalated, are looked at in the next round of tending, which
-- escalates those that nobody can answer any more. On approval_assignees_inbox, by each name they went by.
CREATE OR REPLACE FUNCTION holdfast.tend_at_once() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  names text[];
BEGIN
  IF TG_TABLE_NAME = 'user_roles' THEN
    names := ARRAY['role:' || OLD.role];
  ELSE
    names := 'user:' || OLD.name || ARRAY(
      SELECT 'role:' || h.role FROM holdfast.user_roles h WHERE h.tenant = OLD.tenant AND h.user_id = OLD.user_id);
  END IF;
  UPDATE holdfast.approval_requests r SET tend_at = r.created_at
    FROM holdfast.approval_assignees a
    WHERE a.tenant = OLD.tenant AND a.principal = ANY (names) AND a.is_open
      AND r.tenant = a.tenant AND r.id = a.request_id AND r.status = 'open' AND r.escalate_at IS NOT NULL;
  RETURN NULL;
END
$$;
