"""Starting is quick: heavy code is imported where it is used, and not by everybody."""

from __future__ import annotations

import ast
import inspect
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import holdfast
from holdfast import errors

ROOT = Path(__file__).parents[1]
HEAVY = (
    "aiosmtplib",
    "cloudevents",
    "fastapi",
    "httpx",
    "jsonschema",
    "kubernetes",
    "langchain_core",
    "langgraph",
    "nats",
    "numpy",
    "opentelemetry.sdk",
    "prometheus_client",
    "referencing",
    "rich",
    "sentry_sdk",
    "starlette",
    "uvicorn",
    "yaml",
)
"""What no program should wait for that does not use it."""

OURS = (
    *("holdfast.envelope", "holdfast.processes", "holdfast.people", "holdfast.effects", "holdfast.documents"),
    *("holdfast.sessions", "holdfast.http"),
)
"""Half of holdfast: a command, or a program that only enqueues and executes runs, does without."""


def loaded_by(code: str) -> set[str]:
    """The modules a fresh process has after some code."""
    tail = "\nimport sys; print('\\n' + '\\n'.join(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code + tail], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


def test_importing_holdfast_loads_nothing_else() -> None:
    loaded = loaded_by("import holdfast")
    assert {name for name in loaded if name.startswith("holdfast")} == {"holdfast"}
    assert loaded.isdisjoint({*HEAVY, "asyncio", "psycopg", "pydantic", "typer"})


def test_an_application_loads_what_it_uses() -> None:
    loaded = loaded_by("import holdfast; app = holdfast.Holdfast(); app.handler('a.b.v1')(lambda run: None)")
    assert "psycopg" in loaded
    assert loaded.isdisjoint({*HEAVY, *OURS})


def test_an_application_loads_the_rest_when_it_is_asked_for() -> None:
    assert loaded_by("import holdfast; holdfast.Holdfast().actions") >= {*OURS[:4], "jsonschema"}


def command(*words: str) -> str:
    return f"import sys; sys.argv = {['holdfast', *words]}; from holdfast.cli import cli; cli(standalone_mode=False)"


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_the_list_of_commands_loads_none_of_them(option: str) -> None:
    loaded = loaded_by(command(option))
    # rich draws the list itself.
    assert loaded.isdisjoint({*HEAVY, *OURS, "psycopg", "pydantic", "holdfast.app"} - {"rich"})


def test_a_command_loads_its_own_module_only() -> None:
    loaded = loaded_by(command("runs", "--help"))
    assert "holdfast.cli.runs" in loaded
    assert loaded.isdisjoint({*HEAVY, *OURS, "holdfast.cli.data", "holdfast.cli.operate"} - {"rich"})


def test_type_checkers_see_every_public_name_where_it_is_found() -> None:
    told: dict[str, set[str]] = {}
    for node in ast.walk(ast.parse(inspect.getsource(holdfast))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("holdfast."):
            told.setdefault(node.module, set()).update(alias.name for alias in node.names)
    assert told == {module: set(names) for module, names in holdfast._HOMES.items()}
    assert sorted(holdfast.__all__) == sorted(holdfast._HOME_OF)


@pytest.mark.parametrize("name", holdfast.__all__)
def test_a_public_name_is_found(name: str) -> None:
    assert getattr(holdfast, name) is not None
    assert name in dir(holdfast)


def test_a_name_that_is_not_public_is_not_found() -> None:
    with pytest.raises(AttributeError, match="'holdfast' has no attribute 'Holdfst'"):
        getattr(holdfast, "Holdfst")  # noqa: B009 - the type checker must not see it


def test_every_error_is_public() -> None:
    assert [name for name in errors.__all__ if name not in holdfast.__all__] == []


def example_of(kind: type) -> str:
    """The indented part of a docstring."""
    # As it is written: cleaned, a line and an example would be level with each other.
    lines = (kind.__doc__ or "").splitlines()
    return textwrap.dedent("\n".join(line for line in lines if line.startswith(" " * 8) or not line.strip()))


SHOWN = [name for name in holdfast.__all__ if name not in errors.__all__ and inspect.isclass(getattr(holdfast, name))]


@pytest.mark.parametrize("name", SHOWN)
def test_what_users_write_shows_its_use(name: str) -> None:
    example = example_of(getattr(holdfast, name))
    assert re.search(rf"\b{name}\b", example, re.IGNORECASE), f"the docstring of {name} shows no use of it"
    ast.parse("async def example():\n" + textwrap.indent(example, "    "))


def test_the_examples_are_typed_for_whoever_only_has_the_package(tmp_path: Path) -> None:
    """As a user checks their program: strictly, and with what is installed."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    arguments = ["--strict", "--python-version", "3.11", "--namespace-packages", "--explicit-package-bases", "examples"]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *arguments], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
