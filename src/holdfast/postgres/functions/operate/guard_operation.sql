-- What is finished stays as it is.
CREATE OR REPLACE FUNCTION holdfast.guard_operation() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the operation % is %', OLD.id, OLD.status USING ERRCODE = 'HF001', HINT = 'start another one';
END
$$;
