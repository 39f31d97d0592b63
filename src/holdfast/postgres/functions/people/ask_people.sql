-- Requests, with those who are asked (`principals`) and the event of each; the step of each, found by when it was opened
-- (`step_at`), is made to point to it. A request that does not name its requester is asked by the author.
CREATE OR REPLACE FUNCTION holdfast.ask_people(given jsonb, actor text, at timestamptz) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET jit = off
SET enable_seqscan = off SET enable_bitmapscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  own uuid := holdfast.transaction_tenant();
  opened record;
BEGIN
  INSERT INTO holdfast.approval_requests
    (tenant, id, kind, instance_id, step_id, step_key, node_id, token_id, entity_type, entity_id, entity_version,
     content_hash, compiled_hash, snapshot_version_id, title, instructions, requester, makers, four_eyes, branches, in_parallel, may_delegate, required,
     outcomes, passes, form, chain, stage, stages, due_at, remind_every, escalate_at, escalate_to, tend_at, created_at)
    SELECT own, r.id, r.kind, r.instance_id, r.step_id, r.step_key, r.node_id, r.token_id, r.entity_type, r.entity_id,
           r.entity_version, r.content_hash, r.compiled_hash, r.snapshot_version_id, r.title, r.instructions,
           coalesce(r.requester, (SELECT u.name FROM holdfast.users u WHERE u.tenant = own AND u.name = n.doc ->> 'author')),
           coalesce(r.makers, '{}'), r.four_eyes, r.branches, coalesce(r.in_parallel, false), r.may_delegate, r.required, r.outcomes, r.passes, r.form, r.chain, r.stage, r.stages, r.due_at,
           r.remind_every, r.escalate_at, r.escalate_to, least(at + r.remind_every, r.escalate_at), at
    FROM jsonb_array_elements(given) n (doc), jsonb_populate_record(NULL::holdfast.approval_requests, n.doc) r;
  INSERT INTO holdfast.approval_assignees (tenant, request_id, principal, via, due_at, added_at, added_by)
    SELECT own, (n.doc ->> 'id')::uuid, a.name, a.via, (n.doc ->> 'due_at')::timestamptz, at, ask_people.actor
    FROM jsonb_array_elements(given) n (doc), jsonb_to_recordset(n.doc -> 'principals') a (name text, via text);
  INSERT INTO holdfast.workflow_event_chained (tenant, object_kind, object_id, event_type, actor, step_id, data, created_at)
    SELECT own, 'instance', (n.doc ->> 'instance_id')::uuid, (n.doc ->> 'kind') || '.requested', ask_people.actor,
           n.doc ->> 'node_id',
           jsonb_build_object('request', n.doc -> 'id', 'title', n.doc -> 'title', 'stage', n.doc -> 'stage'), at
    FROM jsonb_array_elements(given) n (doc);
  -- Steps that were opened at the same time, as those of one transaction are, lie in one partition and share a statement.
  FOR opened IN
    SELECT (n.doc ->> 'step_at')::timestamptz AS at, array_agg((n.doc ->> 'step_id')::uuid) AS steps,
           array_agg((n.doc ->> 'id')::uuid) AS requests
    FROM jsonb_array_elements(given) n (doc) WHERE n.doc ->> 'step_at' IS NOT NULL GROUP BY 1
  LOOP
    UPDATE holdfast.workflow_step_executions s
      SET approval_request_id = opened.requests[array_position(opened.steps, s.id)]
      WHERE s.tenant = own AND s.created_at = opened.at AND s.id = ANY (opened.steps);
  END LOOP;
END
$$;
GRANT EXECUTE ON FUNCTION holdfast.ask_people TO holdfast_app;
