-- A fire that was dealt with stays dealt with: only a change of the schedule itself may set the cursor anew.
CREATE OR REPLACE FUNCTION holdfast.guard_schedule() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the schedule % has already fired at %', OLD.name, NEW.last_fire_at
    USING ERRCODE = 'HF001', HINT = 'read the schedule again';
END
$$;
