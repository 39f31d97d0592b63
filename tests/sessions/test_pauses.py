"""Graphs compiled to stop before or after a node wait there for a person, and go on when somebody says so."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.types import interrupt

from holdfast import Holdfast
from holdfast.sessions import Prompt
from sessions.conftest import Count, ended, messages, settled, working

Row = dict[str, Any]


def line(*names: str) -> StateGraph[Any]:
    graph = StateGraph(Count)
    before = START
    for name in names:
        graph.add_node(name, lambda state, name=name: {"log": [name]})
        graph.add_edge(before, name)
        before = name
    graph.add_edge(before, END)
    return graph


async def begin(app: Holdfast, graph: Any, **more: Any) -> None:
    app.graph("paused", graph, **more)
    await app.publish_graphs()
    async with app.tenant("acme") as hold:
        await hold.sessions.start("paused", {"n": 0}, name="s")


async def asked(app: Holdfast) -> Prompt:
    await settled(app, "s", "waiting_for_input", "completed", "failed")
    async with app.tenant("acme") as hold:
        (prompt,) = await hold.sessions.prompts("s")
    return prompt


async def go_on(app: Holdfast, prompt: Prompt, value: Any = "go on") -> None:
    async with app.tenant("acme") as hold:
        await hold.sessions.answer("s", value, prompt_id=prompt.prompt_id)


async def test_a_graph_stops_before_a_node_until_somebody_lets_it_go_on(live: Holdfast) -> None:
    await begin(live, line("draft", "send", "file").compile(interrupt_before=["send"]))
    async with working(live):
        prompt = await asked(live)
        assert prompt.content == {"prompt": "Go on with send?", "next": ["send"]}
        assert prompt.response_schema is None
        (told,) = [one for one in await messages(live, "s") if one.message_type == "workflow_waiting_for_input"]
        assert told.content == {"prompt_id": prompt.prompt_id, **prompt.content}
        await go_on(live, prompt, {"any": "answer"})
        done = await ended(live, "s")
    assert (done.status, done.output_data["log"]) == ("completed", ["draft", "send", "file"])


async def test_a_graph_stops_after_a_node_each_time(live: Holdfast) -> None:
    await begin(live, line("a", "b", "c").compile(interrupt_after="*"))
    async with working(live):
        for then in ("b", "c"):
            prompt = await asked(live)
            assert prompt.content["next"] == [then]
            await go_on(live, prompt)
        done = await ended(live, "s")
    # After the last node nothing comes next: there is nothing to let go on.
    assert done.output_data["log"] == ["a", "b", "c"]


async def test_a_stop_inside_a_subgraph_is_waited_at_too(live: Holdfast) -> None:
    outer = StateGraph(Count)
    outer.add_node("inner", line("x", "y").compile(interrupt_before=["y"]))
    outer.add_node("last", lambda state: {"log": ["last"]})
    outer.add_edge(START, "inner")
    outer.add_edge("inner", "last")
    await begin(live, outer)
    async with working(live):
        prompt = await asked(live)
        assert prompt.content["next"] == ["inner/y"]
        await go_on(live, prompt)
        done = await ended(live, "s")
    assert done.output_data["log"] == ["x", "y", "last"]


@pytest.mark.parametrize("when", [{"interrupt_before": ["send"]}, {"interrupt_after": ["draft"]}])
async def test_an_attempt_that_dies_before_it_asked_does_not_skip_the_stop(
    live: Holdfast, superuser: psycopg.Connection[Row], when: dict[str, Any]
) -> None:
    """The checkpoint before the node is saved, the prompt is not: the next attempt must ask, not go on."""
    await begin(live, line("draft", "send").compile(**when))
    async with working(live):
        await asked(live)
    # As if the attempt had been lost between its last checkpoint and its prompt.
    superuser.execute("SET session_replication_role = replica")
    superuser.execute("DELETE FROM holdfast.session_prompts")
    superuser.execute("UPDATE holdfast.workflow_sessions SET status = 'running'")
    superuser.execute("SELECT holdfast.enqueue_session(tenant, id, 'x', now()) FROM holdfast.workflow_sessions")
    superuser.execute("SET session_replication_role = origin")
    async with working(live):
        prompt = await asked(live)
        assert prompt.content["next"] == ["send"]
        await go_on(live, prompt)
        assert (await ended(live, "s")).output_data["log"] == ["draft", "send"]


@pytest.mark.parametrize("when", [{"interrupt_before": ["send"]}, {"interrupt_after": ["draft"]}])
async def test_an_edit_at_a_stop_is_shown_to_somebody_before_it_goes_on(live: Holdfast, when: dict[str, Any]) -> None:
    await begin(live, line("draft", "send").compile(**when))
    async with working(live):
        first = await asked(live)
        async with live.tenant("acme") as hold:
            await hold.sessions.edit("s", {"note": "edited"})
        again = await asked(live)
        assert again.prompt_id != first.prompt_id
        assert again.content["next"] == ["send"]
        await go_on(live, again)
        done = await ended(live, "s")
    assert (done.output_data["note"], done.output_data["log"]) == ("edited", ["draft", "send"])


async def test_a_question_of_a_node_and_a_stop_before_it_are_two_prompts(live: Holdfast) -> None:
    graph = StateGraph(Count)
    graph.add_node("ask", lambda state: {"log": [interrupt("how?")]})
    graph.add_edge(START, "ask")
    await begin(live, graph.compile(interrupt_before=["ask"], interrupt_after=["ask"]))
    async with working(live):
        prompt = await asked(live)
        assert prompt.content["next"] == ["ask"]
        await go_on(live, prompt)
        question = await asked(live)
        assert question.content == {"prompt": "how?"}
        await go_on(live, question, "so")
        assert (await ended(live, "s")).output_data["log"] == ["so"]
