CREATE OR REPLACE FUNCTION holdfast.restrict_draft_update() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a draft of % can be edited and published, nothing else', OLD.entity_type
    USING ERRCODE = 'HF001', HINT = 'create a new draft';
END
$$;
