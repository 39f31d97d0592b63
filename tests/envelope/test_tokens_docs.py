"""The pages on tokens and templates tell the truth: their examples run, and they name every code and every verb."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from holdfast.envelope.simulate import act_from_data
from holdfast.envelope.templates import template_names
from holdfast.envelope.text import parse_yaml
from holdfast.envelope.tokens import FAILURE_CODES, REFUSAL_CODES, happenings

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "holdfast" / "envelope"
EXAMPLES = sorted((ROOT / "examples" / "envelope").glob("*.py"))


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["tokens.md", "templates.md"])
def test_every_python_example_of_a_page_runs(name: str) -> None:
    examples = re.findall(r"^```python\n(.*?)^```", page(name), re.DOTALL | re.MULTILINE)
    assert examples
    names: dict[str, object] = {"__name__": "page"}
    for example in examples:
        exec(compile(example, name, "exec"), names)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: str(path.name))
def test_every_example_script_runs(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out


def test_there_are_examples() -> None:
    assert EXAMPLES


def test_every_code_is_explained() -> None:
    explained = dict(re.findall(r"^\| `(\w+)` \| (.+) \|$", page("tokens.md"), re.MULTILINE))
    for catalogue in (FAILURE_CODES, REFUSAL_CODES):
        assert {code: explained.get(code) for code in catalogue} == catalogue


def test_no_code_is_used_that_is_not_in_the_catalogue() -> None:
    used: set[str] = set()
    for folder in ("tokens", "simulate"):
        for file in (SOURCES / folder).glob("*.py"):
            if file.name != "codes.py":
                text = file.read_text(encoding="utf-8")
                used |= set(re.findall(r'"(WORKFLOW_[A-Z_]+)"', text))
                used |= set(re.findall(r'(?:Refusal|Barred|_ignored)\(\s*"(\w+)"', text))
    assert used == set(FAILURE_CODES) | set(REFUSAL_CODES)


def test_every_happening_is_named() -> None:
    for name in happenings.__all__:
        if name not in ("Facts", "Happening", "happening_from_json", "happening_to_json"):
            assert f"`{name}`" in page("tokens.md")


def test_every_template_is_named_and_every_line_of_a_script_can_be_read() -> None:
    text = page("templates.md")
    for name in template_names():
        assert f"| `{name}` |" in text
    for cell in re.findall(r"^\| (`\w+: .+?`) \|", text, re.MULTILINE):
        for line in re.findall(r"`(.+?)`", cell):
            act_from_data(parse_yaml(f"- {line}")[0], ("cancel",))
