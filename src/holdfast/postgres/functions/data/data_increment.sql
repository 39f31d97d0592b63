-- Adds to a number, exactly. A key that is not there begins with `initial`, and lives as long as `lives` says. In a
-- namespace with a schema the caller must have seen the sum: it is written only if it is `allowed`.
CREATE OR REPLACE FUNCTION holdfast.data_increment(
  own uuid, in_namespace text, in_key text, new_id uuid, by numeric, initial numeric, lives interval, checked bigint,
  allowed numeric, actor text, origin jsonb, step text, at timestamptz,
  OUT status text, OUT new_revision bigint, OUT new_value text, OUT created boolean, OUT known_revision bigint, OUT note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  rule holdfast.workflow_data_namespace;
  object uuid;
  known jsonb;
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
    UPDATE holdfast.workflow_data_store s
      SET value = to_jsonb(trim_scale(s.value::numeric + by)), value_type = 'number',
          revision = nextval('holdfast.data_revision'), size = octet_length(trim_scale(s.value::numeric + by)::text),
          updated_at = at
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key
        AND (s.expires_at IS NULL OR s.expires_at > at) AND jsonb_typeof(s.value) = 'number'
        AND (allowed IS NULL OR s.value::numeric + by = allowed) AND holdfast.data_fits(s.value::numeric + by)
      RETURNING s.revision, s.store_id, s.value::text INTO new_revision, object, new_value;
    IF FOUND THEN
      status := 'done';
      created := false;
      -- A number's few bytes are not worth counting anew each time; the janitor's count has them.
      PERFORM holdfast.data_tell(own, in_namespace, in_key, 'set', new_revision, object,
                                 '{"created": false}', actor, origin, step, at);
      RETURN;
    END IF;
    SELECT s.value INTO known FROM holdfast.workflow_data_store s
      WHERE s.tenant = own AND s.namespace = in_namespace AND s.key = in_key AND (s.expires_at IS NULL OR s.expires_at > at);
    IF jsonb_typeof(known) <> 'number' THEN
      status := 'not_a_number';
      note := jsonb_typeof(known);
      RETURN;
    END IF;
    IF NOT holdfast.data_fits(coalesce(known::numeric, initial) + by) THEN
      status := 'too_long';
      RETURN;
    END IF;
    IF allowed IS NOT NULL AND (known IS NOT NULL OR initial + by <> allowed) THEN
      status := 'conflict';
      RETURN;
    END IF;
    -- Somebody else made it, or made it smaller, since the first look: look again.
    CONTINUE WHEN known IS NOT NULL;
    new_value := trim_scale(initial + by)::text;
    SELECT * INTO made FROM holdfast.data_set(
      own, in_namespace, in_key, new_id, new_value, 'number', lives, 0, checked, actor, origin, step, at);
    -- Somebody else made it at this moment: add to theirs.
    CONTINUE WHEN made.status = 'conflict';
    status := made.status;
    new_revision := made.new_revision;
    created := true;
    known_revision := made.known_revision;
    note := made.note;
    RETURN;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_increment TO holdfast_app;
