"""What a caller's own definition, script or document may cost while somebody waits for the answer.

The core is pure and knows no clock: `BoundedMachine` looks at it before every step. What takes longer than its budget
is refused. It is computed on threads, so that the event loop answers others meanwhile; who calls from a request shares
those threads with the other tenants (`http/computing.py`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from holdfast.envelope import CompiledWorkflow, Machine
from holdfast.envelope.expressions import Scope
from holdfast.envelope.tokens import Advance, Facts, Happening, Position
from holdfast.envelope.tokens.turn import Bound
from holdfast.errors import InvalidInput
from holdfast.kernel.json import canonical_json
from holdfast.kernel.room import Room

__all__ = ["MAX_ACTS", "MAX_CONTENT", "BoundedMachine", "Budget", "check_size", "computed"]

T = TypeVar("T")
MAX_ACTS: Final = 500
"""Lines of one script."""
MAX_CONTENT: Final = 1024 * 1024
"""Bytes of a document, a world or a sample that somebody sends along."""
MOST_TOLD: Final = (500_000, 32 * 1024 * 1024)
"""Values and characters of an answer: documents and variables, once for each frame."""
_SECONDS: Final = 5.0
_BREATH: Final = 0.005
_PAUSE: Final = 0.0002
_THREADS = ThreadPoolExecutor(2, "holdfast-design")


class Budget:
    """So many seconds from now."""

    def __init__(self, seconds: float | None = None) -> None:
        self._seconds = _SECONDS if seconds is None else seconds
        self._breathed = time.monotonic()
        self._until = self._breathed + self._seconds
        self._room = Room(*MOST_TOLD)

    def check(self) -> None:
        """Raise `InvalidInput` when it is used up. Every few milliseconds, let the event loop go first."""
        now = time.monotonic()
        if now - self._breathed > _BREATH:
            time.sleep(_PAUSE)
            self._breathed = now
        if now > self._until:
            raise InvalidInput(
                f"this took longer than {self._seconds:g} s",
                hint="use a shorter script, or a document with shorter lists",
                field="script",
            )

    def tell(self, *values: Any) -> None:
        """Raise `InvalidInput` when the answer would hold more than is told at once."""
        if not all(self._room.take(each) for each in values):
            raise InvalidInput(
                "the simulation has more to tell than fits into one answer",
                hint="use a smaller document or a shorter script, or ask for the last frames only, with `first`",
                field="script",
            )


class BoundedMachine(Machine):
    """The step function, which looks at the budget before it goes on."""

    def __init__(self, workflow: CompiledWorkflow, scope: Scope | None, budget: Budget) -> None:
        super().__init__(workflow, scope)
        self._budget = budget

    def advance(self, position: Position, happening: Happening, facts: Facts, bound: Bound | None = None) -> Advance:
        self._budget.check()
        return super().advance(position, happening, facts, bound)


async def computed(function: Callable[[], T]) -> T:
    """What a function computes, on a thread."""
    return await asyncio.get_running_loop().run_in_executor(_THREADS, function)


def check_size(field: str, value: Any, *, most: int = MAX_CONTENT) -> None:
    """Raise `InvalidInput` for what is larger than may be sent along."""
    size = len(canonical_json(value))
    if size > most:
        raise InvalidInput(f"{field} has {size} bytes", hint=f"at most {most} are taken here", field=field)
