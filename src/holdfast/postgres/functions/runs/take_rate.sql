-- How many runs of each type may start now, of those wanted, and otherwise after how long one may. Starts are `step` apart
-- on the average; up to `slack` worth of them may come together. A negative wish gives back what was not used.
CREATE OR REPLACE FUNCTION holdfast.take_rate(
  tenants uuid[], types text[], wanted integer[], steps interval[], slacks interval[], at timestamptz)
RETURNS TABLE (place bigint, granted integer, wait interval)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
  one record;
  due timestamptz;
BEGIN
  FOR one IN
    SELECT * FROM unnest(tenants, types, wanted, steps, slacks) WITH ORDINALITY w (tenant, type, want, step, slack, place)
    ORDER BY w.tenant, w.type
  LOOP
    INSERT INTO holdfast.workflow_rate AS r (tenant, type, next_at) VALUES (one.tenant, one.type, at)
      ON CONFLICT (tenant, type) DO UPDATE SET next_at = r.next_at RETURNING r.next_at INTO due;
    IF one.want >= 0 THEN
      due := greatest(due, at);
    END IF;
    place := one.place;
    granted := one.want;
    wait := interval '0';
    IF one.want > 0 THEN
      granted := CASE WHEN due > at + one.slack THEN 0
        ELSE least(one.want, 1 + floor(extract(epoch FROM at + one.slack - due) / extract(epoch FROM one.step))) END;
      IF granted = 0 THEN
        wait := due - one.slack - at;
      END IF;
    END IF;
    UPDATE holdfast.workflow_rate r SET next_at = due + granted * one.step
      WHERE r.tenant = one.tenant AND r.type = one.type;
    RETURN NEXT;
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.take_rate TO holdfast_worker;
