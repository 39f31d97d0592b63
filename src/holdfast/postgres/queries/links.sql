-- Links between records. Writing is done by functions; `_for` twins are whole transactions.

-- name: upsert
SELECT * FROM holdfast.links_upsert(
  %(tenant)s::uuid, %(namespace)s::text, %(id)s::uuid, %(from_type)s::text, %(from_id)s::text, %(to_type)s::text,
  %(to_id)s::text, %(relation)s::text, %(attributes)s::text, %(actor)s::text, %(origin)s::jsonb, %(step)s::text,
  coalesce(%(now)s::timestamptz, now()))

-- name: upsert_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own CROSS JOIN LATERAL holdfast.links_upsert(
  own, %(namespace)s::text, %(id)s::uuid, %(from_type)s::text, %(from_id)s::text, %(to_type)s::text,
  %(to_id)s::text, %(relation)s::text, %(attributes)s::text, %(actor)s::text, %(origin)s::jsonb, %(step)s::text,
  coalesce(%(now)s::timestamptz, now())) d

-- name: delete
SELECT holdfast.links_delete(
  %(tenant)s::uuid, %(namespace)s::text, %(from_type)s::text, %(from_id)s::text, %(to_type)s::text, %(to_id)s::text,
  %(relation)s::text, %(actor)s::text, %(origin)s::jsonb, %(step)s::text, coalesce(%(now)s::timestamptz, now())) AS deleted

-- name: lookup
-- Forward on workflow_entity_links_edge, back on workflow_entity_links_reverse; both come in the order of the answer.
SELECT * FROM holdfast.links_lookup(
  %(tenant)s::uuid, %(namespace)s::text, %(of_type)s::text, %(of_id)s::text, %(forward)s::boolean, %(reverse)s::boolean,
  %(relation)s::text, %(other_type)s::text, %(after_type)s::text, %(after_id)s::text, %(after_relation)s::text,
  %(after_link)s::uuid, %(limit)s::int)

-- name: lookup_for
SELECT d.* FROM holdfast.enter_tenant(%(tenant)s::uuid) own CROSS JOIN LATERAL holdfast.links_lookup(
  own, %(namespace)s::text, %(of_type)s::text, %(of_id)s::text, %(forward)s::boolean, %(reverse)s::boolean,
  %(relation)s::text, %(other_type)s::text, %(after_type)s::text, %(after_id)s::text, %(after_relation)s::text,
  %(after_link)s::uuid, %(limit)s::int) d

-- name: list
-- On workflow_entity_links_edge, whole.
SELECT link_id, left_type, left_id, right_type, right_id, relation, attributes::text AS attributes, created_by_run_id,
       created_at, updated_at
FROM holdfast.workflow_entity_links
WHERE tenant = %(tenant)s AND namespace = %(namespace)s
  AND (%(left_type)s::text IS NULL OR left_type = %(left_type)s)
  AND (%(right_type)s::text IS NULL OR right_type = %(right_type)s)
  AND (%(relation)s::text IS NULL OR relation = %(relation)s)
  AND (left_type, left_id, right_type, right_id, relation)
    > (%(after_left_type)s::text, %(after_left_id)s::text, %(after_right_type)s::text, %(after_right_id)s::text,
       %(after_relation)s::text)
ORDER BY left_type, left_id, right_type, right_id, relation
LIMIT %(limit)s

-- name: namespaces
-- From one namespace to the next on workflow_entity_links_edge; each one's links are counted on it.
WITH RECURSIVE found AS (
  (SELECT namespace FROM holdfast.workflow_entity_links
   WHERE tenant = %(tenant)s AND namespace > %(after)s ORDER BY namespace LIMIT 1)
  UNION ALL
  SELECT (SELECT s.namespace FROM holdfast.workflow_entity_links s
          WHERE s.tenant = %(tenant)s AND s.namespace > f.namespace ORDER BY s.namespace LIMIT 1)
  FROM found f WHERE f.namespace IS NOT NULL
)
SELECT f.namespace, (SELECT count(*) FROM holdfast.workflow_entity_links s
                     WHERE s.tenant = %(tenant)s AND s.namespace = f.namespace) AS links
