"""Messages: who said what, in the order in which it was said, each with the content of its type."""

from __future__ import annotations

import logging
import operator
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import psycopg
import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.config import get_stream_writer
from langgraph.graph import START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt
from psycopg import errors as pg

from holdfast import Holdfast
from holdfast.sessions import Message
from sessions.conftest import Count, ended, messages, settled, working

Row = dict[str, Any]


class Talk(TypedDict, total=False):
    said: Annotated[list[AnyMessage], add_messages]
    question: str


class Plain(TypedDict, total=False):
    said: list[BaseMessage]


@dataclass
class Parcel:
    weight: int


async def play(app: Holdfast, graph: Any, given: Any = None, answer: Any = None) -> list[Message]:
    """What is told of a session of the graph, until it has ended."""
    app.graph("talk", graph)
    await app.publish_graphs()
    async with working(app):
        async with app.tenant("acme") as hold:
            await hold.sessions.start("talk", given or {}, name="s")
        if answer is not None:
            await settled(app, "s", "waiting_for_input")
            async with app.tenant("acme") as hold:
                (prompt,) = await hold.sessions.prompts("s")
                await hold.sessions.answer("s", answer, prompt_id=prompt.prompt_id)
        done = await ended(app, "s")
        assert done.status == "completed", done.error_message
    return await messages(app, "s")


def words(told: list[Message]) -> list[tuple[str, str]]:
    """What was said, by whom; pieces of one message together."""
    found: list[tuple[str, str, str]] = []
    for one in told:
        if one.message_type in ("agent", "user"):
            text = one.content["message" if one.message_type == "agent" else "response"]
            name = one.content["metadata"].get("id", "")
            if found and found[-1][1] == name != "":
                found[-1] = (found[-1][0], name, found[-1][2] + text)
            else:
                found.append((one.message_type, name, text))
    return [(kind, text) for kind, _, text in found]


async def test_what_a_subgraph_reports_and_says_comes_before_its_step_is_finished(live: Holdfast) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("from within")]))

    async def speak(state: Talk) -> Talk:
        get_stream_writer()({"message": "half way", "progress": 0.5})
        return {"said": [await model.ainvoke("?")]}

    inner = StateGraph(Talk)
    inner.add_node("speak", speak)
    inner.add_edge(START, "speak")
    outer = StateGraph(Talk)
    outer.add_node("work", inner.compile())
    outer.add_node("after", lambda state: {"said": [AIMessage("and after")]})
    outer.add_edge(START, "work")
    outer.add_edge("work", "after")
    told = await play(live, outer)
    order = [one.content.get("message", "") for one in told]
    assert order[0] == "Session started"
    assert order[1] == "half way"
    assert "".join(order[2 : order.index("step finished")]) == "from within"
    assert words(told) == [("agent", "from within"), ("agent", "and after")]
    assert [one.content["step"] for one in told if "checkpoint" in one.content] == ["work", "after"]


async def test_what_a_graph_says_that_a_node_calls_by_itself_comes_in_order_too(live: Holdfast) -> None:
    inner = StateGraph(Talk)

    def report(state: Talk) -> Talk:
        get_stream_writer()("deep inside")
        return {"said": [AIMessage("inside")]}

    inner.add_node("report", report)
    inner.add_edge(START, "report")
    compiled = inner.compile()

    async def call(state: Talk) -> Talk:
        await compiled.ainvoke({"said": []})
        return {"said": [AIMessage("outside")]}

    outer = StateGraph(Talk)
    outer.add_node("call", call)
    outer.add_edge(START, "call")
    told = await play(live, outer)
    assert [one.content.get("message", "") for one in told] == [
        *("Session started", "deep inside", "inside", "outside", "step finished", "Session completed")
    ]


async def test_an_answer_that_a_node_adds_to_the_conversation_stays_the_persons_and_is_not_repeated(
    live: Holdfast,
) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("hello Ana")]))

    def chat(state: Talk) -> Talk:
        mine = HumanMessage(interrupt("your name?"))
        return {"said": [mine, model.invoke([mine])]}

    graph = StateGraph(Talk)
    graph.add_node("chat", chat)
    graph.add_edge(START, "chat")
    assert words(await play(live, graph, answer="Ana")) == [("user", "Ana"), ("agent", "hello Ana")]


