CREATE OR REPLACE FUNCTION holdfast.restrict_step_execution_updates() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'step %: what it is and what it was given never change', OLD.id
    USING ERRCODE = 'HF001', HINT = 'only its status and its evidence may change, while it is open';
END
$$;
