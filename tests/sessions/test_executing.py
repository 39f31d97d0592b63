"""Graphs are executed, checkpointed, told of; what they ask is answered once; what fails, fails visibly."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Annotated, Any, TypedDict

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, AnyMessage
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Command, interrupt
from pydantic import BaseModel

from harness.waiting import forever, until
from holdfast import Conflict, Holdfast, InvalidInput, NotFound
from holdfast.errors import PromptClosed, SessionInputError
from holdfast.runs import Run
from holdfast.sessions import Notify
from sessions.conftest import INPUT, Count, asking, ended, fetch, messages, reply, settled, working


class Order(BaseModel):
    item: str
    amount: int = 1


class Basket(BaseModel):
    order: Order


async def start(app: Holdfast, workflow: str, name: str, given: Any = None, **more: Any) -> None:
    async with app.tenant("acme") as hold:
        await hold.sessions.start(workflow, {"n": 0} if given is None else given, name=name, **more)


async def test_a_graph_runs_to_its_end(live: Holdfast) -> None:
    async with working(live):
        await start(live, "chain", "s")
        done = await ended(live, "s")
    assert (done.status, done.error_message) == ("completed", None)
    assert done.output_data == {"n": 3, "note": "none", "log": ["n0", "n1", "n2"]}
    assert done.input_data == {"n": 0, "note": "none"}
    assert done.started_at is not None
    assert done.completed_at is not None
    told = await messages(live, "s")
    assert [one.sequence_number for one in told] == list(range(1, len(told) + 1))
    assert [one.content.get("message") for one in told][:: len(told) - 1] == ["Session started", "Session completed"]
    steps = [one.content["step"] for one in told if "checkpoint" in one.content]
    assert steps == ["n0", "n1", "n2"]
    reported = [one.content["progress"] for one in told if "progress" in one.content]
    assert reported == [pytest.approx(share) for share in (1 / 3, 2 / 3, 1)]


async def test_a_session_asks_waits_and_goes_on_with_the_answer(live: Holdfast) -> None:
    async with working(live):
        await start(live, "asking", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            (prompt,) = await hold.sessions.prompts("s")
            assert prompt.content == {"prompt": "Is 1 right?", "options": ["yes", "no"], "counted": 1}
            assert prompt.response_schema == {"enum": ["yes", "no"]}
            told = (await hold.sessions.messages("s", type="workflow_waiting_for_input"))[0]
            assert told.content == {
                "prompt_id": prompt.prompt_id,
                "response_schema": prompt.response_schema,
                **prompt.content,
            }
            with pytest.raises(SessionInputError, match="maybe"):
                await reply(hold, "s", "maybe")
            (still,) = await hold.sessions.prompts("s")
            assert still.status == "open"
            after = await hold.sessions.answer("s", "yes", prompt_id=prompt.prompt_id)
            assert after.status == "running"
            with pytest.raises(PromptClosed):
                await hold.sessions.answer("s", "yes", prompt_id=prompt.prompt_id)
        done = await ended(live, "s")
    assert done.output_data == {"n": 11, "note": "none", "log": ["first", "asked:yes", "last"]}
    kinds = [one.message_type for one in await messages(live, "s") if one.message_type != "workflow_progress"]
    assert kinds == ["system", "workflow_waiting_for_input", "user", "system"]


async def test_two_questions_at_once_each_need_their_answer(live: Holdfast) -> None:
    async with working(live):
        await start(live, "asking-twice", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            one, other = await hold.sessions.prompts("s")
            with pytest.raises(SessionInputError, match="which prompt") as caught:
                await hold.sessions.answer("s", 1)
            assert [asked["prompt_id"] for asked in caught.value.details["prompts"]] == [one.prompt_id, other.prompt_id]
            assert (await hold.sessions.answer("s", 1, prompt_id=one.prompt_id)).status == "waiting_for_input"
            assert [left.prompt_id for left in await hold.sessions.prompts("s")] == [other.prompt_id]
            with pytest.raises(SessionInputError, match="integer"):
                await hold.sessions.answer("s", "two", prompt_id=other.prompt_id)
        async with live.tenant("acme") as hold:
            await hold.sessions.answer("s", 2, prompt_id=other.prompt_id)
        done = await ended(live, "s")
    log = done.output_data["log"]
    assert sorted(log[:2]) == sorted([f"{one.content['prompt']}=1", f"{other.content['prompt']}=2"])
    assert log[2:] == ["join"]


async def test_a_failing_node_fails_the_session_with_its_stack(live: Holdfast) -> None:
    async with working(live):
        await start(live, "failing", "s")
        done = await ended(live, "s")
    assert done.status == "failed"
    assert done.error_message is not None
    assert "ZeroDivisionError" in done.error_message
    last = (await messages(live, "s"))[-1]
    assert last.message_type == "error"
    assert "in divide" in last.content["stack_trace"]
    assert done.run_id is not None
    async with live.tenant("acme") as hold:
        assert (await hold.runs.get(done.run_id)).status == "failed"


async def test_many_tasks_at_once_are_kept(live: Holdfast) -> None:
    async with working(live):
        await start(live, "spreading", "s", {"n": 40})
        done = await ended(live, "s")
    assert done.status == "completed"
    assert sorted(done.output_data["log"]) == sorted(f"one{n}" for n in range(40))


async def test_a_cancel_ends_it_wherever_it_is(live: Holdfast) -> None:
    stopped = asyncio.Event()

    class State(TypedDict):
        n: int

    async def hang(state: State) -> State:
        try:
            await forever()
        finally:
            stopped.set()

    slow = StateGraph(State)
    slow.add_node("hang", hang)
    slow.add_edge(START, "hang")
    live.graph("slow", slow, input=INPUT, lease=3)
    await live.publish_graphs()
    await start(live, "slow", "pending")
    async with live.tenant("acme") as hold:
        assert (await hold.sessions.cancel("pending", reason="no need")).error_message == (
            "cancelled by system:system: no need"
        )
        with pytest.raises(Conflict, match="is failed"):
            await hold.sessions.cancel("pending")
    async with working(live):
        await start(live, "asking", "waiting")
        await settled(live, "waiting", "waiting_for_input")
        await start(live, "slow", "running")
        await settled(live, "running", "running")
        async with live.tenant("acme") as hold:
            for name in ("waiting", "running"):
                assert (await hold.sessions.cancel(name)).status == "failed"
            with pytest.raises(PromptClosed):
                await reply(hold, "waiting", "yes")
        async with asyncio.timeout(10):
            await stopped.wait()
    told = await messages(live, "running")
    assert told[-1].content == {"message": "Session failed", "reason": "cancelled by system:system"}


async def test_a_session_and_a_prompt_have_their_time(live: Holdfast) -> None:
    class State(TypedDict):
        n: int

    async def dawdle(state: State) -> State:
        await forever()

    def ask(state: State) -> State:
        interrupt({"prompt": "quick!", "expires_in": 0.3})
        return state

    for name, node in (("dawdling", dawdle), ("hasty", ask)):
        graph = StateGraph(State)
        graph.add_node("only", node)
        graph.add_edge(START, "only")
        live.graph(name, graph, input=INPUT)
    await live.publish_graphs()
    async with working(live):
        await start(live, "dawdling", "running", timeout=0.3)
        await start(live, "asking", "waiting", timeout=timedelta(seconds=0.5))
        await start(live, "hasty", "asked")
        assert (await ended(live, "running")).error_message == "timed out"
        assert (await ended(live, "waiting")).error_message == "timed out"
        reason = (await ended(live, "asked")).error_message
    assert reason is not None
    assert reason.endswith("was not answered in time")
    async with live.tenant("acme") as hold:
        (prompt,) = await hold.sessions.prompts("asked", open_only=False)
        assert prompt.status == "expired"
        with pytest.raises(PromptClosed, match="expired"):
            await hold.sessions.answer("asked", 1, prompt_id=prompt.prompt_id)


async def test_pydantic_state_comes_back_as_pydantic(live: Holdfast) -> None:
    seen: list[Any] = []

    def first(state: Basket) -> dict[str, Any]:
        return {"order": Order(item=state.order.item, amount=2)}

    def ask(state: Basket) -> dict[str, Any]:
        seen.append(type(state.order))
        return {"order": Order(item=interrupt("what?"), amount=state.order.amount)}

    graph = StateGraph(Basket)
    graph.add_node("first", first)
    graph.add_node("ask", ask)
    graph.add_edge(START, "first")
    graph.add_edge("first", "ask")
    graph.add_edge("ask", END)
    live.graph("basket", graph, input=Basket)
    await live.publish_graphs()
    async with live.tenant("acme") as hold:
        with pytest.raises(SessionInputError, match="order"):
            await hold.sessions.start("basket", {})
    async with working(live):
        await start(live, "basket", "s", {"order": {"item": "tea"}})
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await reply(hold, "s", "coffee")
        done = await ended(live, "s")
    assert done.output_data == {"order": {"item": "coffee", "amount": 2}}
    assert seen == [Order, Order]


async def test_whoever_asked_is_told_of_the_end_by_a_run(live: Holdfast) -> None:
    told: list[Any] = []

    @live.handler("test.told.v1")
    async def hear(run: Run, payload: dict[str, Any]) -> None:
        told.append((payload["session"], payload["status"], payload["for"]))

    await start(live, "chain", "good", notify=Notify("test.told.v1", {"for": "me"}))
    await start(live, "failing", "bad", notify=Notify("test.told.v1", {"for": "me"}))
    await start(live, "chain", "unwanted", notify=Notify("test.told.v1", {"for": "me"}))
    async with live.tenant("acme") as hold:
        await hold.sessions.cancel("unwanted")
    async with working(live):

        async def all_told() -> bool:
            return len(told) == 3

        await until(all_told)
    assert sorted(told) == [("bad", "failed", "me"), ("good", "completed", "me"), ("unwanted", "failed", "me")]


async def test_a_session_exists_only_if_the_transaction_commits(live: Holdfast) -> None:
    with pytest.raises(ZeroDivisionError):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("chain", {"n": 0}, name="never")
            raise ZeroDivisionError
    with pytest.raises(NotFound):
        await fetch(live, "never")
    async with live.tenant("acme") as hold:
        assert (await hold.runs.list()).items == []


@pytest.mark.parametrize(
    ("policy", "log"),
    [("enqueue", ["first", "asked:yes", "last", "first", "asked:no", "last"]), ("interrupt", ["first", "first"])],
)
async def test_further_input(live: Holdfast, policy: Any, log: list[str]) -> None:
    live.graph("chatty", asking, input=INPUT, concurrent_input=policy)
    await live.publish_graphs()
    async with working(live):
        await start(live, "chatty", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            (before,) = await hold.sessions.prompts("s")
            with pytest.raises(SessionInputError):
                await hold.sessions.send("s", {"n": -1})
            await hold.sessions.send("s", {"n": 5})
            if policy == "enqueue":
                await reply(hold, "s", "yes")

        async def asked_again() -> bool:
            async with live.tenant("acme") as hold:
                found = await hold.sessions.prompts("s")
                return bool(found) and found[0].prompt_id != before.prompt_id

        await until(asked_again)
        async with live.tenant("acme") as hold:
            (prompt,) = await hold.sessions.prompts("s")
            assert prompt.content["counted"] == 6
            await reply(hold, "s", "no")
        done = await ended(live, "s")
    assert done.output_data["log"][: len(log)] == log
    assert done.output_data["n"] == 16
    async with live.tenant("acme") as hold:
        statuses = {one.prompt_id: one.status for one in await hold.sessions.prompts("s", open_only=False)}
    assert statuses[before.prompt_id] == ("answered" if policy == "enqueue" else "withdrawn")


async def test_every_input_that_interrupts_is_taken_up_before_anybody_is_asked_again(live: Holdfast) -> None:
    live.graph("chatty", asking, input=INPUT, concurrent_input="interrupt")
    await live.publish_graphs()
    async with working(live):
        await start(live, "chatty", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            for number in (10, 20, 30):
                await hold.sessions.send("s", {"n": number})
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            (prompt,) = await hold.sessions.prompts("s")
            assert prompt.content["counted"] == 31
            await reply(hold, "s", "yes")
        done = await ended(live, "s")
    assert done.output_data["n"] == 41
    told = [one for one in await messages(live, "s") if one.message_type == "user"]
    assert [one.content["response"]["n"] for one in told if one.content["metadata"].get("kind") == "input"] == [
        10,
        20,
        30,
    ]


async def test_an_edit_goes_before_an_input_that_waits_for_the_end(live: Holdfast) -> None:
    live.graph("patient", asking, input=INPUT, concurrent_input="enqueue")
    await live.publish_graphs()
    async with working(live):
        await start(live, "patient", "s")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await hold.sessions.send("s", {"n": 100})
            await hold.sessions.edit("s", {"n": 7})
        for counted in (7, 101):
            await settled(live, "s", "waiting_for_input")
            async with live.tenant("acme") as hold:
                (prompt,) = await hold.sessions.prompts("s")
                assert prompt.content["counted"] == counted
                await reply(hold, "s", "yes")
        done = await ended(live, "s")
    assert done.output_data["log"] == ["first", "asked:yes", "last"] * 2


async def test_input_interrupts_a_graph_that_runs_at_its_next_checkpoint(live: Holdfast) -> None:
    entered, leave = asyncio.Event(), asyncio.Event()

    class State(TypedDict, total=False):
        n: int
        note: str
        seen: int

    async def wait(state: State) -> State:
        entered.set()
        await leave.wait()
        return {"seen": state["n"]}

    graph = StateGraph(State)
    graph.add_node("wait", wait)
    graph.add_node("more", lambda state: {"n": state["n"] + 100})
    graph.add_edge(START, "wait")
    graph.add_edge("wait", "more")
    graph.add_edge("more", END)
    live.graph("busy", graph, input=INPUT, concurrent_input="interrupt")
    await live.publish_graphs()
    async with working(live):
        await start(live, "busy", "s", {"n": 1})
        await entered.wait()
        async with live.tenant("acme") as hold:
            await hold.sessions.send("s", {"n": 2})
        leave.set()
        done = await ended(live, "s")
    assert done.output_data["seen"] == 2
    assert done.output_data["n"] == 102


async def test_a_rejecting_session_takes_no_further_input(live: Holdfast) -> None:
    await start(live, "chain", "s")
    async with live.tenant("acme") as hold:
        with pytest.raises(Conflict, match="takes no further input"):
            await hold.sessions.send("s", {"n": 1})


async def test_a_session_takes_the_input_its_schema_allows(live: Holdfast) -> None:
    async with live.tenant("acme") as hold:
        with pytest.raises(SessionInputError) as caught:
            await hold.sessions.start("chain", {"n": "one", "note": 3})
        assert caught.value.status == 400
        assert [error["field"] for error in caught.value.details["errors"]] == ["n", "note"]
        for given in (
            {"n": 1, "note": "a\0b"},
            {"n": 1, "note": "\ud800"},
            {"n": float("nan")},
            {"n": 1, "x": object()},
        ):
            with pytest.raises(InvalidInput):
                await hold.sessions.start("chain", given)
        with pytest.raises(NotFound, match="workflow not found"):
            await hold.sessions.start("chian", {"n": 1})
        with pytest.raises(InvalidInput, match="session name"):
            await hold.sessions.start("chain", {"n": 1}, name="a:b")
        assert (await hold.sessions.list()).items == []


async def test_an_answer_is_passed_on_once_even_when_its_node_is_executed_again(holdfast_dsn: str) -> None:
    """A node that asks twice is stopped between its questions: the first answer must not become the second too."""
    entered = asyncio.Event()
    hold_it = True

    class State(TypedDict, total=False):
        n: int
        said: list[str]

    async def ask(state: State) -> State:
        first = interrupt("first?")
        entered.set()
        if hold_it:
            await forever()
        return {"said": [first, interrupt("second?")]}

    graph = StateGraph(State)
    graph.add_node("ask", ask)
    graph.add_edge(START, "ask")
    app = Holdfast(dsn=holdfast_dsn, worker_poll_interval=0.05, worker_shutdown_timeout=0.1)
    app.graph("twice", graph, input=INPUT)
    async with app:
        await app.tenants.create("acme")
        await start(app, "twice", "s")
        async with working(app):
            await settled(app, "s", "waiting_for_input")
            async with app.tenant("acme") as hold:
                await reply(hold, "s", "one")
            await entered.wait()
        hold_it = False
        async with working(app):
            await settled(app, "s", "waiting_for_input", "completed")
            async with app.tenant("acme") as hold:
                (prompt,) = await hold.sessions.prompts("s")
                assert prompt.content == {"prompt": "second?"}
                await reply(hold, "s", "two")
            done = await ended(app, "s")
    assert done.output_data["said"] == ["one", "two"]


async def test_a_worker_stopped_before_the_answer_was_passed_on_passes_it_on_later(live: Holdfast) -> None:
    async with working(live):
        await start(live, "asking", "s")
        await settled(live, "s", "waiting_for_input")
    async with live.tenant("acme") as hold:
        await reply(hold, "s", "yes")
        run = (await hold.sessions.get("s")).run_id
    # Somebody claimed it and died at once: the next attempt is not the first.
    async with live.database.connection() as connection:
        await connection.execute(
            "SELECT * FROM holdfast.claim_runs('dead', (SELECT array_agg(tenant) FROM holdfast.workflow_run_live), "
            "'{session.execute.v1.asking}', '{1}', '{0 s}', false, 'exceptions', now())"
        )
    async with working(live):
        done = await ended(live, "s")
    assert done.output_data["log"] == ["first", "asked:yes", "last"]
    assert done.run_id == run


async def test_what_models_and_nodes_say_is_told_once(live: Holdfast) -> None:
    class Talk(TypedDict, total=False):
        said: Annotated[list[AnyMessage], add_messages]
        note: str

    model = GenericFakeChatModel(messages=iter([AIMessage("one two three"), AIMessage("quietly"), AIMessage("four")]))

    async def speak(state: Talk) -> Talk:
        answer = await model.ainvoke(state["said"])
        await model.with_config(tags=["nostream"]).ainvoke(state["said"])
        return {"said": [answer], "note": "a text is not searched for messages"}

    def speak_in_a_thread(state: Talk) -> Talk:
        return {"said": [model.invoke(state["said"])]}

    def write(state: Talk) -> Command[Any]:
        return Command(update={"said": [AIMessage("written by hand", id="w")]})

    graph = StateGraph(Talk)
    graph.add_node("speak", speak)
    graph.add_node("thread", speak_in_a_thread)
    graph.add_node("write", write)
    graph.add_edge(START, "speak")
    graph.add_edge("speak", "thread")
    graph.add_edge("thread", "write")
    live.graph("talk", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("talk", {"said": [{"role": "user", "content": "hello"}]}, name="s")
        assert (await ended(live, "s")).status == "completed"
    told = [one.content for one in await messages(live, "s") if one.message_type == "agent"]
    by_node: dict[str, str] = {}
    for content in told:
        node = content["metadata"]["node"]
        by_node[node] = by_node.get(node, "") + content["message"]
    assert by_node == {"speak": "one two three", "thread": "four", "write": "written by hand"}


async def test_the_output_is_what_the_graph_gives_away(live: Holdfast) -> None:
    class Result(TypedDict, total=False):
        n: int

    def build() -> StateGraph[Any]:
        graph = StateGraph(Count, output_schema=Result)
        graph.add_node("count", lambda state: {"n": state["n"] + 1, "log": ["private"]})
        graph.add_node("note", lambda state: {"log": [interrupt("anything to add?")]})
        graph.add_edge(START, "count")
        graph.add_edge("count", "note")
        return graph

    whole: StateGraph[Any] = StateGraph(dict)
    whole.add_node("count", lambda state: {**state, "n": state["n"] + 1})
    whole.add_edge(START, "count")
    live.graph("discreet", build)
    live.graph("whole", whole)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("discreet", {"n": 1}, name="s")
            await hold.sessions.start("whole", {"n": 1, "m": 2}, name="w")
        await settled(live, "s", "waiting_for_input")
        async with live.tenant("acme") as hold:
            await reply(hold, "s", "no")
        assert (await ended(live, "s")).output_data == {"n": 2}
        assert (await ended(live, "w")).output_data == {"n": 2, "m": 2}
        async with live.tenant("acme") as hold:
            await hold.sessions.fork("s", new_name="again")
        assert (await ended(live, "again")).output_data == {"n": 2}


async def test_a_question_whose_answer_could_never_be_checked_fails_the_session(live: Holdfast) -> None:
    graph = StateGraph(Count)
    graph.add_node("ask", lambda state: {"log": [interrupt({"prompt": "?", "response_schema": {"type": "colour"}})]})
    graph.add_edge(START, "ask")
    live.graph("unanswerable", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("unanswerable", {}, name="s")
        done = await ended(live, "s")
    assert done.status == "failed"
    assert "response_schema is not a JSON Schema" in (done.error_message or "")
