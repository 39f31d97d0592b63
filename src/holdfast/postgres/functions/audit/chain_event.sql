-- Gives an event its place in the object's chain, once it is sound: who acts through which token is told, and its time is the database's.
-- The head row's lock makes concurrent writers queue, so no two events of one object can have the same number or the same predecessor. One
-- statement takes it and moves it on: the head keeps the hash it had before, which the new event names.
CREATE OR REPLACE FUNCTION holdfast.chain_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  party jsonb;
  front text;
  rest text;
  broken text := CASE
    WHEN NEW.object_kind NOT IN ('access', 'definition', 'document', 'instance') THEN 'object_kind'
    WHEN length(NEW.event_type) NOT BETWEEN 1 AND 128 THEN 'event_type'
    WHEN length(NEW.actor) NOT BETWEEN 1 AND 300 THEN 'actor'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    PERFORM holdfast.broken_rule('workflow_event_chained', 'workflow_event_chained_' || broken);
  END IF;
  IF NEW.created_at <> now() THEN
    PERFORM holdfast.trusted_time(NEW.created_at);
  END IF;
  IF current_setting('holdfast.party', true) <> '' THEN
    party := current_setting('holdfast.party')::jsonb -> NEW.actor;
    IF party IS NOT NULL THEN
      -- As `name_party` does for events without a chain. Into `data`, so that the hash covers it.
      NEW.data := NEW.data || jsonb_build_object('party', party);
    END IF;
  END IF;
  -- Each field as `measured` writes it, and turned into bytes together.
  front := '36:' || NEW.tenant || octet_length(NEW.object_kind) || ':' || NEW.object_kind || '36:' || NEW.object_id;
  rest := holdfast.sized(NEW.event_type) || holdfast.sized(NEW.actor) || holdfast.sized(coalesce(NEW.step_id, ''))
    || holdfast.sized(coalesce(NEW.trace_id, '')) || holdfast.sized((extract(epoch FROM NEW.created_at) * 1000000)::bigint::text)
    || holdfast.sized(NEW.data::text);
  LOOP
    UPDATE holdfast.audit_head h
      SET seq = h.seq + 1, prev_hash = h.hash, moved_at = NEW.created_at,
          hash = sha256(h.hash || convert_to(front || length((h.seq + 1)::text) || ':' || (h.seq + 1) || rest, 'UTF8'))
      WHERE h.tenant = NEW.tenant AND h.object_kind = NEW.object_kind AND h.object_id = NEW.object_id
      RETURNING h.seq, h.prev_hash, h.hash INTO NEW.seq, NEW.prev_hash, NEW.hash;
    EXIT WHEN FOUND;
    INSERT INTO holdfast.audit_head (tenant, object_kind, object_id, seq, hash)
      VALUES (NEW.tenant, NEW.object_kind, NEW.object_id, 0, '') ON CONFLICT DO NOTHING;
  END LOOP;
  -- Numbered anew under the lock: the events of one object have growing numbers, in which those who follow read them.
  NEW.id := nextval('holdfast.workflow_event_id');
  RETURN NEW;
END
$$;
