"""Registering actions: names, shapes, what a designer is told, suggestions, tools of agents."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from holdfast import Forbidden, Holdfast, InvalidInput, NotFound
from holdfast.actions import Call, Suggestion

EVERY = [
    "documents.create",
    "documents.get",
    "documents.transition",
    "documents.update",
    "http.request",
    "links.delete",
    "links.list",
    "links.list_namespaces",
    "links.lookup",
    "links.upsert",
    "notify",
    "runs.enqueue",
    "sessions.answer",
    "sessions.start",
    "store.delete",
    "store.get",
    "store.increment",
    "store.list",
    "store.list_namespaces",
    "store.set",
]
READS = {
    "documents.get",
    "links.list",
    "links.list_namespaces",
    "links.lookup",
    "store.get",
    "store.list",
    "store.list_namespaces",
}


def test_what_there_is() -> None:
    actions = {action.name: action for action in Holdfast(dsn="host=nowhere").actions}
    assert list(actions) == EVERY
    assert {name for name, action in actions.items() if not action.side_effect} == READS
    for action in actions.values():
        assert action.label
        assert action.description
        assert action.group in ("Data Store", "Documents", "Messages", "Runs", "Sessions")
        assert action.input.schema["type"] == "object"
        assert action.output.schema["type"] == "object"


def test_forms_know_labels_widgets_and_suggestions() -> None:
    app = Holdfast(dsn="host=nowhere")
    widgets = {"text", "combobox", "segmented", "expression", "json"}
    for action in app.actions:
        for name, field in action.input.schema.get("properties", {}).items():
            assert field["title"], f"{action.name}.{name} has no label"
            assert field["x-widget"] in widgets, f"{action.name}.{name}"
    lookup = app.actions.find("links.lookup").input.schema["properties"]
    assert (lookup["namespace"]["title"], lookup["namespace"]["x-widget"]) == ("Collection", "combobox")
    assert lookup["namespace"]["x-suggestions"] == "links.namespaces"
    assert lookup["direction"]["x-widget"] == "segmented"
    assert lookup["relation"]["x-suggestions"] == "links.relations"
    assert "from" in lookup
    json.dumps([action.input.schema for action in app.actions])


async def test_suggestions_are_curated_values_and_those_in_use(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.links.upsert("mirror", ("ticket", "1"), ("my_type", "2"), relation="my_relation")
        await hold.data.set("cursors", "k", 1)
        types = await hold.actions.suggestions("links.types", namespace="mirror")
        assert Suggestion("ticket", curated=True, in_use=True) in types
        assert types[-1] == Suggestion("my_type", curated=False, in_use=True)
        assert Suggestion("quote", curated=True, in_use=False) in types
        assert not any(one.in_use for one in await hold.actions.suggestions("links.types"))
        relations = await hold.actions.suggestions("links.relations", namespace="mirror", prefix="m")
        assert [one.value for one in relations] == ["mirrors", "maps_to", "my_relation"]
        assert [one.value for one in await hold.actions.suggestions("store.namespaces")] == ["cursors"]
        assert [one.value for one in await hold.actions.suggestions("links.namespaces")] == ["mirror"]
        with pytest.raises(NotFound, match=r"links\.typ"):
            await hold.actions.suggestions("links.typ")
        await hold.users.create("nobody")
    async with app.tenant("acme", actor="nobody") as hold:
        with pytest.raises(Forbidden):
            await hold.actions.suggestions("links.types")


async def test_a_json_schema_is_as_good_as_a_type(app: Holdfast) -> None:
    schema = {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}

    @app.action("test.double", input=schema, output=schema, permission="data:read", side_effect=False)
    async def double(call: Call, given: dict[str, Any]) -> dict[str, Any]:
        return {"n": given["n"] * 2 if given["n"] < 100 else -1}

    async with app.tenant("acme") as hold:
        assert await hold.actions.call("test.double", {"n": 21}) == {"n": 42}
        with pytest.raises(InvalidInput, match="less than the minimum"):
            await hold.actions.call("test.double", {"n": 0})
        with pytest.raises(InvalidInput, match="'n' is a required property"):
            await hold.actions.call("test.double")
        # What it answers is checked too.
        with pytest.raises(InvalidInput, match="-1 is less than"):
            await hold.actions.call("test.double", {"n": 100})


def test_registering_is_checked() -> None:
    app = Holdfast(dsn="host=nowhere")

    async def fine(call: Call, given: Any) -> Any: ...

    def plain(call: Call, given: Any) -> Any: ...

    async def short(call: Call) -> Any: ...

    for name in ("", "one", "Upper.case", "a..b", "a." + "b" * 300):
        with pytest.raises(InvalidInput, match="not a valid name"):
            app.action(name, permission="data:read")(fine)
    for function in (plain, short):
        with pytest.raises(InvalidInput, match="not asynchronous, or does not take"):
            app.action("a.b", permission="data:read")(function)
    with pytest.raises(InvalidInput, match="unknown permission"):
        app.action("a.b", permission="data:reed")(fine)
    with pytest.raises(InvalidInput, match="already an action"):
        app.action("store.set", permission="data:read")(fine)
    with pytest.raises(InvalidInput, match="not a JSON Schema"):
        app.action("a.b", input={"type": "nonsense"}, permission="data:read")(fine)
    with pytest.raises(InvalidInput, match="belongs to the process itself"):
        app.action("process.approve", permission="data:read")(fine)
    assert "a.b" not in app.actions
    assert len(app.actions) == len(EVERY)


async def test_actions_are_tools_of_agents(app: Holdfast) -> None:
    tools = {tool.name: tool for tool in app.as_tools("acme", actor="ana")}
    assert sorted(tools) == sorted(name.replace(".", "_") for name in EVERY)
    call = {"type": "tool_call", "id": "call-1", "name": "store_increment", "args": {"namespace": "n", "key": "k"}}
    for _ in range(2):  # a resumed graph makes the same call again
        message = await tools["store_increment"].ainvoke(call)
        assert json.loads(message.content)["value"] == 1
    await tools["store_increment"].ainvoke(call | {"id": "call-2"})
    found = json.loads(await tools["store_get"].ainvoke({"namespace": "n", "key": "k"}))
    assert (found["found"], found["value"]) == (True, 2)
    # What is refused is told to the model.
    refused = await tools["store_set"].ainvoke({"namespace": "", "key": "k", "value": 1})
    assert "namespace is empty" in refused
    assert tools["links_lookup"].description == "What a record is linked with."
    assert "namespace" in tools["store_set"].args


async def test_a_graph_calls_an_action_as_its_tool(app: Holdfast) -> None:
    messages = pytest.importorskip("langchain_core.messages")
    prebuilt = pytest.importorskip("langgraph.prebuilt")
    graphs = pytest.importorskip("langgraph.graph")
    nodes = graphs.StateGraph(graphs.MessagesState)
    nodes.add_node("tools", prebuilt.ToolNode(app.as_tools("acme", actions=["store.set"])))
    nodes.add_edge(graphs.START, "tools")
    asked = messages.AIMessage(
        "", tool_calls=[{"name": "store_set", "id": "c", "args": {"namespace": "n", "key": "k", "value": {"x": 1}}}]
    )
    answer = await nodes.compile().ainvoke({"messages": [asked]})
    assert json.loads(answer["messages"][-1].content)["created"] is True
    entry = await app.data("acme").get("n", "k")
    assert entry is not None
    assert entry.value == {"x": 1}


async def test_tools_act_as_their_actor(app: Holdfast) -> None:
    async with app.tenant("acme") as hold:
        await hold.users.create("vic", roles=["viewer"])
    (tool,) = app.as_tools("acme", actor="vic", actions=["store.get"])
    assert "may not call actions" in await tool.ainvoke({"namespace": "n", "key": "k"})


async def test_numbers_stay_exact_through_an_action(app: Holdfast) -> None:
    class Money(BaseModel):
        amount: Decimal

    @app.action("test.money", input=Money, output=Money, permission="data:read", side_effect=False)
    async def money(call: Call, given: Money) -> Money:
        return given

    exact = Decimal("12345678901234567890.123456789")
    async with app.tenant("acme") as hold:
        assert await hold.actions.call("test.money", {"amount": exact}) == {"amount": exact}
        await hold.actions.call("store.set", {"namespace": "n", "key": "k", "value": [exact, 10**40]}, key="once")
        assert (await hold.actions.call("store.get", {"namespace": "n", "key": "k"}))["value"] == [exact, 10**40]
