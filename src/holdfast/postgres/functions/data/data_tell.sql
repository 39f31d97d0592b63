-- Writes down what happened to a key: for those who follow, and for the audit trail. The number is taken here, while the
-- key is locked, so the changes of one key are numbered in the order in which they happen.
CREATE OR REPLACE FUNCTION holdfast.data_tell(
  own uuid, in_namespace text, in_key text, what text, at_revision bigint, object uuid, facts jsonb, actor text, origin jsonb,
  step text, at timestamptz) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  number bigint := nextval('holdfast.workflow_event_id');
BEGIN
  INSERT INTO holdfast.workflow_data_change (tenant, namespace, xid, seen, id, op, key, revision, created_at)
    VALUES (own, in_namespace, pg_current_xact_id(), pg_current_snapshot(), number, what, in_key, at_revision, at);
  INSERT INTO holdfast.workflow_event_plain (tenant, object_kind, object_id, id, event_type, actor, step_id, data, created_at)
    VALUES (own, 'data', object, number, 'data.' || what, data_tell.actor, step,
            jsonb_build_object('namespace', in_namespace, 'key', in_key, 'revision', at_revision) || facts || origin, at);
  PERFORM holdfast.data_wake(own, in_namespace);
END
$$;
