"""The past of sessions: their checkpoints, what they held, and new sessions that begin from one of them."""

from __future__ import annotations

from datetime import timedelta

from holdfast.audit import record
from holdfast.errors import AlreadyExists, Conflict, NotFound
from holdfast.kernel.cursor import check_limit
from holdfast.kernel.ids import uuid7
from holdfast.kernel.sealing import Sealing
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.runs.signals import seconds
from holdfast.sessions.definitions import broken_definition, no_definition
from holdfast.sessions.history import History
from holdfast.sessions.model import ChannelChange, Checkpoint, Comparison, SessionInfo, State, Storage
from holdfast.sessions.names import check_session_name, random_name

__all__ = ["SavedSessions", "no_session"]

_SQL = queries("sessions")


class SavedSessions:
    """What `hold.sessions` can tell of the past, and do with it."""

    def __init__(self, tx: TenantTx, history: History, sealing: Sealing) -> None:
        self._tx = tx
        self._history = history
        self._sealing = sealing

    async def get(self, name: str) -> SessionInfo:
        """One session, with input and output."""
        self._tx.require("sessions:read")
        row = await self._tx.row(_SQL["get"], name=name)
        if row is None:
            raise no_session(name)
        opened = {
            field: self._sealing.opened(self._tx.tenant.id, row[field]) for field in ("input_data", "output_data")
        }
        return SessionInfo(**(row | opened))

    def _opened_prompt(self, row: Row) -> Row:
        tenant = self._tx.tenant.id
        return row | {
            "content": self._sealing.open_parts(tenant, row["content"]),
            "answer": self._sealing.opened(tenant, row["answer"]),
        }

    async def checkpoints(self, name: str, *, limit: int = 50, before: str | None = None) -> list[Checkpoint]:
        """The states that were saved, newest first."""
        self._tx.require("sessions:read")
        check_limit(limit)
        return await self._history.checkpoints(self._tx, await self.get(name), limit, before)

    async def state(self, name: str, checkpoint: str | None = None) -> State:
        """What the graph's channels held at a checkpoint; the latest one if none is named."""
        self._tx.require("sessions:read")
        return await self._history.state(self._tx, await self.get(name), checkpoint)

    async def storage(self, name: str) -> Storage:
        """How many bytes the session takes."""
        self._tx.require("sessions:read")
        one = await self._find(name)
        row = await self._tx.row(_SQL["storage"], session=one["id"])
        if row is None:
            raise no_session(name)
        return Storage(**row)

    async def compare(self, name: str, checkpoint: str | None = None, *, against: str | None = None) -> Comparison:
        """What a checkpoint changed: against the one it followed, or against any other of the session."""
        after = await self.state(name, checkpoint)
        earlier = after.parent_checkpoint_id if against is None else against
        before = {} if earlier is None else (await self.state(name, earlier)).values
        changes = [
            ChannelChange(
                channel,
                "added" if channel not in before else "removed" if channel not in after.values else "changed",
                before.get(channel),
                after.values.get(channel),
            )
            for channel in sorted({*before, *after.values})
            if (channel in before, before.get(channel)) != (channel in after.values, after.values.get(channel))
        ]
        return Comparison(after.checkpoint_id, earlier, changes)

    async def fork(
        self,
        name: str,
        *,
        checkpoint: str | None = None,
        new_name: str | None = None,
        timeout: float | timedelta | None = None,
    ) -> SessionInfo:
        """Start a new session from a checkpoint of another one; the latest if none is named."""
        self._tx.require("sessions:operate")
        origin = await self.get(name)
        if checkpoint is None:
            latest = await self.checkpoints(name, limit=1)
            if not latest:
                raise Conflict(f"the session {name!r} has no checkpoint yet", hint="wait until it has begun")
            checkpoint = latest[0].checkpoint_id
        chosen = random_name(origin.workflow_name) if new_name is None else check_session_name(new_name)
        known = await self._tx.row(_SQL["use_definition"], name=origin.workflow_name)
        if known is None:
            raise no_definition(origin.workflow_name, [])
        if known["phase"] == "Error":
            raise broken_definition(origin.workflow_name)
        span = known["timeout_seconds"] if timeout is None else timeout
        row = await self._tx.row(
            _SQL["fork"],
            source=origin.id,
            checkpoint=checkpoint,
            id=(made := uuid7()),
            name=chosen,
            actor=str(self._tx.actor),
            party=self._tx.actor.carried,
            timeout=None if span is None else seconds("timeout", span),
        )
        if row is None or row["outcome"] == "gone":
            raise no_session(name)
        if row["outcome"] == "no checkpoint":
            raise NotFound(f"the session {name!r} has no checkpoint {checkpoint!r}", checkpoint=checkpoint)
        if row["outcome"] == "name taken":
            raise AlreadyExists(f"there is already a session {chosen!r}", hint="choose another name", session=chosen)
        facts = {"name": chosen, "from": name, "checkpoint": checkpoint}
        await record(self._tx, "session", made, "session.forked", facts)
        return await self.get(chosen)

    async def prune(self, name: str) -> int:
        """Forget all checkpoints but the latest; how many were forgotten."""
        self._tx.require("sessions:operate")
        one = await self._find(name)
        row = await self._tx.row(_SQL["prune"], session=one["id"])
        if row is None or row["gone"] is None:
            one = await self._find(name)
            raise Conflict(f"the session {name!r} is {one['status']}", hint="wait until nobody executes it")
        gone: int = row["gone"]
        return gone

    async def _find(self, name: str) -> Row:
        row = await self._tx.row(_SQL["find"], name=name)
        if row is None:
            raise no_session(name)
        return row


def no_session(name: str) -> NotFound:
    """The answer to a name that no session of the tenant has, or has any more."""
    return NotFound(f"there is no session {name!r}", hint="`holdfast sessions list` shows them", session=name)
