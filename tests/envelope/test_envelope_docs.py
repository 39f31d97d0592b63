"""The page on the envelope tells the truth: its examples run, and it names every problem, type and conflict."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

from holdfast.envelope import PROBLEM_CODES, STANDARD, Contract, generate_skeleton
from holdfast.envelope.rebase import ConflictKind

PAGE = (Path(__file__).parents[2] / "docs" / "envelope.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def test_every_python_example_runs() -> None:
    names: dict[str, object] = {"__name__": "page"}
    examples = blocks("python")
    assert len(examples) == 2
    for example in examples:
        exec(compile(example, "docs/envelope.md", "exec"), names)


def test_every_yaml_example_is_a_contract() -> None:
    for example in blocks("yaml"):
        assert generate_skeleton(Contract.from_yaml(example)).slots


def test_every_problem_code_is_explained() -> None:
    explained = dict(re.findall(r"^\| `([a-z_.]+)` \| (.+) \|$", PAGE, re.MULTILINE))
    assert {code: explained.get(code) for code in PROBLEM_CODES} == PROBLEM_CODES


def test_every_node_type_and_conflict_is_named() -> None:
    for kind in STANDARD.values():
        assert kind.placement != "slot" or f"| `{kind.name}` | {kind.description} |" in PAGE
    for conflict in get_args(ConflictKind):
        assert f"`{conflict}`" in PAGE