async def test_a_node_that_returns_the_whole_conversation_repeats_nobody(live: Holdfast) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("fine"), AIMessage("really")]))

    def opening(state: Plain) -> Plain:
        return {"said": [SystemMessage("be kind"), HumanMessage("how are you?")]}

    def reply(state: Plain) -> Plain:
        return {"said": [*state["said"], model.invoke(state["said"])]}

    graph = StateGraph(Plain)
    graph.add_node("opening", opening)
    graph.add_node("reply", reply)
    graph.add_node("again", lambda state: {"said": [one.model_copy() for one in reply(state)["said"]]})
    graph.add_edge(START, "opening")
    graph.add_edge("opening", "reply")
    graph.add_edge("reply", "again")
    assert words(await play(live, graph)) == [
        *(("agent", "be kind"), ("user", "how are you?"), ("agent", "fine"), ("agent", "really"))
    ]


async def test_whose_words_they_are_is_told_with_them(live: Holdfast) -> None:
    graph = StateGraph(Talk)
    graph.add_node(
        "all", lambda state: {"said": [HumanMessage("a"), ToolMessage("b", tool_call_id="t"), AIMessage("c")]}
    )
    graph.add_edge(START, "all")
    told = [one for one in await play(live, graph) if one.message_type in ("agent", "user")]
    assert [(one.message_type, one.content["metadata"]["role"]) for one in told] == [
        *(("user", "human"), ("agent", "tool"), ("agent", "ai"))
    ]


async def test_what_the_session_was_started_with_is_not_said_again(live: Holdfast) -> None:
    model = GenericFakeChatModel(messages=iter([AIMessage("four")]))

    def chat(state: Talk) -> Talk:
        asked = HumanMessage(state["question"])
        return {"said": [asked, model.invoke([asked])]}

    graph = StateGraph(Talk)
    graph.add_node("chat", chat)
    graph.add_edge(START, "chat")
    assert words(await play(live, graph, {"question": "two and two?"})) == [("agent", "four")]


async def test_a_class_that_will_not_come_back_as_itself_is_warned_of_when_it_is_written(
    live: Holdfast, caplog: pytest.LogCaptureFixture
) -> None:
    class Loose(TypedDict, total=False):
        parcel: Any
        parcels: Annotated[list[Any], operator.add]
        fine: list[BaseMessage]

    graph = StateGraph(Loose)
    graph.add_node(
        "pack", lambda state: {"parcel": Parcel(3), "parcels": [{"it": Parcel(1)}], "fine": [AIMessage("x")]}
    )
    graph.add_node("more", lambda state: {"parcels": [Parcel(2)]})
    graph.add_edge(START, "pack")
    graph.add_edge("pack", "more")
    with caplog.at_level(logging.WARNING, "holdfast.sessions"):
        told = await play(live, graph)
    warned = [one.content for one in told if one.message_type == "system" and "channel" in one.content]
    assert [one["channel"] for one in warned] == ["parcel", "parcels"]
    assert "Parcel" in warned[0]["message"]
    assert "types=" in warned[0]["message"]
    assert sum("Parcel" in record.message for record in caplog.records if "comes back" in record.message) == 2


async def test_classes_that_were_named_are_not_warned_of_and_come_back(live: Holdfast) -> None:
    class Inner(TypedDict, total=False):
        parcel: Parcel
        seen: list[str]

    def look(state: Inner) -> Inner:
        interrupt("look")
        return {"seen": [type(state["parcel"]).__name__]}

    inner = StateGraph(Inner)
    inner.add_node("pack", lambda state: {"parcel": Parcel(1)})
    inner.add_node("look", look)
    inner.add_edge(START, "pack")
    inner.add_edge("pack", "look")

    class Outer(TypedDict, total=False):
        seen: list[str]

    outer = StateGraph(Outer)
    outer.add_node("inner", inner.compile())
    outer.add_edge(START, "inner")
    told = await play(live, outer, answer=1)
    assert not [one for one in told if "channel" in one.content]
    async with live.tenant("acme") as hold:
        assert (await hold.sessions.get("s")).output_data == {"seen": ["Parcel"]}


