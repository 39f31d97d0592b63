-- Run events are written according to a level: 'all' of them, only 'outcomes', or only 'exceptions' to the happy path.
CREATE OR REPLACE FUNCTION holdfast.wants_event(level text, event text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN event IN ('run.leased', 'run.started') THEN level = 'all'
    WHEN event IN ('run.created', 'run.succeeded') THEN level IN ('all', 'outcomes')
    ELSE true END;
END
$$;
