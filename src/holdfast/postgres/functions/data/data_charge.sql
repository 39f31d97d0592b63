-- Takes room in a namespace with quotas, whose rule the caller has locked. Refuses growth beyond a quota; tells of 80 %,
-- once in the audit trail and in every answer.
CREATE OR REPLACE FUNCTION holdfast.data_charge(
  own uuid, in_namespace text, more_keys integer, more_bytes bigint, actor text, at timestamptz,
  OUT refused text, OUT notice text)
LANGUAGE plpgsql AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  filled numeric;
BEGIN
  SELECT * INTO rule FROM holdfast.workflow_data_namespace n
    WHERE n.tenant = own AND n.namespace = in_namespace FOR UPDATE;
  rule.keys := rule.keys + more_keys;
  rule.bytes := rule.bytes + more_bytes;
  refused := CASE WHEN more_keys > 0 AND rule.keys > rule.max_keys THEN 'keys'
                  WHEN more_bytes > 0 AND rule.bytes > rule.max_bytes THEN 'bytes' END;
  IF refused IS NOT NULL THEN
    notice := CASE refused WHEN 'keys' THEN rule.max_keys ELSE rule.max_bytes END;
    RETURN;
  END IF;
  filled := greatest(coalesce(rule.keys::numeric / rule.max_keys, 0), coalesce(rule.bytes::numeric / rule.max_bytes, 0));
  IF filled >= 0.8 THEN
    notice := format('the namespace is %s %% full: %s keys of %s, %s bytes of %s', floor(filled * 100), rule.keys,
                     coalesce(rule.max_keys::text, 'any number'), rule.bytes, coalesce(rule.max_bytes::text, 'any number'));
    IF rule.warned_at IS NULL AND (more_keys > 0 OR more_bytes > 0) THEN
      rule.warned_at := at;
      INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, event_type, actor, data, created_at)
        VALUES (own, 'data', rule.namespace_id, 'data.quota_warning', data_charge.actor,
                jsonb_build_object('namespace', in_namespace, 'keys', rule.keys, 'max_keys', rule.max_keys,
                                   'bytes', rule.bytes, 'max_bytes', rule.max_bytes), at);
    END IF;
  ELSE
    rule.warned_at := NULL;
  END IF;
  UPDATE holdfast.workflow_data_namespace n SET keys = rule.keys, bytes = rule.bytes, warned_at = rule.warned_at
    WHERE n.tenant = own AND n.namespace = in_namespace;
END
$$;
