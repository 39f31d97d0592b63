CREATE OR REPLACE FUNCTION holdfast.refuse_change_of_finished() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the session % is %', OLD.session_name, OLD.status
    USING ERRCODE = 'HF001', HINT = 'a finished session stays as it is; start or fork a new one';
END
$$;
