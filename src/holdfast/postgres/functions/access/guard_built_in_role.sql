CREATE OR REPLACE FUNCTION holdfast.guard_built_in_role() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  -- Who may grant it is the tenant's to say; what it may do, and what it is called, is not.
  IF OLD.permissions IS NULL AND (TG_OP = 'DELETE'
     OR to_jsonb(NEW) - 'grantable_by' IS DISTINCT FROM to_jsonb(OLD) - 'grantable_by') THEN
    RAISE EXCEPTION 'the role % is built in and cannot be changed', OLD.role
      USING ERRCODE = 'HF001', HINT = 'define a role of your own with the permissions you want';
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;
