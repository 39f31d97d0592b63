-- When a checkpoint was made; NULL when what it says is no time. Such a one is not old, and disturbs nobody else's.
CREATE OR REPLACE FUNCTION holdfast.checkpoint_time(checkpoint jsonb) RETURNS timestamptz
LANGUAGE plpgsql STABLE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN (checkpoint ->> 'ts')::timestamptz;
EXCEPTION WHEN data_exception THEN
  RETURN NULL;
END
$$;
