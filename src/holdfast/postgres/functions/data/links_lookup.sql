-- Matches of a record, in the order (type, id, relation, link_id) of what it is linked with. A record linked with itself is
-- found going forward; the way back leaves it out.
CREATE OR REPLACE FUNCTION holdfast.links_lookup(
  own uuid, in_namespace text, of_type text, of_id text, forward boolean, reverse boolean, of_relation text, other_type text,
  after_type text, after_id text, after_relation text, after_link uuid, at_most integer)
RETURNS TABLE (link_id uuid, type text, id text, relation text, attributes text, direction text)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  PERFORM holdfast.require_tenant(own);
  -- One direction comes from its index in order; only both together have to be put together and sorted.
  IF forward AND NOT reverse THEN
    RETURN QUERY
      SELECT l.link_id, l.right_type, l.right_id, l.relation, l.attributes::text, 'forward'
      FROM holdfast.workflow_entity_links l
      WHERE l.tenant = own AND l.namespace = in_namespace AND l.left_type = of_type AND l.left_id = of_id
        AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.right_type = other_type)
        AND (after_link IS NULL OR
             (l.right_type, l.right_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
      ORDER BY l.right_type, l.right_id, l.relation, l.link_id LIMIT at_most;
    RETURN;
  END IF;
  IF reverse AND NOT forward THEN
    RETURN QUERY
      SELECT l.link_id, l.left_type, l.left_id, l.relation, l.attributes::text, 'reverse'
      FROM holdfast.workflow_entity_links l
      WHERE l.tenant = own AND l.namespace = in_namespace AND l.right_type = of_type AND l.right_id = of_id
        AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.left_type = other_type)
        AND (after_link IS NULL OR
             (l.left_type, l.left_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
      ORDER BY l.left_type, l.left_id, l.relation, l.link_id LIMIT at_most;
    RETURN;
  END IF;
  RETURN QUERY
    SELECT * FROM (
      (SELECT l.link_id, l.right_type, l.right_id, l.relation, l.attributes::text, 'forward'
       FROM holdfast.workflow_entity_links l
       WHERE l.tenant = own AND l.namespace = in_namespace AND l.left_type = of_type AND l.left_id = of_id
         AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.right_type = other_type)
         AND (after_link IS NULL OR
              (l.right_type, l.right_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
       ORDER BY l.right_type, l.right_id, l.relation, l.link_id LIMIT at_most)
      UNION ALL
      (SELECT l.link_id, l.left_type, l.left_id, l.relation, l.attributes::text, 'reverse'
       FROM holdfast.workflow_entity_links l
       WHERE l.tenant = own AND l.namespace = in_namespace AND l.right_type = of_type AND l.right_id = of_id
         -- A link of a record with itself was found already.
         AND NOT (l.left_type = of_type AND l.left_id = of_id)
         AND (of_relation IS NULL OR l.relation = of_relation) AND (other_type IS NULL OR l.left_type = other_type)
         AND (after_link IS NULL OR
              (l.left_type, l.left_id, l.relation, l.link_id) > (after_type, after_id, after_relation, after_link))
       ORDER BY l.left_type, l.left_id, l.relation, l.link_id LIMIT at_most)
    ) found (link_id, type, id, relation, attributes, direction)
    ORDER BY found.type, found.id, found.relation, found.link_id LIMIT at_most;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.links_lookup TO holdfast_app;
