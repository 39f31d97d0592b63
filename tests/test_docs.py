"""The documentation is complete, and its code runs."""

from __future__ import annotations

import importlib
import inspect
import re
import types
from pathlib import Path

import pytest
import typer
from typer.main import get_group

import holdfast
import holdfast.cli
from holdfast import errors
from holdfast.cli.commands import COMMANDS, load
from holdfast.http import build
from holdfast.kernel.actor import BUILT_IN_ROLES
from holdfast.settings import PREFIX, Settings

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parent.parent
DOCS = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md"])


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", sorted(Settings.model_fields))
def test_every_setting_is_documented(name: str) -> None:
    assert f"`{PREFIX}{name.upper()}`" in page("settings.md")


@pytest.mark.parametrize("name", sorted(errors.__all__))
def test_every_error_is_documented_and_drawn(name: str) -> None:
    error = getattr(errors, name)
    assert re.search(rf"\| `{name}` \| `{error.code}` \| {error.status} \|", page("errors.md"))
    assert name in (errors.__doc__ or "")


def test_error_codes_are_unique() -> None:
    codes = [getattr(errors, name).code for name in errors.__all__]
    assert len(codes) == len(set(codes))


def commands(prefix: str, command: object) -> list[str]:
    found = getattr(command, "commands", None)
    if not found:
        return [prefix]
    return [line for name, inner in found.items() for line in commands(f"{prefix} {name}", inner)]


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_every_command_is_documented_and_listed_as_it_is(name: str) -> None:
    command = load(name)
    for line in commands(f"holdfast {name}", command):
        assert f"`{line}`" in page("cli.md"), line
    # The list of commands is told without loading them, so its lines are written down twice.
    assert " ".join((command.help or "").split("\n\n")[0].split()) == COMMANDS[name][1]


def test_every_command_that_a_module_adds_is_listed() -> None:
    package = Path(inspect.getfile(holdfast.cli)).parent
    added: set[str] = set()
    for path in package.glob("*.py"):
        part = typer.Typer()
        module = importlib.import_module(f"holdfast.cli.{path.stem}")
        if hasattr(module, "add"):
            module.add(part)
            added |= set(get_group(part).commands)
    assert added == set(COMMANDS)


def test_every_route_is_documented() -> None:
    """By its resource, and by its last word below that: the page leaves out what repeats itself."""
    written = page("http.md")
    for path in build(holdfast.Holdfast()).openapi()["paths"]:
        words = [word for word in path.removeprefix("/v1/{tenant}").split("/") if word]
        if not path.startswith("/v1/{tenant}/"):
            assert path in written, path
            continue
        assert re.search(rf"(\{{tenant\}}|…)/{words[0]}\b", written), path
        assert re.search(rf"/{[word for word in words if '{' not in word][-1]}[`/?]", written), path


def test_every_built_in_role_is_documented() -> None:
    for role in BUILT_IN_ROLES:
        assert f"| {role} |" in page("access.md")


@pytest.mark.parametrize("module", [holdfast, errors], ids=lambda module: module.__name__)
def test_public_names_are_sorted_and_complete(module: types.ModuleType) -> None:
    assert module.__all__ == sorted(module.__all__, key=lambda name: (not name.isupper(), name))
    for name in module.__all__:
        assert hasattr(module, name)
    own = {
        name
        for name, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == module.__name__ and not name.startswith("_")
    }
    assert own <= set(module.__all__)


@pytest.mark.parametrize("path", DOCS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)\)", path.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (path.parent / target).exists(), target


def blocks(path: Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("path", [path for path in DOCS if blocks(path)], ids=lambda path: str(path.relative_to(ROOT)))
def test_python_in_the_docs_runs(path: Path, holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page are executed one after the other, as a reader would."""
    monkeypatch.setenv("HOLDFAST_DSN", holdfast_dsn)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(path):
        exec(compile(block, str(path), "exec"), namespace)


def test_the_test_shown_to_users_passes_with_the_plugin_alone(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function")
    pytester.makepyfile(blocks(ROOT / "docs" / "testing.md")[0])
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1)
