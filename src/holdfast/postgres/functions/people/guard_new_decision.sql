-- With the settings of `record_decisions`, which has set them for all of its statements.
CREATE OR REPLACE FUNCTION holdfast.guard_new_decision() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  asked holdfast.approval_requests;
  alive text;
  broken text := CASE
    WHEN NEW.decision NOT IN ('approved', 'rejected', 'returned', 'abstained', 'answered') THEN 'decision'
    WHEN length(NEW.decided_by) NOT BETWEEN 1 AND 255 THEN 'decided_by'
    WHEN length(NEW.seat) NOT BETWEEN 1 AND 255 THEN 'seat'
    WHEN length(NEW.reason) > 10000
      OR NEW.decision IN ('rejected', 'returned') AND (NEW.reason IS NULL OR btrim(NEW.reason) = '') THEN 'reason'
    WHEN (NEW.decision = 'abstained') <> (NEW.outcome IS NULL) THEN 'outcome'
  END;
BEGIN
  IF broken IS NOT NULL THEN
    PERFORM holdfast.broken_rule('approval_decisions', 'approval_decisions_' || broken);
  END IF;
  SELECT * INTO asked FROM holdfast.approval_requests r
    WHERE r.tenant = NEW.tenant AND r.id = NEW.request_id FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'there is no request %', NEW.request_id USING ERRCODE = 'foreign_key_violation';
  END IF;
  IF asked.status <> 'open' THEN
    RAISE EXCEPTION 'the request is closed: it is %', asked.status
      USING ERRCODE = 'HF001', HINT = 'somebody was faster, or it was withdrawn';
  END IF;
  IF ROW (NEW.instance_id, NEW.step_key, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.compiled_hash)
     IS DISTINCT FROM ROW (asked.instance_id, asked.step_key, asked.entity_id, asked.entity_version, asked.content_hash,
                           asked.compiled_hash) THEN
    RAISE EXCEPTION 'the decision is on version %, the request is about version %', NEW.entity_version, asked.entity_version
      USING ERRCODE = 'HF003', HINT = 'read the document again and decide on what it has become';
  END IF;
  IF NOT holdfast.still_stands(NEW.tenant, NEW.entity_id, NEW.entity_version, NEW.content_hash, NEW.instance_id) THEN
    RAISE EXCEPTION 'the document has changed since version %', NEW.entity_version
      USING ERRCODE = 'HF003', HINT = 'read the document again and decide on what it has become';
  END IF;
  SELECT i.status INTO alive FROM holdfast.workflow_instances i WHERE i.tenant = NEW.tenant AND i.id = NEW.instance_id;
  IF alive IS NULL OR alive NOT IN ('running', 'paused') THEN
    RAISE EXCEPTION 'the process is over: it is %', coalesce(alive, 'gone') USING ERRCODE = 'HF001';
  END IF;
  IF EXISTS (SELECT FROM holdfast.users u WHERE u.tenant = NEW.tenant AND u.name IN (NEW.decided_by, NEW.seat)
               AND u.kind <> 'user') THEN
    RAISE EXCEPTION 'programs do not decide in people''s place' USING ERRCODE = 'HF002', HINT = 'a person has to';
  END IF;
  IF asked.four_eyes AND (asked.requester IN (NEW.decided_by, NEW.seat) OR asked.makers && ARRAY[NEW.decided_by, NEW.seat]) THEN
    RAISE EXCEPTION '% made, edited or submitted this and cannot decide on it',
      CASE WHEN NEW.decided_by = asked.requester OR NEW.decided_by = ANY (asked.makers) THEN NEW.decided_by ELSE NEW.seat END
      USING ERRCODE = 'HF002', HINT = 'somebody else has to (four eyes)';
  END IF;
  IF asked.branches IS NOT NULL AND holdfast.seat_taken(
    NEW.tenant, NEW.instance_id, NEW.request_id, asked.branches, asked.in_parallel, ARRAY[NEW.decided_by, NEW.seat]) THEN
    RAISE EXCEPTION '% has decided on a parallel approval of this already', NEW.decided_by
      USING ERRCODE = 'HF002', HINT = 'somebody else has to; both steps can allow it with may_decide_in_parallel';
  END IF;
  IF NEW.seat <> NEW.decided_by THEN
    IF asked.requester IN (NEW.decided_by, NEW.seat) OR asked.makers && ARRAY[NEW.decided_by, NEW.seat] THEN
      RAISE EXCEPTION 'nobody decides for another in a matter of their own' USING ERRCODE = 'HF002';
    END IF;
    IF NOT asked.may_delegate OR NOT EXISTS (
      SELECT FROM holdfast.approval_delegations g
      WHERE g.tenant = NEW.tenant AND g.delegate = NEW.decided_by AND g.delegator = NEW.seat AND g.revoked_at IS NULL
        AND NEW.decided_at >= g.starts_at AND NEW.decided_at < g.ends_at
        AND (g.entity_type IS NULL OR g.entity_type = asked.entity_type)) THEN
      RAISE EXCEPTION '% does not decide for %', NEW.decided_by, NEW.seat
        USING ERRCODE = 'HF002', HINT = 'a delegation that is in force is needed';
    END IF;
  END IF;
  -- First by name, and only then by role: beginning a statement takes the longer, the more there is in it.
  IF NOT EXISTS (
    SELECT FROM holdfast.approval_assignees a
    WHERE a.tenant = NEW.tenant AND a.request_id = NEW.request_id AND a.is_open IS NOT FALSE -- not by the index of inboxes
      AND a.principal IN ('anyone', 'user:' || NEW.seat)) THEN
    IF NOT EXISTS (
      SELECT FROM holdfast.approval_assignees a
      WHERE a.tenant = NEW.tenant AND a.request_id = NEW.request_id AND a.is_open IS NOT FALSE
        AND starts_with(a.principal, 'role:') AND EXISTS (
          SELECT FROM holdfast.users u
          JOIN holdfast.user_roles h ON h.tenant = u.tenant AND h.user_id = u.user_id
          WHERE u.tenant = NEW.tenant AND u.name = NEW.seat AND h.role = substr(a.principal, 6))) THEN
      RAISE EXCEPTION '% is not asked', NEW.seat USING ERRCODE = 'HF002', HINT = 'only those who are asked decide';
    END IF;
  END IF;
  IF asked.claimed_by IS NOT NULL AND asked.claimed_by NOT IN (NEW.decided_by, NEW.seat) THEN
    RAISE EXCEPTION '% is at it', asked.claimed_by USING ERRCODE = 'HF001', HINT = 'ask them to release it';
  END IF;
  IF NEW.applied OR NEW.applied_at IS NOT NULL OR NEW.applied_by IS NOT NULL OR NEW.voided_at IS NOT NULL
     OR NEW.changed_fields IS NOT NULL THEN
    RAISE EXCEPTION 'a new decision is neither applied nor void' USING ERRCODE = 'HF001';
  END IF;
  RETURN NEW;
END
$$;
