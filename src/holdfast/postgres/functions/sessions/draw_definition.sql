-- Keeps how the graph of a revision looks, for people: told by whoever executes it, who alone has it.
CREATE OR REPLACE FUNCTION holdfast.draw_definition(of_name text, of_revision integer, drawing jsonb) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  UPDATE holdfast.workflow_definition_version v SET graph = drawing
  WHERE v.name = of_name AND v.revision = of_revision AND v.graph IS DISTINCT FROM drawing
$$;
GRANT EXECUTE ON FUNCTION holdfast.draw_definition TO holdfast_worker;
