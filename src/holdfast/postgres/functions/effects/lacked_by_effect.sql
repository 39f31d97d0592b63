-- What an operator has to put there before an effect can be sent, by the code of its last error: `secret`, `key`; NULL for every other error.
CREATE OR REPLACE FUNCTION holdfast.lacked_by_effect(error text) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT substring(error FROM '^(secret|key)_missing:')
$$;
GRANT EXECUTE ON FUNCTION holdfast.lacked_by_effect TO holdfast_app, holdfast_worker;
