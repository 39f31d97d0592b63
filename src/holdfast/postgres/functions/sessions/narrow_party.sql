-- Who was carried along, with the rights that somebody else has too: NULL is trusted code, which has all of them.
CREATE OR REPLACE FUNCTION holdfast.narrow_party(carried jsonb, other jsonb) RETURNS jsonb
LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN other IS NULL THEN carried
    WHEN carried IS NULL OR carried ->> 'kind' = 'system' THEN other
    ELSE carried || jsonb_build_object(
      'permissions', (SELECT coalesce(jsonb_agg(p), '[]') FROM jsonb_array_elements(carried -> 'permissions') p
                      WHERE other -> 'permissions' @> p),
      'roles', (SELECT coalesce(jsonb_agg(r), '[]') FROM jsonb_array_elements(carried -> 'roles') r
                WHERE other -> 'roles' @> r))
  END
$$;
