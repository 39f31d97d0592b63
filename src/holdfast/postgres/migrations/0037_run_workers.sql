-- Which types of runs somebody executes.
--
-- Model
--   run_worker       one row a worker that is running: the types it handles with how often it tries each, the prefixes it
--                    takes. Of the whole installation, not of one tenant: workers serve all of them.
--   announce_worker  a worker says that it is there; it does so every so often
--   withdraw_worker  a worker says that it stops
--   handled_types    of some types, those that a worker which was heard of lately executes
--
-- It is what people are told, never what a claim depends on: a worker that cannot announce itself works all the same.

CREATE TABLE holdfast.run_worker (
  worker_id  uuid PRIMARY KEY,
  name       text NOT NULL CHECK (length(name) BETWEEN 1 AND 256),
  types      text[] COLLATE "C" NOT NULL,
  attempts   integer[] NOT NULL CHECK (cardinality(attempts) = cardinality(types)),
  prefixes   text[] COLLATE "C" NOT NULL,
  seen_at    timestamptz NOT NULL
);

CREATE FUNCTION holdfast.announce_worker(
  worker uuid, worker_name text, handled text[], tries integer[], taken text[], at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  INSERT INTO holdfast.run_worker (worker_id, name, types, attempts, prefixes, seen_at)
    VALUES (worker, worker_name, handled, tries, taken, at)
    ON CONFLICT (worker_id) DO UPDATE SET seen_at = excluded.seen_at;
  -- Those that were killed have said nothing.
  DELETE FROM holdfast.run_worker w WHERE w.seen_at < at - interval '1 day';
END
$$;

CREATE FUNCTION holdfast.withdraw_worker(worker uuid) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  DELETE FROM holdfast.run_worker w WHERE w.worker_id = worker;
END
$$;

-- Without attempts where only a prefix says that somebody takes the type.
CREATE FUNCTION holdfast.handled_types(wanted text[], at timestamptz) RETURNS TABLE (type text, attempts integer)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT one.type, max(w.attempts[array_position(w.types, one.type)])
    FROM unnest(wanted) AS one(type) JOIN holdfast.run_worker w
      ON one.type = ANY (w.types) OR EXISTS (SELECT FROM unnest(w.prefixes) p WHERE starts_with(one.type, p))
    WHERE w.seen_at > at - interval '1 minute'
    GROUP BY one.type;
END
$$;

GRANT EXECUTE ON FUNCTION holdfast.announce_worker(uuid, text, text[], integer[], text[], timestamptz),
  holdfast.withdraw_worker(uuid) TO holdfast_worker;
GRANT EXECUTE ON FUNCTION holdfast.handled_types(text[], timestamptz) TO holdfast_app;
