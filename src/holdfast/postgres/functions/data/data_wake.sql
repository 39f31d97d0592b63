-- Wakes those who follow a namespace, if anybody follows any. The lock is had for a moment only: whoever is refused because
-- of that notifies needlessly.
CREATE OR REPLACE FUNCTION holdfast.data_wake(own uuid, in_namespace text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  IF pg_try_advisory_lock(hashtextextended('holdfast.data_followed', 0)) THEN
    PERFORM pg_advisory_unlock(hashtextextended('holdfast.data_followed', 0));
  ELSE
    PERFORM pg_notify('holdfast_data', own || ':' || in_namespace);
  END IF;
END
$$;
