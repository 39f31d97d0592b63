"""Designing on the command line: templates, simulations, test cases, what-ifs, expressions, uses."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from holdfast.cli import cli

Run = Callable[..., Result]


@pytest.fixture
def run(holdfast_dsn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("HOLDFAST_DSN", holdfast_dsn)
    monkeypatch.setenv("COLUMNS", "250")
    monkeypatch.chdir(tmp_path)

    def command(*arguments: str) -> Result:
        return CliRunner().invoke(cli, list(arguments))

    assert command("tenants", "add", "acme").exit_code == 0
    return command


def good(result: Result) -> str:
    assert result.exit_code == 0, result.output + repr(result.exception)
    return result.stdout.strip()


def test_a_template_is_used_tested_simulated_and_published(run: Run, tmp_path: Path) -> None:
    assert "invoice_approval" in good(run("templates", "list"))
    assert json.loads(good(run("templates", "show", "fast_track")))["info"]["name"] == "fast_track"
    good(run("roles", "define", "-t", "acme", "controller", "-p", "processes:read"))
    draft = good(run("templates", "use", "-t", "acme", "fast_track"))
    kind = json.loads(good(run("templates", "show", "fast_track")))["info"]["entity_type"]
    ran = good(run("test-cases", "run", "-t", "acme", kind, "--definition", draft))
    assert "passed" in ran
    assert "failed" not in ran
    (tmp_path / "script.yaml").write_text('document: {number: "1", amount: "20.00", requested_by: emil}\nscript: []\n')
    told = good(run("definitions", "simulate", "-t", "acme", "script.yaml", "--definition", draft))
    assert "the process begins" in told
    assert "+ node" in good(run("definitions", "changes", "-t", "acme", draft))
    (tmp_path / "case.yaml").write_text("name: never\nexpect: {doc_status: nowhere}\n")
    good(run("test-cases", "keep", "-t", "acme", kind, "case.yaml"))
    assert "never" in good(run("test-cases", "list", "-t", "acme", kind))
    assert run("test-cases", "run", "-t", "acme", kind, "--definition", draft).exit_code == 1
    refused = run("definitions", "publish", "-t", "acme", draft)
    assert refused.exit_code == 1
    assert "never" in str(refused.exception)
    good(run("test-cases", "delete", "-t", "acme", kind, "never"))
    assert "published" in good(run("definitions", "publish", "-t", "acme", draft))
    assert "yours" in good(run("definitions", "upgrade", "-t", "acme", draft))
    asked = good(run("what-ifs", "start", "-t", "acme", draft, "--most", "10"))
    assert asked in good(run("what-ifs", "list", "-t", "acme", kind))
    assert json.loads(good(run("what-ifs", "show", "-t", "acme", asked, "--json")))["groups"] == []
    assert "cancelled" in good(run("what-ifs", "cancel", "-t", "acme", asked))
    wrong = run("expressions", "check", "-t", "acme", "entity.amuont > 5", "--type", kind)
    assert wrong.exit_code == 1
    assert "amount" in wrong.stdout


def test_expressions_are_formatted_and_tried_and_uses_are_told(run: Run) -> None:
    assert good(run("expressions", "format", "-t", "acme", "entity.a>1")) == "entity.a > 1"
    tried = good(run("expressions", "try", "-t", "acme", "entity.a > 1", '{"a": 2}'))
    assert tried == "true because 2 > 1"
    assert run("expressions", "try", "-t", "acme", "entity.a > 1", "{}").exit_code == 1
    assert "none" in good(run("used-by", "-t", "acme", "chain", "big"))
    assert run("used-by", "-t", "acme", "planet", "mars").exit_code == 1
