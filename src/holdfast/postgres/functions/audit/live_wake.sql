-- Wakes those who follow what happens in the tenant, if anybody follows any: once for a statement, told once for a transaction. The
-- lock is had for a moment only: whoever is refused because of that notifies needlessly.
CREATE OR REPLACE FUNCTION holdfast.live_wake() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF NOT (pg_try_advisory_lock(hashtextextended('holdfast.live_followed', 0))
          AND pg_advisory_unlock(hashtextextended('holdfast.live_followed', 0))) THEN
    PERFORM pg_notify('holdfast_live', coalesce(current_setting('holdfast.tenant', true), ''));
  END IF;
  RETURN NULL;
END
$$;