FROM found f WHERE f.namespace IS NOT NULL LIMIT %(limit)s

-- name: namespace_names
-- Names only, for suggestions: one index probe each.
WITH RECURSIVE found AS (
  (SELECT namespace, 1 AS n FROM holdfast.workflow_entity_links
   WHERE tenant = %(tenant)s AND namespace >= %(low)s::text AND namespace < %(high)s::text
   ORDER BY namespace LIMIT 1)
  UNION ALL
  SELECT (SELECT s.namespace FROM holdfast.workflow_entity_links s
          WHERE s.tenant = %(tenant)s AND s.namespace > f.namespace AND s.namespace < %(high)s::text
          ORDER BY s.namespace LIMIT 1), f.n + 1
  FROM found f WHERE f.namespace IS NOT NULL AND f.n < %(limit)s
)
SELECT namespace FROM found WHERE namespace IS NOT NULL

-- name: types_in_use
-- From one type to the next on either index, within a prefix: as many probes as there are types.
WITH RECURSIVE lefts AS (
  (SELECT left_type AS type FROM holdfast.workflow_entity_links
   WHERE tenant = %(tenant)s AND namespace = %(namespace)s AND left_type >= %(low)s::text AND left_type < %(high)s::text
   ORDER BY left_type LIMIT 1)
  UNION ALL
  SELECT (SELECT l.left_type FROM holdfast.workflow_entity_links l
          WHERE l.tenant = %(tenant)s AND l.namespace = %(namespace)s AND l.left_type > f.type
            AND l.left_type < %(high)s::text ORDER BY l.left_type LIMIT 1)
  FROM lefts f WHERE f.type IS NOT NULL
), rights AS (
  (SELECT right_type AS type FROM holdfast.workflow_entity_links
   WHERE tenant = %(tenant)s AND namespace = %(namespace)s AND right_type >= %(low)s::text AND right_type < %(high)s::text
   ORDER BY right_type LIMIT 1)
  UNION ALL
  SELECT (SELECT l.right_type FROM holdfast.workflow_entity_links l
          WHERE l.tenant = %(tenant)s AND l.namespace = %(namespace)s AND l.right_type > f.type
            AND l.right_type < %(high)s::text ORDER BY l.right_type LIMIT 1)
  FROM rights f WHERE f.type IS NOT NULL
)
SELECT DISTINCT type FROM (
  (SELECT type FROM lefts WHERE type IS NOT NULL LIMIT %(limit)s)
  UNION ALL (SELECT type FROM rights WHERE type IS NOT NULL LIMIT %(limit)s)) t
ORDER BY type LIMIT %(limit)s

-- name: relations_in_use
-- Among the first thousands of the namespace: a suggestion need not be complete, but must be quick.
SELECT DISTINCT relation FROM (
  SELECT relation FROM holdfast.workflow_entity_links
  WHERE tenant = %(tenant)s AND namespace = %(namespace)s LIMIT 5000) sample
WHERE relation >= %(low)s::text AND relation < %(high)s::text
ORDER BY relation LIMIT %(limit)s

-- name: export
-- The next of all links up to a namespace, in the order of workflow_entity_links_edge; so many, or as many as have so many
-- bytes.
SELECT namespace, left_type, left_id, right_type, right_id, relation, attributes FROM (
  SELECT p.*, sum(octet_length(p.attributes))
           OVER (ORDER BY p.namespace, p.left_type, p.left_id, p.right_type, p.right_id, p.relation)
         - octet_length(p.attributes) AS before
  FROM (
    SELECT namespace, left_type, left_id, right_type, right_id, relation, attributes::text AS attributes
    FROM holdfast.workflow_entity_links
    WHERE tenant = %(tenant)s AND namespace <= %(upto)s::text
      AND (namespace, left_type, left_id, right_type, right_id, relation)
        > (%(after_namespace)s::text, %(after_left_type)s::text, %(after_left_id)s::text, %(after_right_type)s::text,
           %(after_right_id)s::text, %(after_relation)s::text)
    ORDER BY namespace, left_type, left_id, right_type, right_id, relation LIMIT %(limit)s) p) page
WHERE before < %(bytes)s
ORDER BY namespace, left_type, left_id, right_type, right_id, relation
