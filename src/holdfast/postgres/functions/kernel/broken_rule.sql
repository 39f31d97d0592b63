-- Raises for a row that a trigger finds unsound, as a CHECK constraint of that name would.
CREATE OR REPLACE FUNCTION holdfast.broken_rule(row_of text, rule text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'new row for relation "%" violates check constraint "%"', row_of, rule
    USING ERRCODE = 'check_violation', SCHEMA = 'holdfast', TABLE = row_of, CONSTRAINT = rule;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.broken_rule TO holdfast_app;
