-- Where the tenant wants four eyes on publishing, one person proposes a draft and another publishes it, who neither proposed nor wrote any of
-- it. Patches that were published before, word for word, may be compiled again; trusted code does as it is told.
CREATE OR REPLACE FUNCTION holdfast.guard_publication() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  IF starts_with(NEW.published_by, 'system:')
     OR NOT EXISTS (SELECT FROM holdfast.tenants t
                    WHERE t.tenant = NEW.tenant AND t.settings -> 'four_eyes_on_publishing' = 'true')
     OR EXISTS (SELECT FROM holdfast.workflow_definitions d
                WHERE d.tenant = NEW.tenant AND d.entity_type = NEW.entity_type AND d.definition_kind = 'org_patch'
                  AND d.status <> 'draft' AND d.body_patches_json = NEW.body_patches_json AND d.base_ref = NEW.base_ref) THEN
    RETURN NEW;
  END IF;
  IF OLD.proposed_by IS NULL THEN
    RAISE EXCEPTION 'nobody has proposed this draft as it is' USING ERRCODE = 'HF001', HINT = 'propose it; another person publishes it';
  END IF;
  IF NEW.published_by = OLD.proposed_by OR NEW.published_by = OLD.created_by OR NEW.published_by = ANY (OLD.editors) THEN
    RAISE EXCEPTION '% wrote or proposed this draft and cannot publish it', NEW.published_by
      USING ERRCODE = 'HF002', HINT = 'somebody else has to (four eyes)';
  END IF;
  RETURN NEW;
END
$$;
