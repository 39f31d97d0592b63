-- In SQL, and one expression: Postgres puts it in place of the call.
CREATE OR REPLACE FUNCTION holdfast.sized(part text) RETURNS text
LANGUAGE sql STABLE RETURN octet_length(convert_to(part, 'UTF8'))::text || ':' || part;
COMMENT ON FUNCTION holdfast.sized IS '‹length›:‹text›, of which `measured` is the bytes.';
