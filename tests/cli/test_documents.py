"""Documents and definitions on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdfast.cli import cli

CONTRACT = """
entity_type: invoice
document:
  type: object
  required: [number]
  properties:
    number: {type: string}
    total: {type: number}
"""
DEFINITION = """
base_ref: {entity_type: invoice, envelope_version: 1}
slots:
  slot:submitted_to_approved:
    nodes:
      - {id: pass, type: action, config: {action: process.approve}}
    edges:
      - {source: pass, target: out}
      - {source: pass, target: out, outcome: error}
    exit_edge_mode: join
"""

Run = Callable[..., Result]


@pytest.fixture
def run(holdfast_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("HOLDFAST_DSN", holdfast_dsn)
    monkeypatch.setenv("COLUMNS", "250")
    (tmp_path / "contract.yaml").write_text(CONTRACT)
    (tmp_path / "definition.yaml").write_text(DEFINITION)
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Result:
        name, verb, *rest = arguments
        return CliRunner().invoke(cli, [name, verb, "-t", "acme", *rest])

    assert CliRunner().invoke(cli, ["tenants", "add", "acme"]).exit_code == 0
    assert command("contracts", "register", "contract.yaml").exit_code == 0
    return command


def good(result: Result) -> str:
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout.strip()


def test_a_document_from_its_creation_to_its_end(run: Run, tmp_path: Path) -> None:
    made = good(run("documents", "create", "invoice", '{"number": "1", "total": 1.50}', "--key", "k"))
    assert good(run("documents", "create", "invoice", '{"number": "1", "total": 1.5}', "--key", "k")) == made
    (tmp_path / "change.json").write_text('{"total": 2}')
    good(run("documents", "update", made, "@change.json", "--if-version", "1", "--reason", "typo"))
    assert '{"number":"1","total":2}' in good(run("documents", "show", made))
    assert good(run("documents", "show", made, "--version", "1")) == '{"number":"1","total":1.5}'
    versions = json.loads(good(run("documents", "versions", made, "--json")))
    assert [each["version"] for each in versions] == [2, 1]
    differs = json.loads(good(run("documents", "compare", made, "1", "--json")))
    assert [(each["place"], each["after"]) for each in differs] == [("total", 2)]
    assert "submitted" in good(run("documents", "transition", made, "submit"))
    assert "amended" in good(run("documents", "amend", made, '{"total": 3}'))
    differs = json.loads(good(run("documents", "compare", made, "--json")))
    assert [(each["place"], each["before"], each["after"]) for each in differs] == [("total", 2, 3)]
    listed = json.loads(good(run("documents", "list", "invoice", "--json")))
    assert {each["doc_status"] for each in listed} == {"amended"}
    good(run("documents", "delete", listed[0]["id"], "--reason", "twice"))
    assert len(json.loads(good(run("documents", "list", "invoice", "--json")))) == 1


def test_mistakes_are_said_in_one_line(run: Run) -> None:
    for arguments, says in (
        (("documents", "create", "invoice", "{"), "not JSON"),
        (("documents", "create", "invoice", "[1]"), "no object"),
        (("documents", "create", "invoice", "@missing.yaml"), "cannot be read"),
        (("documents", "create", "invoice", "{}"), "required property"),
        (("rules", "put", "r", "{}"), "effect is missing"),
        (
            ("rules", "put", "r", '{"entity_type": "invoice", "timing": "after", "effect": "note", "x": 1}'),
            "a rule has no 'x'",
        ),
        (("definitions", "draft", "contract.yaml"), "no definition"),
        (("definitions", "rollback", "invoice", "9"), "no version 9"),
    ):
        result = run(*arguments)
        assert result.exit_code == 1, arguments
        assert says in str(result.exception), (arguments, result.exception)


def test_rules_on_the_command_line(run: Run) -> None:
    good(
        run(
            "rules",
            "put",
            "small",
            '{"entity_type": "invoice", "timing": "before", "effect": "reject", "condition": "entity.total > 10"}',
        )
    )
    assert "small" in good(run("rules", "list"))
    assert run("documents", "create", "invoice", '{"number": "1", "total": 11}').exit_code == 1
    good(run("rules", "delete", "small"))
    assert json.loads(good(run("rules", "list", "--json"))) == []


def test_a_definition_from_file_to_rollback(run: Run, tmp_path: Path) -> None:
    assert "compiles" in good(run("definitions", "validate", "definition.yaml"))
    draft = good(run("definitions", "draft", "definition.yaml", "--note", "fast lane"))
    assert "effective" in good(run("definitions", "publish", draft))
    listed = json.loads(good(run("definitions", "list", "invoice", "--json")))
    current = next(each for each in listed if each["status"] == "published" and each["definition_kind"] == "effective")
    first = next(each for each in listed if each["definition_kind"] == "effective" and each["version"] == 1)
    assert "usr:slot:submitted_to_approved:pass" in good(run("definitions", "show", current["id"]))
    assert good(run("definitions", "show", current["id"], "--mermaid")).startswith("flowchart")
    assert "pass" in good(run("definitions", "diff", first["id"], current["id"]))
    assert "effective" in good(run("definitions", "rollback", "invoice", "1"))
    assert "effective" in good(run("definitions", "rollback", "invoice", "2"))
    assert "effective" in good(run("definitions", "archive", "invoice"))
    assert "none" in good(run("definitions", "recompile"))
    newer = CONTRACT + "version: 2\ntitle: newer\n"
    (tmp_path / "newer.yaml").write_text(newer)
    good(run("contracts", "register", "newer.yaml"))
    assert json.loads(good(run("contracts", "list", "--json")))[0]["version"] == 2
    assert "carried over: slot:submitted_to_approved" in good(run("definitions", "rebase", draft))
    (tmp_path / "broken.yaml").write_text(DEFINITION.replace("type: action", "type: fly"))
    broken = run("definitions", "validate", "broken.yaml")
    assert broken.exit_code == 1
    assert "node.unknown_type" in broken.stdout
