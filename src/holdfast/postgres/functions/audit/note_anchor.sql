-- The heads were sent to a place. Its time only moves on.
CREATE OR REPLACE FUNCTION holdfast.note_anchor(to_place text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  moment timestamptz := holdfast.trusted_time(at);
BEGIN
  INSERT INTO holdfast.audit_anchor AS a (place, anchored_at) VALUES (to_place, moment)
    ON CONFLICT (place) DO UPDATE SET anchored_at = greatest(a.anchored_at, moment);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.note_anchor TO holdfast_worker;
