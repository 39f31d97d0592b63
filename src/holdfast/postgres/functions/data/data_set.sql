-- `status` of an answer: done, or why nothing was written: conflict (known_revision is what there is, 0 for nothing),
-- schema (the caller checked the value against another version than known_revision, whose text is `note`), keys or bytes
-- (the quota, in `note`), not_a_number. With done, `note` is a warning.
CREATE OR REPLACE FUNCTION holdfast.data_set(
  own uuid, in_namespace text, in_key text, new_id uuid, new_value text, new_type text, lives interval, expected bigint,
  checked bigint, actor text, origin jsonb, step text, at timestamptz,
  OUT status text, OUT new_revision bigint, OUT created boolean, OUT known_revision bigint, OUT note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  known holdfast.workflow_data_store;
  new_size integer := octet_length(new_value);
  counted boolean;
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
  created := false;
  status := 'done';
  IF NOT counted AND expected IS DISTINCT FROM 0 THEN
    -- The short way: the key is there, and nobody counts.
    UPDATE holdfast.workflow_data_store s
      SET value = new_value::jsonb, value_type = new_type, revision = nextval('holdfast.data_revision'),
          expires_at = at + lives, size = new_size, updated_at = at
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key
        AND (s.expires_at IS NULL OR s.expires_at > at) AND (expected IS NULL OR s.revision = expected)
      RETURNING s.revision, s.store_id INTO new_revision, object;
  END IF;
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
      status := 'done';
    END IF;
    IF known.store_id IS NOT NULL THEN
      UPDATE holdfast.workflow_data_store s
        SET value = new_value::jsonb, value_type = new_type, revision = nextval('holdfast.data_revision'),
            expires_at = at + lives, size = new_size, updated_at = at,
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
        VALUES (own, new_id, in_namespace, in_key, new_value::jsonb, new_type, nextval('holdfast.data_revision'), at + lives,
                new_size, coalesce(origin ->> 'run_id', origin ->> 'instance_id')::uuid, at, at)
        -- Somebody else makes it at this moment: having waited for them, look again.
        ON CONFLICT DO NOTHING
        RETURNING s.revision, s.store_id INTO new_revision, object;
      IF new_revision IS NULL AND counted THEN
        PERFORM holdfast.data_charge(own, in_namespace, -1, -new_size, actor, at);
      END IF;
    END IF;
  END LOOP;
  known_revision := NULL;
  PERFORM holdfast.data_tell(
    own, in_namespace, in_key, 'set', new_revision, object, jsonb_build_object('created', created), actor, origin, step, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_set TO holdfast_app;
