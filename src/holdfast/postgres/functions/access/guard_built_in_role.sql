CREATE OR REPLACE FUNCTION holdfast.guard_built_in_role() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.permissions IS NULL THEN
    RAISE EXCEPTION 'the role % is built in and cannot be changed', OLD.role
      USING ERRCODE = 'HF001', HINT = 'define a role of your own with the permissions you want';
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;
