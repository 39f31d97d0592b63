"""What checkpoints hold, read in the tenant's own transaction: row-level security applies to threads too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from holdfast.errors import NotFound
from holdfast.kernel.json import in_words
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row, TenantTx
from holdfast.sessions.model import Checkpoint, SessionInfo, State, thread_of

if TYPE_CHECKING:
    from langgraph.checkpoint.serde.base import SerializerProtocol

    from holdfast.kernel.keyring import Keyring

__all__ = ["History", "channel_values", "shown"]

_SQL = queries("sessions")
_PRIVATE = ("__", "branch:")
_ONWARD = "branch:to:"
"""LangGraph's channel for each node that is to run: it holds something only until the node has run."""


class History:
    """Reads checkpoints. The serializer, which needs LangGraph, is made when the first one is decoded."""

    def __init__(self, keyring: Callable[[], Keyring]) -> None:
        self._keyring = keyring
        self._serde: SerializerProtocol | None = None

    async def checkpoints(self, tx: TenantTx, session: SessionInfo, limit: int, before: str | None) -> list[Checkpoint]:
        """The states that were saved, newest first."""
        rows = await tx.rows(
            _SQL["checkpoints"],
            project=session.project_name,
            name=session.session_name,
            before=before,
            limit=limit,
        )
        return [
            Checkpoint(**row | {"channels": sorted(c for c in row["channels"] if not c.startswith(_PRIVATE))})
            for row in rows
        ]

    async def state(self, tx: TenantTx, session: SessionInfo, checkpoint: str | None) -> State:
        """What the channels held at one of them."""
        row = await tx.row(
            _SQL["load_checkpoints"],
            thread=thread_of(session.project_name, session.session_name),
            space="",
            checkpoint=checkpoint,
            before=None,
            filter=None,
            limit=1,
        )
        if row is None:
            what = f"checkpoint {checkpoint!r}" if checkpoint else "checkpoint"
            raise NotFound(f"the session {session.session_name!r} has no {what}", hint="it may have been pruned")
        values = channel_values(row, self._serializer())
        return State(
            row["checkpoint_id"],
            row["parent_checkpoint_id"],
            datetime.fromisoformat(row["checkpoint"]["ts"]),
            row["metadata"],
            {name: shown(value) for name, value in values.items() if not name.startswith(_PRIVATE)},
            sorted({name for name in row["w_channels"] or () if not name.startswith(_PRIVATE)}),
            _next(values),
        )

    def _serializer(self) -> SerializerProtocol:
        if self._serde is None:
            from holdfast.sessions.serde import serializer

            self._serde = serializer(self._keyring())
        return self._serde


def _next(channels: Iterable[str]) -> list[str]:
    return sorted(channel.removeprefix(_ONWARD) for channel in channels if channel.startswith(_ONWARD))


def channel_values(row: Row, serde: SerializerProtocol) -> dict[str, Any]:
    """The values of a stored checkpoint's channels: small ones are in its body, the rest beside it."""
    values = dict(row["checkpoint"].get("channel_values") or {})
    for channel, kind, blob in zip(row["channels"] or (), row["types"] or (), row["blobs"] or (), strict=True):
        values[channel] = serde.loads_typed((kind, blob))
    return values


def shown(value: Any) -> Any:
    """A value as JSON can say it; what JSON has no word for is shown as text."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, dict):
        return {str(key): shown(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [shown(inner) for inner in value]
    if hasattr(value, "model_dump"):
        return shown(value.model_dump())
    if hasattr(value, "tolist"):  # numbers and arrays of numpy and its kin
        return shown(value.tolist())
    try:
        return shown(in_words(value))
    except TypeError:
        return str(value)
