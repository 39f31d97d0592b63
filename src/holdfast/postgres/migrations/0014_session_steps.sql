-- Steps of processes that wait for a session.
--
-- Model
--   workflow_session_wait  which step of which instance waits for a session
--
-- A step starts its session and writes its row here in one transaction. When the session ends, however it ends, the event that
-- lets the process go on is written in the transaction that ends it, and the row is gone. A session nobody waits for costs one
-- look at the primary key.

CREATE TABLE holdfast.workflow_session_wait (
  tenant          uuid NOT NULL,
  session_id      uuid NOT NULL,
  instance_id     uuid NOT NULL,
  token_id        text NOT NULL,
  step_key        text COLLATE "C" NOT NULL CHECK (step_key ~ '^[0-9a-f]{64}$'),
  entity_version  integer NOT NULL,
  PRIMARY KEY (tenant, session_id)
);
CREATE UNIQUE INDEX workflow_session_wait_step ON holdfast.workflow_session_wait (tenant, step_key);
CREATE INDEX workflow_session_wait_instance ON holdfast.workflow_session_wait (tenant, instance_id);
SELECT holdfast.protect_tenant_table('holdfast.workflow_session_wait');

CREATE FUNCTION holdfast.session_ended() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  wait holdfast.workflow_session_wait;
  mark text;
BEGIN
  DELETE FROM holdfast.workflow_session_wait w WHERE w.tenant = NEW.tenant AND w.session_id = NEW.id RETURNING w.* INTO wait;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  mark := encode(sha256(convert_to(
    format('["%s","session_finished","%s","%s"]', wait.instance_id, NEW.id, wait.step_key), 'UTF8')), 'hex');
  INSERT INTO holdfast.workflow_outbox_receipts (tenant, instance_id, source_table, event_idempotency_key, created_at)
    VALUES (NEW.tenant, wait.instance_id, 'events', mark, NEW.completed_at);
  INSERT INTO holdfast.workflow_events_outbox
    (tenant, created_at, id, instance_id, entity_version, event_type, payload_json, event_idempotency_key, actor, next_retry_at)
    VALUES (NEW.tenant, NEW.completed_at, gen_random_uuid(), wait.instance_id, wait.entity_version, 'session_finished',
            jsonb_build_object('key', wait.step_key, 'session_id', NEW.id, 'token', wait.token_id), mark,
            '{"kind": "system", "name": "process"}', NEW.completed_at);
  PERFORM pg_notify('holdfast_processes', NEW.tenant::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER ended AFTER UPDATE ON holdfast.workflow_sessions FOR EACH ROW
  WHEN (OLD.status <> NEW.status AND NEW.status IN ('completed', 'failed')) EXECUTE FUNCTION holdfast.session_ended();

GRANT SELECT, INSERT ON holdfast.workflow_session_wait TO holdfast_app;
