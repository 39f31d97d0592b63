"""The walks of docs/architecture.md name what is there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "architecture.md"
HOPS = re.findall(r"\[`([\w.]+)`\]\(\.\./(src/[\w/.]+)\)", PAGE.read_text())


def test_the_page_has_its_walks() -> None:
    assert len(HOPS) > 30


@pytest.mark.parametrize(("name", "path"), HOPS, ids=[name for name, _ in HOPS])
def test_a_hop_leads_somewhere(name: str, path: str) -> None:
    source = (ROOT / path).read_text()
    if path.endswith(".sql"):
        assert f"FUNCTION holdfast.{name}(" in source
        return
    scope: list[ast.stmt] = ast.parse(source).body
    for part in name.split("."):
        found = [
            node
            for node in scope
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.name == part
        ]
        assert found, f"{path} defines no {name}"
        scope = found[0].body


SLICES = (
    "access",
    "actions",
    "audit",
    "data",
    "documents",
    "effects",
    "outbox",
    "people",
    "processes",
    "runs",
    "sessions",
)


@pytest.mark.parametrize("name", SLICES)
def test_a_slice_has_the_rooms_that_every_slice_has(name: str) -> None:
    rooms = {path.stem for path in (ROOT / "src" / "holdfast" / name).glob("*.py")}
    assert rooms >= {"__init__", "model", "api"}
    # Its own name once more would say nothing.
    assert name not in rooms


def test_whoever_claims_work_is_found_as_the_worker_of_a_slice() -> None:
    """Who beats for leases is a worker, and stands where workers stand."""
    found = {
        str(path.relative_to(ROOT / "src" / "holdfast"))
        for path in (ROOT / "src" / "holdfast").rglob("*.py")
        if re.search(r"\bHeart\(", path.read_text())
    }
    assert found == {"effects/worker.py", "outbox/worker.py", "processes/worker.py", "runs/worker.py"}


def test_bodies_are_read_in_one_place() -> None:
    reads = re.compile(r"request\.(?:body|json|stream|form|exact_json)\(")
    found = {path.name for path in (ROOT / "src/holdfast/http").glob("*.py") if reads.search(path.read_text())}
    assert found == {"bodies.py"}
