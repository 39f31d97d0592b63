from __future__ import annotations

import ast
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from holdfast.envelope import expressions
from holdfast.envelope.expressions import compile_expression
from holdfast.errors import ExpressionError

PAGE = Path(__file__).parents[3] / "docs" / "expressions.md"
SOURCE = Path(expressions.__file__).parent
TEXT = PAGE.read_text(encoding="utf-8")
CASES = re.findall(r"^\| `(.+?)` \| (`true`|`false`|\*fails\*) \|", TEXT, re.MULTILINE)
DATA: dict[str, Any] = {
    "context": {
        "note": "ok",
        "amount": "12.50",
        "list": [5],
        "nothing": None,
        "flag": True,
        "at": "2026-06-04T12:00:00+02:00",
    },
    "now": datetime(2026, 6, 4, 10, 30, tzinfo=UTC),
}


@pytest.mark.parametrize(("text", "outcome"), CASES)
def test_every_example_of_the_page_means_what_it_says(text: str, outcome: str) -> None:
    compiled = None
    try:
        compiled = compile_expression(text)
        found = f"`{str(compiled.evaluate(DATA)).lower()}`"
    except ExpressionError:
        found = "*fails*"
    assert found == outcome


def test_the_page_has_its_examples() -> None:
    assert len(CASES) >= 20


def test_the_code_of_the_page_runs() -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)


def test_every_error_code_is_on_the_page() -> None:
    calls = {"Problem", "Refusal", "fail", "_fail", "report"}
    codes = set()
    for path in SOURCE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                texts = [
                    each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)
                ]
                if name in calls and texts:
                    codes.add(texts[0])
                codes |= {
                    str(each.value.value)
                    for each in node.keywords
                    if each.arg == "code" and isinstance(each.value, ast.Constant)
                }
    assert len(codes) > 30
    assert {code for code in codes if f"`{code}`" not in TEXT} == set()


def test_every_public_name_is_on_the_page_and_described() -> None:
    assert expressions.__all__ == sorted(
        expressions.__all__, key=lambda name: (not name.isupper(), not name[0].isupper(), name)
    )
    for name in expressions.__all__:
        assert re.search(rf"\b{name}\b", TEXT), name
        thing = getattr(expressions, name)
        assert isinstance(thing, int | tuple) or thing.__doc__, name


def test_modules_of_the_language_are_pure() -> None:
    for path in SOURCE.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [each.name for each in node.names]
                assert not {"time", "random", "asyncio", "socket", "os"} & {name.split(".")[0] for name in names}
