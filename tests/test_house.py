"""What holds for every test: it waits for something, not for a while."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
HARNESS = TESTS / "harness" / "waiting.py"
REASON = "# time itself: "


def sleeps(source: str) -> list[int]:
    """The lines on which somebody sleeps for longer than a turn of the event loop, and does not say why."""
    lines = source.splitlines()
    tree = ast.parse(source)
    names = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in ("asyncio", "time")
        for alias in node.names
        if alias.name == "sleep"
    }
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not _is_sleep(node.func, names):
            continue
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        at_once = bool(given) and isinstance(given[0], ast.Constant) and given[0].value == 0
        if not at_once and not any(REASON in line for line in lines[node.lineno - 1 : node.end_lineno]):
            found.append(node.lineno)
    return found


def _is_sleep(called: ast.expr, names: set[str]) -> bool:
    """Of asyncio or of time: `run.sleep()` is what handlers do, and the product's own."""
    if isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name):
        return called.attr == "sleep" and called.value.id in ("asyncio", "time")
    return isinstance(called, ast.Name) and called.id in names


def test_no_test_sleeps_without_saying_why_time_itself_is_what_it_is_about() -> None:
    files = [path for path in TESTS.rglob("*.py") if path != HARNESS]
    assert len(files) > 100
    found = [f"{path.relative_to(TESTS)}:{line}" for path in files for line in sleeps(path.read_text())]
    assert not found, (
        f"wait for an event or with harness.waiting, or end the line with {REASON!r} and a reason: {found}"
    )


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("import asyncio\nasync def f():\n    await asyncio.sleep(0.1)", [3]),
        ("import time\ntime.sleep(seconds)", [2]),
        ("from time import sleep as nap\nnap(1)", [2]),
        ("import asyncio\nasyncio.sleep(delay=2)", [2]),
        ("import time\ntime.sleep(1)  # time itself:", [2]),
        ("import time\ntime.sleep(1)  # time itself: a lease in Postgres is over", []),
        ("import asyncio\nasyncio.sleep(0)", []),
        ("run.sleep(3600)", []),
    ],
)
def test_a_sleep_is_found_however_it_is_written(source: str, lines: list[int]) -> None:
    assert sleeps(source) == lines
