"""Large values and costly schemas of one tenant are checked beside the event loop: nobody else's request waits for it.

The tests let the loop tick while the work is done, and look at the longest time between two ticks.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import pairwise
from typing import Any

import pytest

from holdfast import Contract, Holdfast, HoldfastError
from holdfast.kernel.aside import aside, is_large
from holdfast.kernel.schemas import JsonSchema

LONGEST = 0.5
"""Seconds that the loop may stand still. It is tens of milliseconds, and more on a machine with much else to do;
without the threads it is one to two seconds."""

NUMBERS = {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "integer", "minimum": 0}}}}
DOUBLED = {
    "type": "object",
    "properties": {"a": {"$ref": "#"}},
    "allOf": [{"properties": {"a": {"$ref": "#"}}}],
}
"""Each level of a value is checked twice as often as the one above it."""


def nested(levels: int) -> dict[str, Any]:
    return {"a": nested(levels - 1)} if levels else {}


@asynccontextmanager
async def ticking() -> AsyncIterator[list[float]]:
    """How long the loop stood still, each time."""
    # What earlier tests have left is no server's: to go through it again may take a second.
    gc.collect()
    gc.freeze()
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0)
            gaps.append(time.perf_counter() - before)

    task = asyncio.create_task(tick())
    await asyncio.sleep(0)
    try:
        yield gaps
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.unfreeze()


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (NUMBERS, {"a": [1] * 60_000}),
        (NUMBERS, {"a": [1] * 5_000}),
        ({"type": "object"}, {"a": [{"k": each, "s": "x"} for each in range(20_000)]}),
        (DOUBLED, nested(14)),
    ],
    ids=["many", "not so many", "many objects", "costly"],
)
async def test_a_document_is_checked_without_holding_anybody_up(
    app: Holdfast, schema: dict[str, Any], value: dict[str, Any]
) -> None:
    app.contracts.add(Contract(entity_type="thing", document=schema))
    async with app.tenant("acme") as hold:
        await hold.definitions.register(Contract(entity_type="thing", document=schema))
        await hold.documents.create("thing", {})
    async with ticking() as gaps:
        with suppress(HoldfastError):
            async with app.tenant("acme") as hold:
                await hold.documents.create("thing", value)
    assert max(gaps) < LONGEST, f"{max(gaps) * 1000:.0f} ms"


async def test_a_large_schema_is_taken_without_holding_anybody_up(app: Holdfast) -> None:
    schema = {"properties": {f"p{each}": {"type": "string", "maxLength": 5} for each in range(1900)}}
    async with ticking() as gaps:
        async with app.tenant("acme") as hold:
            await hold.data.configure("shaped", schema=schema)
        async with app.tenant("acme") as hold:
            await hold.data.set("shaped", "k", {"p1": "x"})
    assert max(gaps) < LONGEST, f"{max(gaps) * 1000:.0f} ms"


@pytest.mark.parametrize("asked", ["play", "validate", "draw"])
async def test_a_large_workflow_is_compiled_without_holding_anybody_up(app: Holdfast, asked: str) -> None:
    """Whoever may look at processes may send one that is stored nowhere."""
    note = Contract(entity_type="note", document={"type": "object", "properties": {"text": {"type": "string"}}})
    nodes = [{"id": f"s{n}", "type": "script", "config": {"assign": {f"a{n}": "entity.text"}}} for n in range(9000)]
    path = ["in", *(str(node["id"]) for node in nodes), "out"]
    edges = [{"source": one, "target": other} for one, other in pairwise(path)]
    slot = {"nodes": nodes, "edges": edges, "exit_edge_mode": "join"}
    patches = {"slot:submitted_to_approved": slot}
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
        await hold.definitions.register(note)
        await hold.definitions.playable(entity_type="note", patches={})
    async with ticking() as gaps, app.tenant("acme", actor="vic") as hold:
        match asked:
            case "play":
                assert len((await hold.definitions.playable(entity_type="note", patches=patches))[0].nodes_by_id) > 9000
            case "validate":
                await hold.definitions.validate("note", patches)
            case _:
                await hold.definitions.canvas_of("note", patches)
    assert max(gaps) < LONGEST, f"{max(gaps) * 1000:.0f} ms"


async def test_what_is_short_needs_no_thread() -> None:
    schema = JsonSchema(NUMBERS)
    where: list[threading.Thread] = []

    def work() -> int:
        where.append(threading.current_thread())
        return len(schema.problems({"a": [1, 2, 3]}))

    assert await aside(work) == 0
    assert where == [threading.current_thread()]


async def test_what_turns_out_long_is_begun_anew_in_a_thread_and_ends_the_same() -> None:
    schema, value = JsonSchema(DOUBLED), nested(10)
    assert not is_large(value)
    tries: list[int] = []

    def work() -> Any:
        tries.append(1)
        return schema.problems(value)

    assert await aside(work) == schema.problems(value)
    assert len(tries) == 2


@pytest.mark.parametrize(
    ("value", "large"),
    [
        ({"a": [1] * 500}, False),
        ({"a": [1] * 2000}, True),
        (["x" * 200_000], True),
        ({str(i): i for i in range(600)}, True),
    ],
)
def test_what_is_large_is_known_without_reading_all_of_it(value: Any, large: bool) -> None:
    assert is_large(value) is large
