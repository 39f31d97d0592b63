"""One word for one thing: those of docs/words.md that had several meanings keep to one."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "holdfast"
TREES = {path.relative_to(SOURCE): ast.parse(path.read_text()) for path in SOURCE.rglob("*.py")}

SINGLE = ("Answer", "Change", "Engine", "Page", "Rules")
NO_CLASS = ("Event", "Held", "Holder", "Desk", "Past")
NO_ATTRIBUTE = ("told", "one", "way", "now_please", "held")


def classes() -> dict[str, list[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                found[node.name].append(str(path))
    return found


def attributes() -> Iterator[tuple[str, str]]:
    """Names that objects have: what is assigned to them, fields of classes, methods."""
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                yield node.attr, f"{path}:{node.lineno}"
            elif isinstance(node, ast.ClassDef):
                for each in node.body:
                    if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                        yield each.target.id, f"{path}:{each.lineno}"
                    elif isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                        yield each.name, f"{path}:{each.lineno}"


@pytest.mark.parametrize("name", SINGLE)
def test_a_name_means_one_class(name: str) -> None:
    assert len(classes()[name]) == 1


@pytest.mark.parametrize("name", NO_CLASS)
def test_no_class_has_a_name_that_could_mean_anything(name: str) -> None:
    assert classes().get(name, []) == []


def test_no_attribute_has_a_name_that_says_nothing() -> None:
    assert [where for name, where in attributes() if name.lstrip("_") in NO_ATTRIBUTE] == []


def test_no_function_of_postgres_has_one_either() -> None:
    words = re.compile(r"now_please")
    found = [path.name for path in (SOURCE / "postgres" / "functions").rglob("*.sql") if words.search(_code(path))]
    assert found == []


def _code(path: Path) -> str:
    """Without comments, and without what is said to people."""
    return re.sub(r"--.*|'(?:[^']|'')*'", "", path.read_text())


def test_the_page_has_every_word_that_is_held_here() -> None:
    page = (ROOT / "docs" / "words.md").read_text()
    assert [name for name in SINGLE if f"`{name}`" not in page] == []
