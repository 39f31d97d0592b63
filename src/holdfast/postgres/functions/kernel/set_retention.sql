-- Says how long months of a branch are kept from now on; NULL is for ever. For the owner alone: who drops months does not say which.
CREATE OR REPLACE FUNCTION holdfast.set_retention(of_branch text, new_days integer) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  IF new_days IS DISTINCT FROM (
    SELECT r.days FROM holdfast.retention r WHERE r.branch = of_branch ORDER BY r.since DESC LIMIT 1) THEN
    INSERT INTO holdfast.retention (branch, days) VALUES (of_branch, new_days);
  END IF;
END
$$;
