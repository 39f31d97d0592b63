"""The version of LangGraph: one that loses prompts is refused where graphs are registered, and by the database."""

from __future__ import annotations

from importlib import metadata
from typing import Any
from uuid import UUID

import psycopg
import pytest
from langgraph.types import Interrupt

from holdfast import Holdfast
from holdfast.errors import ExtraMissing, SessionInputError
from sessions.conftest import asking, ended, settled, working
from sessions.test_states import put

Row = dict[str, Any]


@pytest.mark.parametrize(
    ("version", "fine"),
    [("1.2.0", False), ("1.2.11", False), ("1.2.19", False), ("1.2.20", True), ("1.3.0", True), ("1.2.20rc1", False)],
)
def test_a_library_that_is_too_old_is_named_when_a_graph_is_registered(
    version: str, fine: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = metadata.version
    monkeypatch.setattr(metadata, "version", lambda name: version if name == "langgraph" else real(name))
    app = Holdfast()
    if fine:
        app.graph("asking", asking)
        return
    with pytest.raises(ExtraMissing, match=rf"LangGraph {version} .*1\.2\.20") as caught:
        app.graph("asking", asking)
    assert caught.value.hint == "pip install -U 'holdfast[langgraph]'"
    assert len(app.graphs) == 0


async def test_a_graph_that_stops_without_a_question_fails_its_session(
    live: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As older libraries do: a second question under the id of the first, which has been answered."""
    from holdfast.sessions import execution

    real = execution.Execution._wait

    async def same_id(self: Any, interrupts: Any) -> str:
        return await real(self, tuple(Interrupt(value=one.value, id="always-the-same") for one in interrupts))

    monkeypatch.setattr(execution.Execution, "_wait", same_id)
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("asking", {"n": 0}, name="s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await hold.sessions.answer("s", "yes", prompt_id="always-the-same")
        done = await ended(live, "s")
    assert done.status == "failed"
    assert "has no open prompt" in (done.error_message or "")


def test_the_database_lets_no_session_wait_for_nobody(app: Holdfast, superuser: psycopg.Connection[Row]) -> None:
    made = put(superuser, "running")
    superuser.execute("DELETE FROM holdfast.session_prompts")
    with pytest.raises(psycopg.Error, match="has no open prompt") as caught:
        superuser.execute("UPDATE holdfast.workflow_sessions SET status = 'waiting_for_input' WHERE id = %s", [made])
    assert caught.value.sqlstate == "HF001"


@pytest.mark.parametrize(
    "change",
    [
        "DELETE FROM holdfast.session_prompts WHERE workflow_session_id = %s",
        "UPDATE holdfast.session_prompts SET status = 'withdrawn', closed_at = now() WHERE workflow_session_id = %s",
    ],
)
def test_the_last_open_prompt_of_a_waiting_session_stays(
    app: Holdfast, superuser: psycopg.Connection[Row], change: Any
) -> None:
    made: UUID = put(superuser, "waiting_for_input")
    with pytest.raises(psycopg.Error, match="has no open prompt"):
        superuser.execute(change, [made])
    superuser.execute("DELETE FROM holdfast.workflow_sessions WHERE id = %s", [made])


async def test_an_answer_names_its_prompt(live: Holdfast) -> None:
    """Sent twice, it must not answer the next question too."""
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("asking", {"n": 0}, name="s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            (prompt,) = await hold.sessions.prompts("s")
            with pytest.raises(SessionInputError, match="which prompt") as caught:
                await hold.sessions.answer("s", "yes")
            assert caught.value.details["field"] == "prompt_id"
            assert caught.value.details["prompts"] == [{"prompt_id": prompt.prompt_id, "prompt": "Is 1 right?"}]
            assert (await hold.sessions.get("s")).status == "waiting_for_input"
