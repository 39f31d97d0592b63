-- Whether the heads are to be sent to a place now, by this transaction alone, and when they were sent there before.
CREATE OR REPLACE FUNCTION holdfast.claim_anchor(to_place text, every interval, at timestamptz, OUT due boolean, OUT before timestamptz)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  due := pg_try_advisory_xact_lock(hashtextextended('holdfast.anchor:' || to_place, 0));
  SELECT a.anchored_at INTO before FROM holdfast.audit_anchor a WHERE a.place = to_place;
  due := due AND (before IS NULL OR before <= at - every);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.claim_anchor TO holdfast_worker;
