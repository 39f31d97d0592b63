"""`Hold`: one tenant, one actor, one transaction, with everything that can be done in it.

Each part is made when it is first asked for, and its code is imported then: most transactions use one or two of them,
and a program that only enqueues runs never loads documents, processes or sessions.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any
from uuid import UUID

from psycopg import AsyncConnection

from holdfast.access import Limit, Roles, SignIns, TenantInfo, Tokens, Users, limits_in_force
from holdfast.access.tenants import read_tenant, update_tenant
from holdfast.audit import AuditEvent, Trail
from holdfast.data import Keys, Links
from holdfast.data.stores.postgres import InTransaction, PostgresKeys, PostgresLinks
from holdfast.kernel.actor import SYSTEM, Actor
from holdfast.postgres.tenant import Tenant, TenantTx
from holdfast.runs import Runs

if TYPE_CHECKING:
    from holdfast.actions import Actions
    from holdfast.app.parts import Parts
    from holdfast.data.history import KeyEvent
    from holdfast.data.lines import Imported, OnConflict
    from holdfast.documents import Documents, Rules
    from holdfast.effects import Effects, Notifications, Secrets
    from holdfast.kernel.page import Page
    from holdfast.operate import Operate
    from holdfast.operations import Operations
    from holdfast.outbox import Outbox
    from holdfast.people import Approvals, Chains, Delegations, Inbox, OrgChart
    from holdfast.processes.api import Processes
    from holdfast.processes.definitions import Definitions
    from holdfast.processes.triggers import Triggers
    from holdfast.runs import Schedules
    from holdfast.runs.inspection import Inspection
    from holdfast.sessions import Sessions

__all__ = ["Hold"]


class Hold:
    """One tenant, one actor, one transaction, with everything that can be done in it.

    For example:

        async with app.tenant("acme", actor="ana") as hold:
            await hold.documents.create("invoice", {"amount": 1})
            await hold.runs.enqueue("billing.remind.v1", {"invoice": 7})
    """

    def __init__(self, app: Parts, tx: TenantTx) -> None:
        self._app = app
        self._tx = tx
        self.reconfigured = False

    @property
    def tenant(self) -> Tenant:
        return self._tx.tenant

    @property
    def actor(self) -> Actor:
        return self._tx.actor

    @property
    def transaction(self) -> TenantTx:
        """The transaction itself, for parts of holdfast."""
        return self._tx

    @property
    def connection(self) -> AsyncConnection[Any]:
        """The psycopg connection of this transaction; your SQL on it sees this tenant only."""
        return self._tx.connection

    def require(self, permission: str) -> None:
        """Raise `Forbidden` unless the actor has the permission."""
        self._tx.require(permission)

    # People, and what is known of their doings.

    @cached_property
    def users(self) -> Users:
        return Users(self._tx)

    @cached_property
    def roles(self) -> Roles:
        return Roles(self._tx)

    @cached_property
    def tokens(self) -> Tokens:
        return Tokens(self._tx)

    @cached_property
    def sign_ins(self) -> SignIns:
        return SignIns(self._tx)

    @cached_property
    def audit(self) -> Trail:
        return Trail(self._tx, lambda: self._app.keyring, self._redacted if self.actor.kind != "system" else None)

    async def _redacted(self, events: Sequence[AuditEvent]) -> list[AuditEvent]:
        from holdfast.documents import Access
        from holdfast.documents.redaction import redact_events

        return await redact_events(Access(self._tx, self._app.assembly.contracts), events)

    # Work: runs, their schedules, events for others, what is remembered, the verbs all share.

    @cached_property
    def runs(self) -> Runs:
        return self._app.runs_in(self._tx)

    @cached_property
    def schedules(self) -> Schedules:
        from holdfast.runs import Schedules

        return Schedules(self._tx, self.runs, payload_limit=self._app.settings.payload_limit)

    @cached_property
    def outbox(self) -> Outbox:
        from holdfast.outbox import Outbox

        return Outbox(self._tx, payload_limit=self._app.settings.payload_limit)

    @cached_property
    def data(self) -> Keys:
        return self._app.keys_of(self._tx)

    @cached_property
    def links(self) -> Links:
        return self._app.links_of(self._tx)

    @cached_property
    def actions(self) -> Actions:
        from holdfast.actions import Actions

        return Actions(self._app.actions, self._tx)

    @cached_property
    def sessions(self) -> Sessions:
        from holdfast.sessions import Sessions

        app = self._app
        return Sessions(
            self._tx,
            app.handlers,
            app.history,
            input_limit=app.settings.payload_limit,
            outputs=lambda: app.session_outputs,
        )

    # Documents, and the processes that move them.

    @cached_property
    def documents(self) -> Documents:
        from holdfast.documents import Documents

        return Documents(self._tx, self._app.assembly.cabinet())

    @cached_property
    def rules(self) -> Rules:
        from holdfast.documents import Rules

        return Rules(self._tx, self._app.assembly.contracts)

    @cached_property
    def definitions(self) -> Definitions:
        from holdfast.processes.definitions import Definitions

        return Definitions(self._tx, self._app.assembly.library, self._own_runs)

    def _own_runs(self) -> Runs:
        """For runs of holdfast's own, that follow from what somebody was allowed to ask for."""
        return self._app.runs_in(replace(self._tx, actor=SYSTEM))

    @cached_property
    def processes(self) -> Processes:
        from holdfast.processes.api import Processes

        return Processes(self._tx, self._app.assembly.engine, self._app.assembly.cabinet())

    @cached_property
    def triggers(self) -> Triggers:
        from holdfast.processes.triggers import Triggers

        return Triggers(self._tx, self._app.assembly.contracts)

    @cached_property
    def approvals(self) -> Approvals:
        from holdfast.people import Approvals

        return Approvals(self._tx, self._app.assembly.consequences, self._app.assembly.contracts)

    @cached_property
    def inbox(self) -> Inbox:
        from holdfast.people import Inbox

        return Inbox(self._tx, self._app.assembly.contracts)

    @cached_property
    def delegations(self) -> Delegations:
        from holdfast.people import Delegations

        return Delegations(self._tx)

    @cached_property
    def chains(self) -> Chains:
        from holdfast.people import Chains

        return Chains(self._tx)

    @cached_property
    def org(self) -> OrgChart:
        from holdfast.people import OrgChart

        return OrgChart(self._tx)

    @cached_property
    def effects(self) -> Effects:
        from holdfast.effects import Effects

        return Effects(self._tx, self._app.assembly.contracts, self._app.handlers.sealing)

    @cached_property
    def secrets(self) -> Secrets:
        from holdfast.effects import Secrets

        return Secrets(self._tx, lambda: self._app.keyring)

    @cached_property
    def notifications(self) -> Notifications:
        from holdfast.effects import Notifications

        return Notifications(self._tx, self._app.handlers.sealing)

    # How all of it is doing, and what is done to many at once.

    @cached_property
    def operate(self) -> Operate:
        from holdfast.operate import Operate

        return Operate(self._tx, self._app.assembly.contracts, self.operations, self.runs)

    @cached_property
    def operations(self) -> Operations:
        from holdfast.operations import Operations

        return Operations(self._tx, self._app.operation_kinds, self._app.runs_in)

    # Of the tenant itself.

    async def inspect_run(self, run_id: UUID) -> Inspection:
        """A run with its steps and the events of its life."""
        from holdfast.runs.inspection import inspect_run

        return await inspect_run(self._tx, self.runs, run_id)

    async def key_history(
        self, namespace: str, key: str, *, limit: int = 50, cursor: str | None = None
    ) -> Page[KeyEvent]:
        """What happened to a key since it was made, newest first: who, when, which revision."""
        from holdfast.data.history import key_history

        return await key_history(self._tx, namespace, key, limit=limit, cursor=cursor)

    async def info(self) -> TenantInfo:
        """The tenant's name and settings."""
        return await read_tenant(self._tx)

    async def export_data(self, namespace: str | None = None) -> AsyncIterator[str]:
        """Keys and links as JSON Lines: all of the tenant's, or one namespace's.

        `app.export_data` does the same without keeping a transaction open meanwhile.
        """
        from holdfast.data.lines import export_lines

        self.require("data:read")
        keys = PostgresKeys(way := InTransaction(self._tx))
        async for line in export_lines(keys, PostgresLinks(way), namespace, at=(await keys.here()).at):
            yield line

    async def import_data(self, lines: Iterable[str], *, on_conflict: OnConflict = "replace") -> Imported:
        """Write what exported lines say, all of it or nothing.

        Keys that are there are replaced, kept, or (`fail`) end the import.
        """
        from holdfast.data.lines import import_lines

        self.require("data:operate")
        now = (await PostgresKeys(InTransaction(self._tx)).here()).at
        async with self._tx.connection.transaction():  # a savepoint
            return await import_lines(self.data, self.links, lines, now=now, on_conflict=on_conflict)

    def limits(self) -> list[Limit]:
        """How long things are kept and how much is taken here, as the installation is set up."""
        self.require("tenant:read")
        return limits_in_force(self._app.settings)

    async def configure(self, *, name: str | None = None, settings: dict[str, Any] | None = None) -> TenantInfo:
        """Change the tenant's name or settings."""
        from holdfast.audit.reads import check_audit_reads

        self.require("tenant:write")
        if isinstance(settings, dict):
            check_audit_reads(settings)
        if isinstance(settings, dict) and "document_roles" in settings:
            from holdfast.documents import check_settings

            await check_settings(self._tx, self._app.assembly.contracts, settings)
        self.reconfigured = True
        return await update_tenant(self._tx, name=name, settings=settings)
