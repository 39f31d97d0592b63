"""The documentation is complete, and its code runs."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import typer
from psycopg.conninfo import conninfo_to_dict
from typer.main import get_group

import holdfast
import holdfast.cli
from holdfast import errors
from holdfast.cli.commands import COMMANDS, load
from holdfast.http import build
from holdfast.kernel.actor import BUILT_IN_ROLES
from holdfast.postgres.embedded import EmbeddedServer
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


def blocks(path: Path, language: str = "python") -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", path.read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("path", [path for path in DOCS if blocks(path)], ids=lambda path: str(path.relative_to(ROOT)))
def test_python_in_the_docs_runs(path: Path, holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The blocks of a page are executed one after the other, as a reader would."""
    monkeypatch.setenv("HOLDFAST_DSN", holdfast_dsn)
    namespace: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(path):
        exec(compile(block, str(path), "exec"), namespace)


def test_the_pages_can_be_tried_one_after_the_other_beside_the_demo() -> None:
    """On one database, as `holdfast up` has it: no page makes a tenant that another one, or the demo, has made."""
    made = ["northwind"]
    for path in DOCS:
        code = "\n".join(blocks(path))
        if "holdfast_app" not in code:
            made += re.findall(r'tenants\.create\(\s*"([^"]+)"', code)
    assert len(made) > 10
    assert [slug for slug in set(made) if made.count(slug) > 1] == []


def test_the_tests_shown_to_users_pass_with_the_plugin_alone(pytester: pytest.Pytester) -> None:
    pytester.makeini("[pytest]\nasyncio_mode = auto\nasyncio_default_fixture_loop_scope = function")
    shown = blocks(ROOT / "docs" / "testing.md")
    pytester.makepyfile("\n\n".join(shown))
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=len(shown))


class Newcomer:
    """Somebody who pastes the commands of a page into a shell, with an embedded Postgres of their own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("HOLDFAST_", "PG"))}
        # Not resolved: the interpreter of a virtual environment is a link, and its commands lie beside the link.
        programs = os.pathsep.join([os.path.dirname(sys.executable), clean.get("PATH", os.defpath)])  # noqa: PTH120
        self.environment = clean | {"HOME": str(home), "PATH": programs, "HOLDFAST_DATA_DIR": str(home / "data")}
        # Kept running, or every command would start and stop it.
        self.server = EmbeddedServer.start(home / "data")

    def paste(self, text: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-e"],
            input=text,
            cwd=self.home,
            env=self.environment | environment,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def does(self, text: str, **environment: str) -> str:
        """What is printed. Nothing goes wrong on the way."""
        done = self.paste(text, **environment)
        assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"
        assert "error" not in done.stderr.lower(), done.stderr
        return done.stdout

    def waits(self, holds: Callable[[], bool]) -> bool:
        """Ask again and again, each time by a command."""
        return any(holds() for _ in range(60))


@pytest.fixture
def newcomer() -> Iterator[Newcomer]:
    if os.environ.get("TEST_DSN"):
        pytest.skip("it is about the embedded server")
    home = Path(tempfile.mkdtemp(prefix="holdfast-newcomer-"))
    home.chmod(0o711)
    newcomer = Newcomer(home)
    yield newcomer
    newcomer.server.stop()
    shutil.rmtree(home, ignore_errors=True)


def test_the_commands_of_the_readme_do_what_it_says(newcomer: Newcomer) -> None:
    readme = ROOT / "README.md"
    script, handlers = blocks(readme)
    enqueue, get_out, lie = blocks(readme, "sh")
    (newcomer.home / "shop").mkdir()
    (newcomer.home / "shop" / "work.py").write_text(handlers)
    (newcomer.home / "script.py").write_text(script)
    worker = ["holdfast", "worker", "--app", "shop.work:app"]
    assert f"`{' '.join(worker)}`" in readme.read_text(encoding="utf-8")
    # The tenant of `make up` is there, too.
    newcomer.does("holdfast tenants add northwind; holdfast users add -t northwind nora")
    assert "user.created" in newcomer.does("python script.py")
    working = subprocess.Popen([sys.executable, "-m", *worker], cwd=newcomer.home, env=newcomer.environment)
    try:
        count = "holdfast postgres psql -Atc 'SELECT count(*) FROM holdfast.run_worker'"
        assert newcomer.waits(lambda: newcomer.does(count).strip() == "1")
        said = newcomer.does(enqueue)
        assert "billing.invoice_charge.v1" in said

        def run() -> dict[str, object]:
            shown: dict[str, object] = json.loads(newcomer.does(f"holdfast runs show -t acme {said.split()[0]} --json"))
            run = shown["run"]
            assert isinstance(run, dict)
            return run

        assert newcomer.waits(lambda: run()["status"] == "succeeded")
        assert run()["max_attempts"] == 5
        seen = newcomer.does(get_out)
        assert "(0 rows)" in seen
        assert re.findall(r"^ (\w+)\s*$", seen.partition("BEGIN")[2], re.MULTILINE)[1:] == ["ana", "ben"]
        assert newcomer.does("holdfast audit verify").count("holds") == 2
        lied = newcomer.paste(lie)
        assert lied.returncode == 1
        assert lied.stdout.count("its content does not match its hash") == 2
        newcomer.does(lie.replace("user:eve", "system:system"))
    finally:
        working.terminate()
        working.wait(timeout=60)


SEED = """
import asyncio
import holdfast as hf
from holdfast import demo

