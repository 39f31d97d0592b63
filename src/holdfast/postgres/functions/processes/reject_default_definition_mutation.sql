CREATE OR REPLACE FUNCTION holdfast.reject_default_definition_mutation() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the skeleton of %, version %, cannot be changed', OLD.entity_type, OLD.version
    USING ERRCODE = 'HF001', HINT = 'register the contract with a higher version';
END
$$;
