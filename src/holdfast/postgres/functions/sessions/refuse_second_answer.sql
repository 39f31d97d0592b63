CREATE OR REPLACE FUNCTION holdfast.refuse_second_answer() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the prompt % is %', OLD.prompt_id, OLD.status
    USING ERRCODE = 'HF001', HINT = 'a prompt is answered once; read the session again';
END
$$;
