"""An application's own code is known wherever its documents are worked on: in the server and in every command."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

import holdfast as hf
from holdfast.cli.loading import load_app
from holdfast.errors import SettingsError

APPLICATION = """
import holdfast as hf
from holdfast.actions import Call
from holdfast.envelope import Contract

app = hf.Holdfast()
app.contracts.add(
    Contract(entity_type="bill", document={"type": "object", "properties": {"number": {"type": "string"}}}),
    allowed={"delete": ["controller"]},
)
SLOTS = {
    "slot:submitted_to_approved": {
        "nodes": [
            {"id": "post", "type": "action", "config": {"action": "ledger.post", "save_as": "posting"}},
            {"id": "pass", "type": "action", "config": {"action": "process.approve"}},
        ],
        "edges": [{"source": "post", "target": "pass"}, {"source": "pass", "target": "out"}],
    }
}


@app.action("ledger.post", input={"type": "object"}, output={"type": "object"}, permission="documents:write")
async def post(call: Call, given: dict) -> dict:
    return {"entry": "GL-1"}
"""

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
async def token(holdfast_app: hf.Holdfast, tmp_path: Path) -> str:
    """A tenant that works with the application, and the token of an author of it."""
    (tmp_path / "bureau.py").write_text(APPLICATION)
    namespace: dict[str, object] = {}
    exec(compile(APPLICATION, "bureau.py", "exec"), namespace)
    own = namespace["app"]
    assert isinstance(own, hf.Holdfast)
    await holdfast_app.tenants.create("acme")
    async with holdfast_app.tenant("acme") as hold:
        await hold.users.create("cleo", roles=["author"])
        declared = own.contracts.declared("bill")
        assert declared is not None
        await hold.definitions.register(declared.contract)
        draft = await hold.definitions.create_draft("bill", namespace["SLOTS"])  # type: ignore[arg-type]
        await hold.definitions.publish(draft.id)
        return (await hold.tokens.create("cleo", "test")).secret


@pytest.fixture
def run(holdfast_dsn: str, tmp_path: Path) -> Run:
    def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "holdfast", *arguments],
            env=_environment(holdfast_dsn) | environment,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return command


def _environment(dsn: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("HOLDFAST_")}
    return clean | {"HOLDFAST_DSN": dsn, "COLUMNS": "200"}


@contextmanager
def serving(dsn: str, directory: Path, *arguments: str, **environment: str) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "holdfast", "serve", "--port", "0", *arguments],
        env=_environment(dsn) | environment,
        cwd=directory,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        said = ""
        for line in process.stderr:
            said += line
            if found := re.search(r"listening on (\S+);", line):
                yield found[1]
                return
        pytest.fail(f"it did not start:\n{said}")
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.mark.parametrize("named", ["--app", "HOLDFAST_APP"])
def test_the_server_knows_the_applications_actions_and_roles(
    named: str, holdfast_dsn: str, tmp_path: Path, token: str
) -> None:
    arguments = ["--app", "bureau:app"] if named == "--app" else []
    environment = {} if arguments else {"HOLDFAST_APP": "bureau:app"}
    headers = {"Authorization": f"Bearer {token}", "If-Match": "*"}
    with (
        serving(holdfast_dsn, tmp_path, *arguments, **environment) as address,
        httpx.Client(base_url=f"{address}/v1/acme", headers=headers) as client,
    ):
        bill = client.post("/documents", json={"entity_type": "bill", "data": {"number": "1"}}).json()["id"]
        refused = client.delete(f"/documents/{bill}")
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
        assert client.post("/actions/ledger.post", json={}).json() == {"entry": "GL-1"}
        moved = client.post(f"/documents/{bill}/transitions", json={"transition": "submit"})
        # The action behind it is a worker's to call.
        assert (moved.status_code, moved.json()["doc_status"]) == (200, "submitted")


def test_every_command_knows_the_application(run: Run, token: str) -> None:
    own = {"HOLDFAST_APP": "bureau:app"}
    made = run("documents", "create", "-t", "acme", "bill", '{"number": "1"}', **own)
    moved = run("documents", "transition", "-t", "acme", made.stdout.strip(), "submit", **own)
    assert "submitted" in moved.stdout, moved.stderr
    assert json.loads(run("actions", "call", "-t", "acme", "ledger.post", **own).stdout) == {"entry": "GL-1"}
    assert "ledger.post" in run("actions", "list", **own).stdout


def test_who_lacks_the_application_is_told_how_to_name_it(run: Run, token: str) -> None:
    missing = run("actions", "call", "-t", "acme", "ledger.post")
    assert missing.returncode == 1
    assert "HOLDFAST_APP" in missing.stderr
    wrong = run("actions", "call", "-t", "acme", "ledger.post", HOLDFAST_APP="bureau")
    assert (wrong.returncode, "write it as module:name" in wrong.stderr) == (1, True)


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("import holdfast as hf\n\napp = hf.Holdfast(\n", "shop.work:app", ["shop/work.py, line 3", "never closed"]),
        ("x = 1\n  y = 2\n", "shop.work:app", ["shop/work.py, line 2", "unexpected indent"]),
        ("\nimport stripe_of_nobody\n", "shop.work:app", ["shop/work.py, line 2", "'stripe_of_nobody'", "install"]),
        ("from json import nothing_of_this\n", "shop.work:app", ["shop/work.py, line 1", "nothing_of_this"]),
        ("import json\n\njson.loads('{')\n", "shop.work:app", ["shop/work.py, line 3", "JSONDecodeError"]),
        ("\n\nundefined_name\n", "shop.work:app", ["shop/work.py, line 3", "undefined_name"]),
        ("\nimport shop.broken\n", "shop.work:app", ["shop/broken.py, line 1"]),
        ("import holdfast as hf\n\nhf.Holdfast(nonsense=1)\n", "shop.work:app", ["shop/work.py, line 3", "nonsense"]),
        (
            "import holdfast as hf\napplication = hf.Holdfast()\n",
            "shop.work:app",
            ["no 'app'", "shop.work:application"],
        ),
        ("other = 1\n", "shop.work:app", ["no 'app'", "name the Holdfast in it"]),
        ("\ndef app():\n    return 1 / 0\n", "shop.work:app", ["shop/work.py, line 3", "ZeroDivisionError"]),
        ("async def app():\n    return None\n", "shop.work:app", ["coroutine, not a Holdfast"]),
        ("def app(needed):\n    return None\n", "shop.work:app", ["function, not a Holdfast"]),
        ("class app:\n    pass\n", "shop.work:app", ["is a app, not a Holdfast"]),
        ("x = 1\n", "shop.wok:app", ["no module 'shop.wok'"]),
        ("x = 1\n", "shop.work.deep:app", ["no module 'shop.work.deep'"]),
        ("x = 1\n", "sh op:app", ["no module 'sh op'"]),
        ("x = '\0'\n", "shop.work:app", ["shop.work", "null bytes"]),
        ("raise SystemExit('not on a Sunday')\n", "shop.work:app", ["shop/work.py, line 1", "not on a Sunday"]),
    ],
)
def test_what_is_wrong_with_an_application_is_said_in_one_line_with_its_place(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, source: str, target: str, said: list[str]
) -> None:
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "work.py").write_text(source)
    (tmp_path / "shop" / "broken.py").write_text("def f(:\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    known = set(sys.modules)
    try:
        with pytest.raises(SettingsError) as caught:
            load_app(target)
    finally:
        for name in set(sys.modules) - known:
            del sys.modules[name]
    for words in said:
        assert words in str(caught.value)
    assert "\n" not in caught.value.message


def test_an_application_that_does_not_parse_is_one_line_of_a_worker(run: Run, tmp_path: Path) -> None:
    (tmp_path / "work.py").write_text("import holdfast as hf\n\napp = hf.Holdfast(\n")
    done = run("worker", "--app", "work:app")
    (line,) = done.stderr.splitlines()
    assert (done.returncode, done.stdout) == (1, "")
    assert line.startswith("holdfast: work.py, line 3: ")
