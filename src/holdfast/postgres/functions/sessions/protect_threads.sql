-- Also called after LangGraph''s library has changed its tables, so every step is repeatable.
CREATE OR REPLACE FUNCTION holdfast.protect_threads() RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  target regclass;
BEGIN
  FOR target IN
    SELECT c.oid::regclass FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'thread_id'
    WHERE c.relnamespace = 'holdfast_langgraph'::regnamespace AND c.relkind IN ('r', 'p')
  LOOP
    EXECUTE format('ALTER TABLE %s ENABLE ROW LEVEL SECURITY', target);
    EXECUTE format('ALTER TABLE %s FORCE ROW LEVEL SECURITY', target);
    EXECUTE format('DROP POLICY IF EXISTS tenant_isolation ON %s', target);
    EXECUTE format('DROP POLICY IF EXISTS cross_tenant ON %s', target);
    EXECUTE format(
      'CREATE POLICY tenant_isolation ON %s USING (starts_with(thread_id, (SELECT holdfast.thread_prefix()))) '
      'WITH CHECK (starts_with(thread_id, (SELECT holdfast.thread_prefix())))', target);
    EXECUTE format('CREATE POLICY cross_tenant ON %s TO holdfast_owner USING (true) WITH CHECK (true)', target);
    EXECUTE format('REVOKE ALL ON %s FROM PUBLIC', target);
    EXECUTE format('GRANT SELECT ON %s TO holdfast_app', target);
  END LOOP;
END
$$;
