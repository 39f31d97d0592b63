-- For a statement that is a transaction of its own: enters the tenant and answers with it, so that what follows in the
-- same statement can depend on it.
CREATE OR REPLACE FUNCTION holdfast.enter_tenant(wanted uuid) RETURNS uuid
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('holdfast.tenant', wanted::text, true);
  RETURN wanted;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.enter_tenant TO holdfast_worker;
