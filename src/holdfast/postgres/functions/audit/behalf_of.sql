-- What an event says of something that a worker, or the clock, did for somebody who was carried along; nothing for trusted code.
CREATE OR REPLACE FUNCTION holdfast.behalf_of(party jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN party IS NOT NULL THEN
    jsonb_strip_nulls(jsonb_build_object('on_behalf_of', (party ->> 'kind') || ':' || (party ->> 'name'), 'token', party -> 'token'))
  END
$$;
