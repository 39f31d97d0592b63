CREATE OR REPLACE FUNCTION holdfast.restrict_status_regression() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%: the status cannot go from % to %', TG_ARGV[0], OLD.status, NEW.status
    USING ERRCODE = 'HF001', HINT = TG_ARGV[1];
END
$$;
COMMENT ON FUNCTION holdfast.restrict_status_regression IS
  'Raises; the WHEN of each trigger says which moves are illegal, so that legal ones cost no call.';
