"""`holdfast sessions` and `holdfast session-definitions`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from holdfast import Holdfast
from holdfast.cli import cli
from holdfast.errors import Conflict, InvalidInput, SessionInputError
from sessions.conftest import ended, settled, working
from sessions.test_definitions import GOOD


async def test_a_session_on_the_command_line(
    live: Holdfast, holdfast_dsn: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOLDFAST_DSN", holdfast_dsn)
    monkeypatch.setenv("ALLOWED_REGISTRIES", "quay.io")
    runner = CliRunner()

    async def run(*words: str, given: str | None = None) -> str:
        done = await asyncio.to_thread(runner.invoke, cli, list(words), given)
        if done.exception is not None and not isinstance(done.exception, SystemExit):
            raise done.exception
        return done.output

    given = tmp_path / "input.json"
    given.write_text('{"n": 4}')
    assert (await run("sessions", "start", "-t", "acme", "asking", f"@{given}", "--name", "s")).strip() == "s"
    async with working(live):
        await settled(live, "s", "waiting_for_input")
        assert "Is 5 right?" in await run("sessions", "show", "-t", "acme", "s")
        with pytest.raises(SessionInputError, match="which prompt") as caught:
            await run("sessions", "answer", "-t", "acme", "s", "yes")
        assert "Is 5 right?" in str(caught.value)
        monkeypatch.setattr("holdfast.cli.sessions.at_a_terminal", lambda: True)
        with pytest.raises(SessionInputError, match="which prompt"):
            await run("sessions", "answer", "-t", "acme", "s", "yes", given="n\n")
        with pytest.raises(InvalidInput, match="no JSON object"):
            await run("sessions", "edit", "-t", "acme", "s", "[1]")
        answered = await run("sessions", "answer", "-t", "acme", "s", "yes", given="y\n")
        assert "Is 5 right?" in answered
        assert "running" in answered
        told = [
            json.loads(line) for line in (await run("sessions", "follow", "-t", "acme", "s", "--json")).splitlines()
        ]
        assert [one["sequence_number"] for one in told] == list(range(1, len(told) + 1))
        assert told[-1]["content"] == {"message": "Session completed"}
        assert json.loads(await run("sessions", "list", "-t", "acme", "--json"))[0]["status"] == "completed"
        for part, names in (('{"n": 4}', ["s"]), ('{"n": 5}', []), (f"@{given}", ["s"])):
            listed = json.loads(await run("sessions", "list", "-t", "acme", "--input", part, "--json"))
            assert [one["session_name"] for one in listed] == names
        for odd in ("[4]", "null", "{", "[" * 5000):
            with pytest.raises(InvalidInput, match="--input is not"):
                await run("sessions", "list", "-t", "acme", "--input", odd)
        forked = (await run("sessions", "fork", "-t", "acme", "s")).strip()
        await ended(live, forked)
        await run("sessions", "start", "-t", "acme", "asking", '{"n": 1}', "--name", "c")
        assert "failed" in await run("sessions", "cancel", "-t", "acme", "c")
    with pytest.raises(Conflict):
        await run("sessions", "cancel", "-t", "acme", "c")
    await run("sessions", "delete", "-t", "acme", "c")
    assert "0 finished sessions" in await run("sessions", "prune")
    resource = tmp_path / "definition.yaml"
    resource.write_text(yaml.safe_dump({"kind": "WorkflowDefinition", "spec": GOOD}))
    await run("session-definitions", "register", str(resource))
    await run("session-definitions", "deprecate", GOOD["name"])
    found = {one["name"]: one["phase"] for one in json.loads(await run("session-definitions", "list", "--json"))}
    assert found[GOOD["name"]] == "Deprecated"
    await run("session-definitions", "delete", GOOD["name"])
    assert GOOD["name"] not in await run("session-definitions", "list")
