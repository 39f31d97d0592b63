-- Lists, newest first, need no index of their own: ids are made in the order of time, and lead the primary keys.

CREATE OR REPLACE FUNCTION holdfast.refuse_transition() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a run cannot go from % to %', OLD.status, NEW.status
    USING ERRCODE = 'HF001', HINT = 'a finished run stays as it is; enqueue a new one';
END
$$;
