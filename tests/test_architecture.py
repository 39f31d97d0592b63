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
    "live",
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


def test_the_life_of_a_worker_is_written_once() -> None:
    """Whoever leases rows is a client of the machine, and stands where workers stand."""
    source = ROOT / "src" / "holdfast"
    texts = {str(path.relative_to(source)): path.read_text() for path in source.rglob("*.py")}

    def where(pattern: str) -> set[str]:
        return {path for path, text in texts.items() if re.search(pattern, text)}

    clients = {"effects/worker.py", "outbox/worker.py", "processes/worker.py", "runs/worker.py"}
    assert where(r"\(Service\[") == where(r"= LeasedTable\(") == clients
    assert where(r"\bHeart\(") == {"leases/service.py"}
    assert where(r"\"LISTEN ") == {"postgres/listening.py"}
    assert where(r"\.notifies\(") == {"postgres/wire.py"}


DECISIONS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))


@pytest.mark.parametrize("page", DECISIONS, ids=[page.stem for page in DECISIONS])
def test_a_decision_says_what_why_and_at_what_cost(page: Path) -> None:
    text = page.read_text()
    number, title = re.match(r"# (\d+)\. (.+)\n", text).groups()  # type: ignore[union-attr]
    assert int(number) == int(page.stem[:4])
    assert f"{number}. [{title}]({page.name})" in (page.parent / "README.md").read_text()
    places = [text.find(f"\n**{part}.**") for part in ("Decided", "Why", "Costs")]
    assert min(places) > 0
    assert places == sorted(places)


def test_bodies_are_read_in_one_place() -> None:
    reads = re.compile(r"request\.(?:body|json|stream|form|exact_json)\(")
    found = {path.name for path in (ROOT / "src/holdfast/http").glob("*.py") if reads.search(path.read_text())}
    assert found == {"bodies.py"}


ONCE = {
    r"^def sign\(": "kernel/webhooks.py",
    r"^class Cron\b": "kernel/cron.py",
    r"\bdef parse_json\(": "kernel/json/parser.py",
    r"\bdef canonical_json\(": "kernel/json/canonical.py",
    r"^class Page\b": "kernel/page.py",
    r"\bdef read_body\(": "http/bodies.py",
    r"^    def action\(": "app/registering.py",
    r"\bhmac\.new\(|\bhmac\.digest\(": "kernel/webhooks.py",
}


@pytest.mark.parametrize(("pattern", "home"), list(ONCE.items()))
def test_what_is_listed_once_is_there_once(pattern: str, home: str) -> None:
    source = ROOT / "src" / "holdfast"
    found = [path for path in source.rglob("*.py") if re.search(pattern, path.read_text(), re.MULTILINE)]
    assert [path.relative_to(source).as_posix() for path in found] == [home]
    assert f"(../src/holdfast/{home})" in PAGE.read_text()
