-- Which bucket a latency in seconds falls into: 0 below the first bound, 23 from the last one on. The bounds are those of LATENCY_BOUNDS in
-- operate/minutes.py; a test compares them.
CREATE OR REPLACE FUNCTION holdfast.latency_bucket(seconds double precision) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT width_bucket(seconds, ARRAY[
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300, 600, 1800, 3600, 7200, 21600, 86400
  ]::double precision[])
$$;
GRANT EXECUTE ON FUNCTION holdfast.latency_bucket TO holdfast_app;
