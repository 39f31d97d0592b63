-- Actions: the verbs that processes, programs, people and agents share.
--
-- Model
--   workflow_action_receipt  what a call with an idempotency key answered; the same call again gets the same answer
--   workflow_event           of kind action: one line for every call
--
-- The receipt is written before the action, in its transaction: two calls with one key queue here, and the second finds
-- what the first answered, or nothing when the first was undone.

SELECT holdfast.add_event_kind('action', chained => false);

CREATE TABLE holdfast.workflow_action_receipt (
  tenant           uuid NOT NULL,
  idempotency_key  text COLLATE "C" NOT NULL CHECK (length(idempotency_key) BETWEEN 1 AND 512),
  action           text COLLATE "C" NOT NULL CHECK (length(action) BETWEEN 1 AND 256),
  fingerprint      bytea NOT NULL CHECK (octet_length(fingerprint) = 32),
  call_id          uuid NOT NULL,
  output           jsonb,
  created_at       timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant, idempotency_key)
);
CREATE INDEX workflow_action_receipt_age ON holdfast.workflow_action_receipt (tenant, created_at);
SELECT holdfast.protect_tenant_table('holdfast.workflow_action_receipt');

-- What is recorded stays: an answer is given once.
CREATE FUNCTION holdfast.guard_receipt() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the receipt of % is already written', OLD.idempotency_key USING ERRCODE = 'HF001';
END
$$;
CREATE TRIGGER guard BEFORE UPDATE ON holdfast.workflow_action_receipt FOR EACH ROW
  WHEN (OLD.output IS NOT NULL) EXECUTE FUNCTION holdfast.guard_receipt();

CREATE FUNCTION holdfast.drop_receipts(before timestamptz) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  gone bigint;
BEGIN
  DELETE FROM holdfast.workflow_action_receipt r USING holdfast.tenants t
    WHERE r.tenant = t.tenant AND r.created_at < before;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END
$$;

GRANT SELECT, INSERT, UPDATE (output) ON holdfast.workflow_action_receipt TO holdfast_app;
GRANT EXECUTE ON FUNCTION holdfast.drop_receipts(timestamptz) TO holdfast_worker;

SELECT holdfast.create_partitions(now(), 3);
