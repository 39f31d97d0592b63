-- Everybody that a few asks name: people who are there (programs are not asked), managers, holders of roles of whom one is
-- picked, some of roles that are asked. Somebody who has handed over for now is not available. And who asks: whoever last chose a
-- transition of the document; and who made it (`makers_of` of the core): wrote a version of it, of what it was amended from, or chose a
-- transition. `except_for` are makers that the caller knows of already.
CREATE OR REPLACE FUNCTION holdfast.find_people(
  users text[], managed text[], picked text[], asked text[], instances uuid[], except_for text[], at timestamptz)
RETURNS TABLE (kind text, of text, name text, available boolean)
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_seqscan = off SET enable_bitmapscan = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  makers integer := cardinality(except_for);
  document uuid;
  chosen text[];
  wrote text[];
BEGIN
  available := true;
  kind := 'user';
  FOREACH of IN ARRAY users LOOP
    SELECT u.name INTO name FROM holdfast.users u WHERE u.tenant = own AND u.name = find_people.of AND u.kind = 'user'
      AND u.deactivated_at IS NULL;
    IF FOUND THEN RETURN NEXT; END IF;
  END LOOP;
  kind := 'manager';
  FOREACH of IN ARRAY managed LOOP
    SELECT u.name INTO name FROM holdfast.org_chart o JOIN holdfast.users u ON u.tenant = o.tenant AND u.name = o.manager
      WHERE o.tenant = own AND o.name = find_people.of AND u.kind = 'user' AND u.deactivated_at IS NULL;
    IF FOUND THEN RETURN NEXT; END IF;
  END LOOP;
  FOREACH of IN ARRAY instances LOOP
    SELECT array_agg(CASE s.origin WHEN 'interrupt' THEN s.actor_user_id ELSE s.settled_by END ORDER BY s.settled_seq DESC)
      INTO chosen FROM holdfast.workflow_step_executions s
      WHERE s.tenant = own AND s.instance_id = find_people.of::uuid
        AND (s.node_type = 'state' AND s.status = 'completed' AND s.settled_by IS NOT NULL OR s.origin = 'interrupt');
    kind := 'requester';
    SELECT u.name INTO name FROM holdfast.users u WHERE u.tenant = own AND u.name = chosen[1];
    IF FOUND THEN RETURN NEXT; END IF;
    kind := 'maker';
    wrote := '{}';
    SELECT i.entity_id INTO document FROM holdfast.workflow_instances i WHERE i.tenant = own AND i.id = find_people.of::uuid;
    WHILE document IS NOT NULL LOOP
      wrote := wrote || ARRAY(
        SELECT substr(v.created_by, 6) FROM holdfast.entity_versions v
        WHERE v.tenant = own AND v.entity_id = document AND starts_with(v.created_by, 'user:')
          AND (v.version = 1 OR v.instance_id IS NULL));
      SELECT e.amended_from_id INTO document FROM holdfast.entities e WHERE e.tenant = own AND e.id = document;
    END LOOP;
    FOR name IN SELECT DISTINCT w FROM unnest(wrote || chosen) w LOOP
      PERFORM FROM holdfast.users u WHERE u.tenant = own AND u.name = find_people.name AND u.kind = 'user';
      IF FOUND THEN
        makers := makers + 1;
        RETURN NEXT;
      END IF;
    END LOOP;
  END LOOP;
  -- One more than there are makers is enough to tell whether there is anybody but them.
  kind := 'some';
  FOREACH of IN ARRAY asked LOOP
    FOR name IN
      SELECT u.name FROM holdfast.user_roles r JOIN holdfast.users u ON u.tenant = r.tenant AND u.user_id = r.user_id
      WHERE r.tenant = own AND r.role = find_people.of AND u.kind = 'user' AND u.deactivated_at IS NULL LIMIT makers + 1
    LOOP
      RETURN NEXT;
    END LOOP;
  END LOOP;
  kind := 'holder';
  FOREACH of IN ARRAY picked LOOP
    FOR name, available IN
      SELECT u.name, NOT EXISTS (
        SELECT FROM holdfast.approval_delegations g
        WHERE g.tenant = own AND g.delegator = u.name AND g.revoked_at IS NULL AND at >= g.starts_at AND at < g.ends_at)
      FROM holdfast.user_roles r JOIN holdfast.users u ON u.tenant = r.tenant AND u.user_id = r.user_id
      WHERE r.tenant = own AND r.role = find_people.of AND u.kind = 'user' AND u.deactivated_at IS NULL
      ORDER BY u.name
    LOOP
      RETURN NEXT;
    END LOOP;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.find_people TO holdfast_app;
