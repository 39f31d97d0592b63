-- A time-ordered id (UUID version 7) for rows that are made here instead of in Python; ordered within a millisecond too.
CREATE OR REPLACE FUNCTION holdfast.time_ordered_id(at timestamptz DEFAULT clock_timestamp()) RETURNS uuid
LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  stamp text := lpad(to_hex((extract(epoch FROM at) * 1000 * 4096)::bigint), 15, '0');
BEGIN
  RETURN (left(stamp, 12) || '7' || right(stamp, 3)
          || substr(replace(gen_random_uuid()::text, '-', ''), 17))::uuid;
END
$$;
