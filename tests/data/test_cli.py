"""`holdfast data`, `links` and `actions`: what people see, and exit codes when something is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from holdfast.cli import cli
from holdfast.errors import HoldfastError


@pytest.fixture
def run(holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("HOLDFAST_DSN", holdfast_dsn)
    monkeypatch.setenv("COLUMNS", "200")
    runner = CliRunner()

    def with_errors(*arguments: str, stdin: str | None = None) -> tuple[str, str]:
        done = runner.invoke(cli, arguments, input=stdin)
        if isinstance(done.exception, HoldfastError):
            raise done.exception
        assert done.exit_code == 0, (done.output, done.exception)
        return done.stdout, done.stderr

    def command(*arguments: str, stdin: str | None = None) -> str:
        return with_errors(*arguments, stdin=stdin)[0]

    command.with_errors = with_errors  # type: ignore[attr-defined]  # for the few that want both
    command("tenants", "add", "acme")
    return command


def test_keys(run: Any) -> None:
    first = int(run("data", "set", "-t", "acme", "cursor", "erp", '{"at": 1.10}', "--if-revision", "0"))
    assert run("data", "get", "-t", "acme", "cursor", "erp") == '{"at":1.1}\n'
    with pytest.raises(HoldfastError, match="has revision"):
        run("data", "set", "-t", "acme", "cursor", "erp", "1", "--if-revision", "0")
    run("data", "set", "-t", "acme", "cursor", "crm", "plain text", "--text", "--ttl", "60")
    assert run("data", "incr", "-t", "acme", "cursor", "n", "0.1", "--initial", "1") == "1.1\n"
    assert run("data", "incr", "-t", "acme", "cursor", "n", "--", "-0.1") == "1\n"
    table = run("data", "ls", "-t", "acme", "cursor")
    assert [line.split()[0] for line in table.splitlines()[2:]] == ["crm", "erp", "n"]
    assert '"plain text"' in table
    listed = json.loads(run("data", "ls", "-t", "acme", "cursor", "--prefix", "e", "--json"))
    assert [(row["key"], row["revision"], row["value"]) for row in listed] == [("erp", first, {"at": 1.1})]
    assert "--cursor" in run("data", "ls", "-t", "acme", "cursor", "--limit", "1")
    assert "cursor" in run("data", "ls", "-t", "acme")
    told = run("data", "watch", "-t", "acme", "cursor", "--after", "0", "-n", "4")
    assert [line.split()[2:4] for line in told.splitlines()] == [["set", key] for key in ("erp", "crm", "n", "n")]
    assert run("data", "rm", "-t", "acme", "cursor", "erp", "nothing") == "1\n"
    with pytest.raises(HoldfastError, match="there is no key 'erp'"):
        run("data", "get", "-t", "acme", "cursor", "erp")
    with pytest.raises(HoldfastError, match="value is not JSON"):
        run("data", "set", "-t", "acme", "cursor", "erp", "{nonsense")


def test_rules(run: Any) -> None:
    assert "10" in run("data", "rules", "-t", "acme", "n", "--max-keys", "10", "--schema", '{"type": "string"}')
    with pytest.raises(HoldfastError, match="is not of type 'string'"):
        run("data", "set", "-t", "acme", "n", "k", "1")
    assert '{"type":"string"}' in run("data", "rules", "-t", "acme", "n")
    run("data", "rules", "-t", "acme", "n", "--none")
    run("data", "set", "-t", "acme", "n", "k", "1")


def test_links_and_moving_everything(run: Any, tmp_path: Path) -> None:
    made = run(
        "links", "add", "-t", "acme", "m", "task:1", "ticket:a:b", "--relation", "mirrors", "--attributes", '{"x": 1}'
    )
    assert len(made.strip()) == 36
    assert "a:b" in run("links", "lookup", "-t", "acme", "m", "task:1")
    found = json.loads(run("links", "lookup", "-t", "acme", "m", "ticket:a:b", "-d", "reverse", "--json"))
    assert [(match["type"], match["id"]) for match in found] == [("task", "1")]
    assert "mirrors" in run("links", "ls", "-t", "acme", "m")
    assert json.loads(run("links", "ls", "-t", "acme", "--json")) == [{"namespace": "m", "link_count": 1}]
    run("data", "set", "-t", "acme", "n", "k", "12345678901234567890.5")
    moved = tmp_path / "all.jsonl"
    run("data", "export", "-t", "acme", "--to", str(moved))
    assert [json.loads(line)["kind"] for line in moved.read_text().splitlines()] == ["export", "key", "link", "end"]
    assert run("links", "rm", "-t", "acme", "m", "--from", "task:1") == "1\n"
    run("tenants", "add", "other")
    assert "1 keys and 1 links written, 0 skipped" in run("data", "import", "-t", "other", str(moved))
    assert "0 keys and 1 links written, 1 skipped" in run(
        "data", "import", "-t", "other", "-", "--on-conflict", "keep", stdin=moved.read_text()
    )
    assert run("data", "get", "-t", "other", "n", "k") == "12345678901234567890.5\n"
    with pytest.raises(HoldfastError, match="has revision"):
        run("data", "import", "-t", "other", str(moved), "--on-conflict", "fail")
    for line, message in (
        ("{", "line 1: not valid JSON"),
        ('{"kind": "spaceship"}', "neither a key nor a link"),
        ('{"kind": "key", "namespace": "n", "key": "k"}', "it lacks 'value'"),
        ('{"kind": "key", "namespace": "n", "key": "k", "value": 1, "expires": 1}', "unknown member 'expires'"),
        ('{"kind": "key", "namespace": "n", "key": "k", "value": 1, "expires_at": "soon"}', "expires_at is 'soon'"),
    ):
        with pytest.raises(HoldfastError, match=message):
            run("data", "import", "-t", "other", "-", stdin=line)
    with pytest.raises(HoldfastError, match="neither from nor to"):
        run("links", "rm", "-t", "acme", "m")
    with pytest.raises(HoldfastError, match="TYPE:ID"):
        run("links", "lookup", "-t", "acme", "m", "nonsense")


def test_a_script_can_go_on_after_a_page(run: Any) -> None:
    for number in range(3):
        run("data", "set", "-t", "acme", "n", f"k{number}", "1")
        run("data", "set", "-t", "acme", f"n{number}", "k", "1")
        run("links", "add", "-t", "acme", "m", "task:1", f"ticket:{number}")
        run("links", "add", "-t", "acme", f"m{number}", "task:1", "ticket:1")
    for command in (
        ("data", "ls", "-t", "acme", "n"),
        ("data", "ls", "-t", "acme"),
        ("links", "lookup", "-t", "acme", "m", "task:1"),
        ("links", "ls", "-t", "acme", "m"),
        ("links", "ls", "-t", "acme"),
    ):
        assert "--cursor" in run(*command, "--limit", "1")
        seen: list[Any] = []
        more: tuple[str, ...] = ()
        while True:
            page, told = run.with_errors(*command, "--limit", "2", "--json", *more)
            seen += json.loads(page)
            if not told:
                break
            more = ("--cursor", told.removeprefix("next_cursor: ").strip())
        assert len(seen) == len(json.loads(run(*command, "--json"))) >= 3


def test_a_file_that_was_cut_is_not_imported(run: Any, tmp_path: Path) -> None:
    for number in range(3):
        run("data", "set", "-t", "acme", "n", f"k{number}", '"\u2028\u0085"')
    whole = tmp_path / "all.jsonl"
    run("data", "export", "-t", "acme", "--to", str(whole))
    assert [path.name for path in tmp_path.iterdir()] == ["all.jsonl"]
    lines = whole.read_text().splitlines()
    run("tenants", "add", "other")
    for cut in (lines[:-1], [*lines[:2], *lines[3:]], [*lines[:-1], *lines]):
        with pytest.raises(HoldfastError, match="export"):
            run("data", "import", "-t", "other", "-", stdin="\n".join(cut))
    assert json.loads(run("data", "ls", "-t", "other", "--json")) == []
    # Lines of their own, and several exports one after the other.
    run("data", "import", "-t", "other", "-", stdin="\r\n".join(lines[1:3]))
    assert "3 keys" in run("data", "import", "-t", "other", str(whole))
    assert "6 keys" in run("data", "import", "-t", "other", "-", stdin="\n".join([*lines, *lines]))
    assert run("data", "get", "-t", "other", "n", "k0") == '"\u2028\u0085"\n'


def test_actions(run: Any) -> None:
    assert "store.set" in run("actions", "list")
    assert "Collection" in run("actions", "show", "links.upsert")
    given = '{"namespace": "n", "key": "k", "by": 0.5}'
    for _ in range(2):
        answer = json.loads(run("actions", "call", "-t", "acme", "store.increment", given, "--key", "once"))
        assert answer["value"] == 0.5
    with pytest.raises(HoldfastError, match="there is no action 'nothing'"):
        run("actions", "show", "nothing")
