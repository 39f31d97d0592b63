"""The registry of actions, `app.actions`: who registers a verb makes it callable from everywhere.

    @app.action("billing.remind", input=Reminder, output=Sent, permission="documents:write")
    async def remind(call: Call, reminder: Reminder) -> Sent: ...

That is the one way for a program. `add` is what the decorator calls, and what holdfast's own parts register theirs
with. A form's fields take their suggestions from a source, registered here too: curated values, and those in use.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdfast.actions.model import Action, Function, Suggestion
from holdfast.actions.shapes import shape_of
from holdfast.errors import ActionNotFound, InvalidInput, NotFound
from holdfast.kernel.actor import check_permissions
from holdfast.kernel.names import did_you_mean
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.postgres.tenant import TenantTx

__all__ = ["ActionRegistry", "InUse"]

_NAME = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+")
_OWN_WORDS = frozenset({"notify"})
"""A single word is for holdfast itself: nobody else's verb could be told from it."""
_MOST_SUGGESTIONS = 100

InUse = Callable[[TenantTx, str | None, str], Awaitable[Sequence[str] | Mapping[str, str]]]
"""Finds values in use, or values with labels: in a transaction, in a namespace (if that matters), for a prefix."""


@dataclass(frozen=True, slots=True)
class _Source:
    curated: tuple[str, ...]
    in_use: InUse | None
    permission: str


class ActionRegistry:
    """The actions of an application."""

    def __init__(self, opener: Callable[[TenantTx], Any] | None = None, sealing: Sealing = IN_CLEAR) -> None:
        self._known: dict[str, Action] = {}
        self._sources: dict[str, _Source] = {}
        self.own_areas: frozenset[str] = frozenset()
        """The first parts of names that only holdfast itself gives."""
        self.opener = opener
        """Makes the `Hold` that actions see as `call.hold`."""
        self.sealing = sealing
        """How answers are kept that are told again for an idempotency key."""

    def add(
        self,
        name: str,
        function: Function,
        *,
        input: Any = None,  # noqa: A002 - it is the input
        output: Any = None,
        permission: str,
        side_effect: bool = True,
        label: str | None = None,
        description: str | None = None,
        group: str | None = None,
    ) -> Action:
        """Register an asynchronous function `(call, input)` under a dotted name, as billing.remind."""
        if not isinstance(name, str) or len(name) > 256 or not (_NAME.fullmatch(name) or name in _OWN_WORDS):
            raise InvalidInput(
                f"action {name!r} is not a valid name",
                hint="use dotted lower-case names, such as billing.remind",
                field="name",
            )
        if name.startswith("process."):
            raise InvalidInput(
                f"the action {name!r} belongs to the process itself", hint="choose another name", field="name"
            )
        if name in self._known:
            raise InvalidInput(f"there is already an action {name!r}", hint="choose another name", field="name")
        if not inspect.iscoroutinefunction(function) or len(inspect.signature(function).parameters) != 2:
            raise InvalidInput(
                f"the function of {name!r} is not asynchronous, or does not take (call, input)",
                hint="write async def …(call, input)",
                field="function",
            )
        check_permissions("permission", [permission])
        area, _, verb = name.rpartition(".")
        action = Action(
            name,
            function,
            shape_of(input),
            shape_of(output),
            permission,
            side_effect,
            label or verb.replace("_", " ").capitalize(),
            description or inspect.getdoc(function) or "",
            group or area,
        )
        self._known[name] = action
        return action

    def close_own(self) -> None:
        """Everything of holdfast's own is registered: other names in the same areas are mistakes."""
        self.own_areas = frozenset(name.partition(".")[0] for name in self._known)

    def find(self, name: str) -> Action:
        """The action of a name; raises `ActionNotFound`."""
        try:
            return self._known[name]
        except (KeyError, TypeError):
            raise ActionNotFound(
                f"there is no action {name!r}",
                hint=did_you_mean(str(name), self._known)
                or "`holdfast actions list` shows them; HOLDFAST_APP names the application that has others",
                action=str(name),
            ) from None

    def suggests(
        self, source: str, *, curated: Iterable[str] = (), in_use: InUse | None = None, permission: str
    ) -> None:
        """Register a source of suggestions."""
        if source in self._sources:
            raise InvalidInput(f"there is already a source {source!r}", hint="choose another name", field="source")
        check_permissions("permission", [permission])
        self._sources[source] = _Source(tuple(curated), in_use, permission)

    async def suggestions(
        self, tx: TenantTx, source: str, *, namespace: str | None = None, prefix: str = ""
    ) -> list[Suggestion]:
        """Values to suggest: curated ones first, then others in use; only those that begin with the prefix."""
        known = self._sources.get(source)
        if known is None:
            raise NotFound(
                f"there is no source of suggestions {source!r}", hint=did_you_mean(source, self._sources), source=source
            )
        tx.require(known.permission)
        used = await known.in_use(tx, namespace, prefix) if known.in_use else ()
        labels = used if isinstance(used, Mapping) else {}
        values = [*known.curated, *sorted(set(used) - set(known.curated))]
        return [
            Suggestion(value, value in known.curated, value in used, labels.get(value))
            for value in values
            if value in labels or value.startswith(prefix)
        ][:_MOST_SUGGESTIONS]

    def __iter__(self) -> Iterator[Action]:
        return iter(sorted(self._known.values(), key=lambda action: action.name))

    def __len__(self) -> int:
        return len(self._known)

    def __contains__(self, name: object) -> bool:
        return name in self._known
