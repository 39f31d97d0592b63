"""Stores of persistent processes: one small interface, in Postgres and in memory, with the same behaviour.

A store belongs to one tenant; there is no method that looks across tenants. Events are only ever appended. An advance
names the version it saw; when somebody was faster it raises `VersionConflict` and nothing is written.
"""

from holdfast.processes.stores.memory import MemoryWorkflowStore
from holdfast.processes.stores.postgres import PostgresWorkflowStore
from holdfast.processes.stores.protocol import StoredEvent, WorkflowStore

__all__ = ["MemoryWorkflowStore", "PostgresWorkflowStore", "StoredEvent", "WorkflowStore"]
