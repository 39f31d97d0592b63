-- Without attempts where only a prefix says that somebody takes the type.
CREATE OR REPLACE FUNCTION holdfast.handled_types(wanted text[], at timestamptz) RETURNS TABLE (type text, attempts integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT one.type, max(w.attempts[array_position(w.types, one.type)])
    FROM unnest(wanted) AS one(type) JOIN holdfast.run_worker w
      ON one.type = ANY (w.types) OR EXISTS (SELECT FROM unnest(w.prefixes) p WHERE starts_with(one.type, p))
    WHERE w.seen_at > at - interval '1 minute'
    GROUP BY one.type;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.handled_types TO holdfast_app;