@pytest.mark.parametrize(
    ("wrote", "content"),
    [
        ("text", {"message": "text"}),
        (
            {"step": "a", "progress": 0.75, "message": "m", "rows": 3},
            {"step": "a", "progress": 0.75, "message": "m", "rows": 3},
        ),
        ({"progress": "75%", "step": 7}, {"message": "", "metadata": {"progress": "75%", "step": 7}}),
        ({"progress": 75}, {"message": "", "metadata": {"progress": 75}}),
        ({"progress": True, "message": ["x"]}, {"message": "", "metadata": {"progress": True, "message": ["x"]}}),
        ({"rows": 3}, {"message": "", "rows": 3}),
    ],
)
async def test_progress_has_the_content_of_its_type(live: Holdfast, wrote: Any, content: dict[str, Any]) -> None:
    def node(state: Count) -> Count:
        get_stream_writer()(wrote)
        return {"log": ["x"]}

    graph = StateGraph(Count)
    graph.add_node("node", node)
    graph.add_edge(START, "node")
    told = [one.content for one in await play(live, graph, {"n": 1}) if one.message_type == "workflow_progress"]
    assert told[0] == content


@pytest.mark.parametrize(
    ("given", "content"),
    [
        ({"question": "why?"}, {"prompt": "Input is needed", "question": "why?"}),
        ({"prompt": 7, "options": "yes"}, {"prompt": "7", "metadata": {"options": "yes"}}),
        (7, {"prompt": "7"}),
        ([{"action_request": {}}], {"prompt": "Input is needed", "value": [{"action_request": {}}]}),
        ({"prompt": {"de": "los?"}}, {"prompt": "Input is needed", "metadata": {"prompt": {"de": "los?"}}}),
        ({"prompt": "go?", "prompt_id": "mine"}, {"prompt": "go?", "prompt_id": "mine"}),
    ],
)
async def test_a_prompt_has_the_content_of_its_type_and_its_own_id(
    live: Holdfast, given: Any, content: dict[str, Any]
) -> None:
    graph = StateGraph(Count)
    graph.add_node("ask", lambda state: {"log": [interrupt(given)]})
    graph.add_edge(START, "ask")
    told = await play(live, graph, {"n": 1}, answer="yes")
    (asked,) = [one.content for one in told if one.message_type == "workflow_waiting_for_input"]
    async with live.tenant("acme") as hold:
        (prompt,) = await hold.sessions.prompts("s", open_only=False)
    assert prompt.content == content
    assert asked == content | {"prompt_id": prompt.prompt_id}
    (answered,) = [one.content for one in told if one.message_type == "user"]
    assert answered == {"response": "yes", "metadata": {"by": "system:system", "prompt_id": prompt.prompt_id}}


async def test_the_database_refuses_content_that_its_type_does_not_have(
    live: Holdfast, superuser: psycopg.Connection[Row]
) -> None:
    async with live.tenant("acme") as hold:
        await hold.sessions.start("chain", {"n": 0}, name="s")
    wrong = {
        "system": ("{}", '{"message": 1}', "[]"),
        "agent": ('{"text": "x"}',),
        "user": ('{"answer": 1}',),
        "error": ('{"message": "x"}', '{"error": {}}'),
        "workflow_progress": ("{}", '{"progress": "half"}', '{"step": 1}'),
        "workflow_waiting_for_input": ('{"options": []}', '{"prompt": "x", "options": "y"}'),
    }
    for kind, contents in wrong.items():
        for content in contents:
            with pytest.raises(pg.CheckViolation, match="session_messages_content"):
                superuser.execute(
                    "INSERT INTO holdfast.session_messages "
                    "(tenant, workflow_session_id, message_type, content, sequence_number) "
                    "SELECT tenant, id, %s, %s, 99 FROM holdfast.workflow_sessions",
                    [kind, content],
                )
