-- Sets many keys or none. The answer is that of the first that could not be set, or one row for each.
CREATE OR REPLACE FUNCTION holdfast.data_set_many(
  own uuid, in_namespace text, in_keys text[], new_ids uuid[], new_values text[], new_types text[], lives interval[],
  expected bigint[], checked bigint, actor text, origin jsonb, step text, at timestamptz)
RETURNS TABLE (set_key text, status text, new_revision bigint, created boolean, known_revision bigint, note text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  item record;
  made record;
BEGIN
  BEGIN
    FOR item IN
      SELECT n.* FROM unnest(in_keys, new_ids, new_values, new_types, lives, expected)
        n (key, id, value, type, lives, expected) ORDER BY n.key COLLATE "C"
    LOOP
      SELECT * INTO made FROM holdfast.data_set(own, in_namespace, item.key, item.id, item.value, item.type, item.lives,
                                                item.expected, checked, actor, origin, step, at);
      set_key := item.key;
      status := made.status;
      new_revision := made.new_revision;
      created := made.created;
      known_revision := made.known_revision;
      note := made.note;
      IF status <> 'done' THEN
        RAISE EXCEPTION USING ERRCODE = 'HF100'; -- undoes what this block has written so far
      END IF;
      RETURN NEXT;
    END LOOP;
  EXCEPTION WHEN SQLSTATE 'HF100' THEN
    RETURN NEXT;
  END;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.data_set_many TO holdfast_app;
