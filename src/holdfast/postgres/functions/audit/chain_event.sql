-- Gives an event its place in the object's chain. The head row's lock makes concurrent writers queue, so no two
-- events of one object can have the same number or the same predecessor.
CREATE OR REPLACE FUNCTION holdfast.chain_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  head holdfast.audit_head;
BEGIN
  LOOP
    SELECT * INTO head FROM holdfast.audit_head h
      WHERE h.tenant = NEW.tenant AND h.object_kind = NEW.object_kind AND h.object_id = NEW.object_id
      FOR UPDATE;
    EXIT WHEN FOUND;
    INSERT INTO holdfast.audit_head (tenant, object_kind, object_id, seq, hash)
      VALUES (NEW.tenant, NEW.object_kind, NEW.object_id, 0, '') ON CONFLICT DO NOTHING;
  END LOOP;
  -- Numbered anew under the lock: the events of one object have growing numbers, in which those who follow read them.
  NEW.id := nextval('holdfast.workflow_event_id');
  NEW.seq := head.seq + 1;
  NEW.prev_hash := head.hash;
  NEW.hash := sha256(
    NEW.prev_hash
    || holdfast.measured(NEW.tenant::text)
    || holdfast.measured(NEW.object_kind)
    || holdfast.measured(NEW.object_id::text)
    || holdfast.measured(NEW.seq::text)
    || holdfast.measured(NEW.event_type)
    || holdfast.measured(NEW.actor)
    || holdfast.measured(coalesce(NEW.step_id, ''))
    || holdfast.measured(coalesce(NEW.trace_id, ''))
    || holdfast.measured((extract(epoch FROM NEW.created_at) * 1000000)::bigint::text)
    || holdfast.measured(NEW.data::text));
  UPDATE holdfast.audit_head h SET seq = NEW.seq, hash = NEW.hash, moved_at = NEW.created_at
    WHERE h.tenant = NEW.tenant AND h.object_kind = NEW.object_kind AND h.object_id = NEW.object_id;
  RETURN NEW;
END
$$;
