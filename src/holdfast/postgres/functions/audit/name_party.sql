-- Puts into an event which token its actor used, who made that, and on whose behalf, as the transaction has said it: the setting
-- holdfast.party holds that for each of those who act in it, by name. Into `data`, so that the hash of a chain covers it.
CREATE OR REPLACE FUNCTION holdfast.name_party() RETURNS trigger
LANGUAGE plpgsql AS $$
DECLARE
  party jsonb := current_setting('holdfast.party')::jsonb -> NEW.actor;
BEGIN
  IF party IS NOT NULL THEN
    NEW.data := NEW.data || jsonb_build_object('party', party);
  END IF;
  RETURN NEW;
END
$$;
