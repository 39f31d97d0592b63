-- Gives its policies to every table that has a column tenant, partitions included, and has none yet. It runs at the end of every
-- migration, so a new table is closed without anybody remembering it. Rows of tenants are what a transaction's tenant may see;
-- functions that act as the owner see all of them.
CREATE OR REPLACE FUNCTION holdfast.protect_tenant_tables() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  target regclass;
BEGIN
  FOR target IN
    SELECT c.oid::regclass FROM pg_class c
    WHERE c.relnamespace = 'holdfast'::regnamespace AND c.relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant' AND NOT a.attisdropped)
      AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = c.oid AND p.polname = 'tenant_isolation')
  LOOP
    PERFORM holdfast.protect_tenant_table(target);
  END LOOP;
END
$$;
