CREATE OR REPLACE FUNCTION holdfast.restrict_instance_update() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'instance %: what it is about never changes, and its version only grows', OLD.id
    USING ERRCODE = 'HF001', HINT = 'read it again and advance it with the version it has';
END
$$;
