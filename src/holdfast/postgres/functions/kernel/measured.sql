CREATE OR REPLACE FUNCTION holdfast.measured(part text) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN convert_to(octet_length(convert_to(part, 'UTF8'))::text || ':' || part, 'UTF8');
END
$$;
COMMENT ON FUNCTION holdfast.measured IS '‹length›:‹bytes›, so that no field of a hash can bleed into the next.';
