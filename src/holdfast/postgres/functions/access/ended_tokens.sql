-- Which of the tokens that have something open no longer count: their streams are ended. Of every tenant at once.
CREATE OR REPLACE FUNCTION holdfast.ended_tokens(tenants uuid[], tokens uuid[], at timestamptz) RETURNS SETOF uuid
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  RETURN QUERY
    SELECT given.token FROM unnest(tenants, tokens) given (tenant, token)
    WHERE NOT holdfast.is_in_force(given.tenant, given.token, at);
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.ended_tokens TO holdfast_worker;
