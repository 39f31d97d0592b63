-- holdfast: no-transaction
-- The specification's indexes of sessions that were not there yet, built while sessions go on: into their inputs (see
-- sessions_with_input), of a tenant's active ones by status, and two that have the columns of a unique key. What an
-- interrupted attempt left behind is removed first.
--
-- The first has no tenant in it: GIN takes none without an extension. Rows found through it are checked for their tenant like
-- any others; on Citus each shard has its own.
DROP INDEX CONCURRENTLY IF EXISTS holdfast.workflow_sessions_input_data_gin_idx;
CREATE INDEX CONCURRENTLY workflow_sessions_input_data_gin_idx ON holdfast.workflow_sessions USING GIN (input_data);
DROP INDEX CONCURRENTLY IF EXISTS holdfast.workflow_sessions_active_idx;
CREATE INDEX CONCURRENTLY workflow_sessions_active_idx ON holdfast.workflow_sessions (tenant, status, id DESC)
  WHERE status IN ('pending', 'running', 'waiting_for_input');
DROP INDEX CONCURRENTLY IF EXISTS holdfast.workflow_sessions_project_session_idx;
CREATE INDEX CONCURRENTLY workflow_sessions_project_session_idx ON holdfast.workflow_sessions (tenant, session_name);
DROP INDEX CONCURRENTLY IF EXISTS holdfast.session_messages_session_id_idx;
CREATE INDEX CONCURRENTLY session_messages_session_id_idx ON holdfast.session_messages (tenant, workflow_session_id, sequence_number);
