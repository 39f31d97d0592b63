-- The rules of a namespace, locked when it has quotas. Makes room first when there is little: keys that are no longer there
-- must not stand in the way.
CREATE OR REPLACE FUNCTION holdfast.data_rule(own uuid, in_namespace text, more_bytes integer, actor text, at timestamptz)
RETURNS holdfast.workflow_data_namespace
LANGUAGE plpgsql AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
BEGIN
  SELECT * INTO rule FROM holdfast.workflow_data_namespace n WHERE n.tenant = own AND n.namespace = in_namespace;
  IF rule.max_keys IS NOT NULL OR rule.max_bytes IS NOT NULL THEN
    SELECT * INTO rule FROM holdfast.workflow_data_namespace n
      WHERE n.tenant = own AND n.namespace = in_namespace FOR UPDATE;
    IF rule.keys >= rule.max_keys OR rule.bytes + more_bytes > rule.max_bytes THEN
      PERFORM holdfast.data_sweep_tenant(own, in_namespace, 10000, actor, at);
    END IF;
  END IF;
  RETURN rule;
END
$$;
