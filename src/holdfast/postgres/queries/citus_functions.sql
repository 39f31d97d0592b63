-- The functions that are other ones on servers with the extension citus.

-- name: enter_tenant
-- Tells the nodes too, on which row-level security is enforced. By a function, because Citus passes on what it finds in the
-- text of a statement: in that of a transaction's opening, the role as well.
CREATE OR REPLACE FUNCTION holdfast.enter_tenant(wanted uuid) RETURNS uuid
LANGUAGE plpgsql SET citus.propagate_set_commands = 'local' AS $$
BEGIN
  EXECUTE format('SET LOCAL holdfast.tenant = %L', wanted);
  RETURN wanted;
END
$$

-- name: data_set
-- Citus lets no sequence be used in an UPDATE. So the key is locked first and the number taken then: as late as elsewhere, so
-- that of two writes of a key the later one has the higher revision.
CREATE OR REPLACE FUNCTION holdfast.data_set(
  own uuid, in_namespace text, in_key text, new_id uuid, new_value text, new_type text, lives interval, expected bigint,
  checked bigint, actor text, origin jsonb, step text, at timestamptz,
  OUT status text, OUT new_revision bigint, OUT created boolean, OUT known_revision bigint, OUT note text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  known holdfast.workflow_data_store;
  new_size integer := octet_length(new_value);
  counted boolean;
  fresh bigint;
  object uuid;
BEGIN
  PERFORM holdfast.require_tenant(own);
  rule := holdfast.data_rule(own, in_namespace, new_size, actor, at);
  IF coalesce(rule.schema_version, 0) <> checked THEN
    status := 'schema';
    known_revision := coalesce(rule.schema_version, 0);
    note := rule.json_schema::text;
    RETURN;
  END IF;
  counted := rule.max_keys IS NOT NULL OR rule.max_bytes IS NOT NULL;
  WHILE new_revision IS NULL LOOP
    SELECT * INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key FOR UPDATE;
    known_revision := CASE WHEN known.expires_at <= at THEN 0 ELSE coalesce(known.revision, 0) END;
    IF expected <> known_revision THEN
      status := 'conflict';
      RETURN;
    END IF;
    created := known_revision = 0;
    IF counted THEN
      SELECT c.refused, c.notice INTO status, note FROM holdfast.data_charge(
        own, in_namespace, (known.store_id IS NULL)::integer, new_size - coalesce(known.size, 0), actor, at) c;
      IF status IS NOT NULL THEN
        RETURN;
      END IF;
    END IF;
    fresh := nextval('holdfast.data_revision');
    IF known.store_id IS NOT NULL THEN
      UPDATE holdfast.workflow_data_store s
        SET value = new_value::jsonb, value_type = new_type, revision = fresh, expires_at = at + lives, size = new_size,
            updated_at = at,
            store_id = CASE WHEN created THEN new_id ELSE s.store_id END,
            created_at = CASE WHEN created THEN at ELSE s.created_at END,
            created_by_run_id = CASE WHEN created THEN coalesce(origin ->> 'run_id', origin ->> 'instance_id')::uuid
                                     ELSE s.created_by_run_id END
        WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key
        RETURNING s.revision, s.store_id INTO new_revision, object;
    ELSE
      INSERT INTO holdfast.workflow_data_store AS s
        (tenant, store_id, namespace, key, value, value_type, revision, expires_at, size, created_by_run_id, created_at,
         updated_at)
        VALUES (own, new_id, in_namespace, in_key, new_value::jsonb, new_type, fresh, at + lives, new_size,
                coalesce(origin ->> 'run_id', origin ->> 'instance_id')::uuid, at, at)
        ON CONFLICT DO NOTHING
        RETURNING s.revision, s.store_id INTO new_revision, object;
      IF new_revision IS NULL AND counted THEN
        PERFORM holdfast.data_charge(own, in_namespace, -1, -new_size, actor, at);
      END IF;
    END IF;
  END LOOP;
  status := 'done';
  known_revision := NULL;
  PERFORM holdfast.data_tell(
    own, in_namespace, in_key, 'set', new_revision, object, jsonb_build_object('created', created), actor, origin, step, at);
END
$$

-- name: data_increment
-- The same.
CREATE OR REPLACE FUNCTION holdfast.data_increment(
  own uuid, in_namespace text, in_key text, new_id uuid, by numeric, initial numeric, lives interval, checked bigint,
  allowed numeric, actor text, origin jsonb, step text, at timestamptz,
  OUT status text, OUT new_revision bigint, OUT new_value text, OUT created boolean, OUT known_revision bigint, OUT note text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  known holdfast.workflow_data_store;
  made record;
BEGIN
  PERFORM holdfast.require_tenant(own);
  rule := holdfast.data_rule(own, in_namespace, 0, actor, at);
  IF coalesce(rule.schema_version, 0) <> checked OR (rule.json_schema IS NOT NULL AND allowed IS NULL) THEN
    status := 'schema';
    known_revision := coalesce(rule.schema_version, 0);
    note := rule.json_schema::text;
    RETURN;
  END IF;
  LOOP
    SELECT * INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key AND (s.expires_at IS NULL OR s.expires_at > at)
      FOR UPDATE;
    created := known.store_id IS NULL;
    IF NOT created AND jsonb_typeof(known.value) <> 'number' THEN
      status := 'not_a_number';
      note := jsonb_typeof(known.value);
      RETURN;
    END IF;
    new_value := trim_scale(CASE WHEN created THEN initial ELSE known.value::numeric END + by)::text;
    IF NOT holdfast.data_fits(new_value::numeric) THEN
      status := 'too_long';
      RETURN;
    END IF;
    IF new_value::numeric <> allowed THEN
      status := 'conflict';
      RETURN;
    END IF;
    IF created THEN
      SELECT * INTO made FROM holdfast.data_set(
        own, in_namespace, in_key, new_id, new_value, 'number', lives, 0, checked, actor, origin, step, at);
      -- Somebody else made it at this moment: add to theirs.
      CONTINUE WHEN made.status = 'conflict';
      status := made.status;
      new_revision := made.new_revision;
      known_revision := made.known_revision;
      note := made.note;
      RETURN;
    END IF;
    status := 'done';
    new_revision := nextval('holdfast.data_revision');
    UPDATE holdfast.workflow_data_store s
      SET value = new_value::jsonb, value_type = 'number', revision = new_revision, size = octet_length(new_value),
          updated_at = at
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key;
    PERFORM holdfast.data_tell(own, in_namespace, in_key, 'set', new_revision, known.store_id, '{"created": false}', actor,
                               origin, step, at);
    RETURN;
  END LOOP;
END
$$