async def main():
    async with hf.Holdfast() as app:
        await demo.seed(app)

asyncio.run(main())
"""


def test_a_backup_is_restored_by_the_commands_of_the_page(newcomer: Newcomer) -> None:
    back_up, restore, elsewhere = blocks(ROOT / "docs" / "operating.md", "sh")
    (newcomer.home / "seed.py").write_text(SEED)
    look = (
        "for what in 'tenants list' 'runs list -t northwind' 'audit list -t northwind'; do holdfast $what --json; done"
    )
    before = newcomer.does(f"python seed.py\n{look}")
    newcomer.does(back_up)
    directory = str(newcomer.home / "restored")
    assert "northwind: 113 chains" in newcomer.does(restore.replace("/srv/holdfast", directory))
    assert newcomer.does(look, HOLDFAST_DATA_DIR=directory) == before
    # The embedded server is also the one of your own here, with its programs, and a login that is no superuser.
    where = conninfo_to_dict(newcomer.server.dsn())
    own = {"PGHOST": str(where["host"]), "PGUSER": str(where["user"]), "PGDATABASE": str(where["dbname"])}
    own["PATH"] = f"{newcomer.server.binary('psql').parent}:{newcomer.environment['PATH']}"
    own["HOLDFAST_ADMIN_DSN"] = f"host={where['host']} user=admin dbname=holdfast"
    own["EMPTY_DATABASE"] = f"host={where['host']} user=admin dbname=other"
    own["HOLDFAST_DSN"] = f"host={where['host']} user=holdfast_worker dbname=other"
    newcomer.does("psql -qc 'CREATE ROLE admin LOGIN CREATEROLE' -c 'GRANT holdfast_owner TO admin'", **own)
    newcomer.does("psql -qc 'CREATE DATABASE other OWNER admin'", **own)
    assert newcomer.does(elsewhere + look, **own) == before


def test_sql_of_ones_own_enters_a_tenant(newcomer: Newcomer) -> None:
    (enter,) = blocks(ROOT / "docs" / "tenancy.md", "sh")
    newcomer.does("holdfast tenants add globex")
    newcomer.does(enter.replace("psql", "psql -v ON_ERROR_STOP=1"))
    (event,) = json.loads(newcomer.does("holdfast outbox list -t globex --json"))
    assert (event["type"], event["subject"]) == ("shop.ordered.v1", "order/42")


def spoken(path: Path) -> list[list[str]]:
    """Every `holdfast …` that a page writes as code, in words."""
    text = re.sub(r"```python\n.*?```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    lines = [line.strip() for line in text.splitlines() if line.startswith("    ")]
    lines += [line for block in blocks(path, "sh") for line in block.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", text)
    return [
        words[words.index("holdfast") + 1 :]
        for words in (re.split(r"\s+#\s|\s\|\s|;|&", line)[0].split() for line in lines)
        if "holdfast" in words
        and words.index("holdfast") == sum("=" in word for word in words[: words.index("holdfast")])
    ]


@pytest.mark.parametrize("path", [path for path in DOCS if spoken(path)], ids=lambda path: str(path.relative_to(ROOT)))
def test_every_command_and_option_that_a_page_names_exists(path: Path) -> None:
    for words in spoken(path):
        name = words[0] if words else ""
        if not re.fullmatch(r"[a-z-]+", name) or name.startswith("-"):
            continue
        assert name in COMMANDS, f"{path.name}: holdfast {' '.join(words)}"
        command: object = load(name)
        rest = words[1:]
        while found := getattr(command, "commands", None):
            if not rest or not re.fullmatch(r"[a-z|-]+", rest[0]):
                break
            inner = rest.pop(0).split("|")
            assert set(inner) <= set(found), f"{path.name}: holdfast {' '.join(words)}"
            command = found[inner[0]]
        else:
            if name == "postgres":
                continue
            known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}  # type: ignore[attr-defined]  # a command of Click
            given = {word.split("=")[0] for word in rest if re.match(r"--?[a-z]", word)}
            assert given <= known | {"--help"}, f"{path.name}: holdfast {' '.join(words)}"
