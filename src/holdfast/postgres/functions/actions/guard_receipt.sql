-- What is recorded stays: an answer is given once.
CREATE OR REPLACE FUNCTION holdfast.guard_receipt() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the receipt of % is already written', OLD.idempotency_key USING ERRCODE = 'HF001';
END
$$;
