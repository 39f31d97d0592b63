-- Requests for deciding on them, under the locks of their instances, as everybody reads and writes them; whoever locks several instances does
-- so in the order of their ids. (`IS NOT FALSE` keeps the planner from going through everything that is open in the tenant: the index of
-- inboxes is the smaller one.) With where each instance stands, and its document, as `open_instances` has them: what follows from a decision.
CREATE OR REPLACE FUNCTION holdfast.hold_requests(wanted uuid[], me text, at timestamptz)
RETURNS TABLE (
  id uuid, kind text, status text, instance_id uuid, step_id uuid, step_key text, node_id text, token_id text,
  entity_type text, entity_id uuid, entity_version integer, content_hash text, compiled_hash text,
  snapshot_version_id uuid, title text, requester text, four_eyes boolean, may_delegate boolean, required text,
  outcomes text[], passes text, form jsonb, chain text, stage integer, stages jsonb, claimed_by text, due_at timestamptz,
  now timestamptz, trace_id text, principals text[], decisions jsonb, decided boolean, delegators jsonb,
  makers text[], branches jsonb, in_parallel boolean, votes jsonb,
  instance_status text, version integer, definition_id uuid, definition_version integer, instance_hash text, created_by text,
  paused boolean, state text, active_tokens text, document_version integer, doc_status text, document_hash text, version_id uuid,
  document_by text, document text)
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  one uuid;
  mine jsonb := '[]';
BEGIN
  IF cardinality(wanted) = 1 THEN
    SELECT r.instance_id INTO one FROM holdfast.approval_requests r WHERE r.tenant = own AND r.id = wanted[1];
    PERFORM pg_advisory_xact_lock(hashtextextended(one::text, 0));
  ELSE
    PERFORM pg_advisory_xact_lock(hashtextextended(o.instance_id::text, 0)) FROM (
      SELECT DISTINCT r.instance_id FROM unnest(wanted) w (id) JOIN holdfast.approval_requests r ON r.tenant = own AND r.id = w.id
      ORDER BY r.instance_id) o;
  END IF;
  -- Few decide for others: what that takes is not begun for those who do not.
  IF EXISTS (SELECT FROM holdfast.approval_delegations g WHERE g.tenant = own AND g.delegate = me AND g.revoked_at IS NULL AND g.ends_at > at) THEN
    SELECT coalesce(jsonb_agg(jsonb_build_object('name', u.name, 'entity_type', g.entity_type, 'roles', coalesce(
             (SELECT jsonb_agg(h.role) FROM holdfast.user_roles h WHERE h.tenant = u.tenant AND h.user_id = u.user_id), '[]'))), '[]')
      INTO mine
      FROM holdfast.approval_delegations g
      JOIN holdfast.users u ON u.tenant = g.tenant AND u.name = g.delegator AND u.deactivated_at IS NULL
      WHERE g.tenant = own AND g.delegate = me AND g.revoked_at IS NULL AND at >= g.starts_at AND at < g.ends_at;
  END IF;
  RETURN QUERY
    SELECT r.id, r.kind, r.status, r.instance_id, r.step_id, r.step_key, r.node_id, r.token_id, r.entity_type, r.entity_id,
           r.entity_version, r.content_hash, r.compiled_hash, r.snapshot_version_id, r.title, r.requester, r.four_eyes,
           r.may_delegate, r.required, r.outcomes, r.passes, r.form, r.chain, r.stage, r.stages, r.claimed_by, r.due_at, at,
           i.trace_id,
           ARRAY(SELECT a.principal FROM holdfast.approval_assignees a
                 WHERE a.tenant = own AND a.request_id = r.id AND a.is_open IS NOT FALSE),
           coalesce((SELECT jsonb_object_agg(d.seat, d.decision) FROM holdfast.approval_decisions d
                     WHERE d.tenant = own AND d.request_id = r.id), '{}'),
           EXISTS (SELECT FROM holdfast.approval_decisions d
                   WHERE d.tenant = own AND d.request_id = r.id AND d.decided_by = me),
           mine, r.makers, r.branches, r.in_parallel,
           -- What was decided in other branches matters inside of a split only.
           CASE WHEN r.branches IS NOT NULL THEN (
             SELECT jsonb_agg(jsonb_build_object(
               'by', d.decided_by, 'seat', d.seat, 'verdict', d.decision, 'branches', o.branches, 'in_parallel', o.in_parallel))
             FROM holdfast.approval_requests o
             JOIN holdfast.approval_decisions d ON d.tenant = o.tenant AND d.request_id = o.id
             WHERE o.tenant = own AND o.instance_id = r.instance_id AND o.id <> r.id AND o.branches IS NOT NULL
               AND d.voided_at IS NULL) END,
           i.status, i.version, i.definition_id, i.definition_version, i.compiled_hash, i.created_by, i.paused_at IS NOT NULL,
           i.state::text, i.active_tokens::text, e.entity_version, e.doc_status, e.content_hash, e.version_id, e.created_by,
           coalesce(e.data, (SELECT v.data FROM holdfast.entity_versions v WHERE v.tenant = own AND v.id = e.version_id))::text
    FROM unnest(wanted) w (id) JOIN holdfast.approval_requests r ON r.tenant = own AND r.id = w.id
    LEFT JOIN holdfast.workflow_instances i ON i.tenant = own AND i.id = r.instance_id
    LEFT JOIN holdfast.entities e ON e.tenant = own AND e.id = i.entity_id;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.hold_requests TO holdfast_app;
