CREATE OR REPLACE FUNCTION holdfast.data_recount(own uuid, in_namespace text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM holdfast.workflow_data_namespace n
    WHERE n.tenant = own AND n.namespace = in_namespace FOR UPDATE;
  UPDATE holdfast.workflow_data_namespace n SET keys = s.keys, bytes = s.bytes
    FROM (SELECT count(*) AS keys, coalesce(sum(d.size), 0) AS bytes FROM holdfast.workflow_data_store d
          WHERE d.tenant = own AND d.namespace = in_namespace) s
    WHERE n.tenant = own AND n.namespace = in_namespace;
END
$$;
