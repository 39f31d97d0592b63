"""What states may hold: anything that can be stored comes back as it was, encrypted if wanted; the rest is refused."""

from __future__ import annotations

import base64
import math
import os
from datetime import UTC, datetime
from enum import Enum
from typing import Any, TypedDict

import psycopg
import pytest
from langgraph.graph import START, StateGraph
from langgraph.types import interrupt

from harness.waiting import until
from holdfast import Holdfast
from holdfast.errors import KeyMissing, SettingsError
from holdfast.kernel.keyring import Keyring
from holdfast.sessions.serde import serializer
from sessions.conftest import ended, fetch, messages, reply, settled, working

Row = dict[str, Any]

ODD: dict[str, Any] = {
    "nul": "a\0b",
    "long": "x" * 5000,
    "umlaut": "süß ☃",
    "big": 2**63 - 1,
    "float": 1e22,
    "nan": float("nan"),
    "infinite": float("inf"),
    "bytes": b"\x00\xff",
    "none": None,
    "yes": True,
    "nested": {"a": [1, {"b": [1.5, None]}]},
}


class Color(Enum):
    RED = "red"


class Long(TypedDict):
    long: str


class Odd(TypedDict, total=False):
    nul: Any
    long: Any
    umlaut: Any
    big: Any
    float: Any
    nan: Any
    infinite: Any
    bytes: Any
    none: Any
    yes: Any
    nested: Any
    seen: list[str]
    word: str


def odd() -> StateGraph[Any]:
    """Puts odd values into its state, and looks at them again after a question: from the database, in another run."""
    graph = StateGraph(Odd)
    graph.add_node("put", lambda state: ODD)

    def look(state: Odd) -> dict[str, Any]:
        interrupt("go on?")
        return {
            **dict.fromkeys(ODD, None),
            "seen": sorted(name for name, value in ODD.items() if repr(state.get(name)) == repr(value)),
        }

    graph.add_node("look", look)
    graph.add_edge(START, "put")
    graph.add_edge("put", "look")
    return graph


async def run_odd(app: Holdfast, word: str = "hello") -> Any:
    app.graph("odd", odd)
    await app.publish_graphs()
    async with working(app):
        async with app.tenant("acme") as hold:
            await hold.sessions.start("odd", {"word": word}, name="s")
        await settled(app, "s", "waiting_for_input", "failed")
        async with app.tenant("acme") as hold:
            await reply(hold, "s", "yes")
        return await ended(app, "s")


async def test_odd_values_come_back_as_they_were(live: Holdfast) -> None:
    done = await run_odd(live)
    assert done.error_message is None
    assert done.output_data["seen"] == sorted(ODD)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("a\0b", "output cannot be stored: it holds a NUL character"),
        (float("nan"), "NaN"),
        ("\ud800", "surrogate"),
        (10**30, "64-bit"),
        (object(), "object"),
    ],
)
async def test_what_cannot_be_stored_is_refused_by_name(live: Holdfast, value: Any, reason: str) -> None:
    graph = StateGraph(Odd)
    graph.add_node("put", lambda state: {"nested": value})
    graph.add_edge(START, "put")
    live.graph("bad", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("bad", {}, name="s")
        done = await ended(live, "s")
    assert done.status == "failed"
    assert reason in (done.error_message or "")


async def test_an_output_is_said_in_json_and_what_cannot_be_said_is_named(live: Holdfast) -> None:
    moment = datetime(2026, 1, 2, tzinfo=UTC)
    graph = StateGraph(Odd)
    graph.add_node(
        "put",
        lambda state: {"bytes": b"x", "nested": [moment, Color.RED], **({"nan": math.inf} if state["big"] else {})},
    )
    graph.add_edge(START, "put")
    live.graph("mixed", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("mixed", {"big": 0}, name="fits")
            await hold.sessions.start("mixed", {"big": 1}, name="does-not")
        fits, does_not = await ended(live, "fits"), await ended(live, "does-not")
    assert fits.output_data["bytes"] == "b'x'"
    assert fits.output_data["nested"] == ["2026-01-02T00:00:00+00:00", "red"]
    assert "infinity" in (does_not.error_message or "")
    async with live.tenant("acme") as hold:
        assert (await hold.sessions.state("fits")).values["nested"][0] == "2026-01-02T00:00:00+00:00"


async def test_an_error_that_cannot_say_why_ends_the_session_at_once(live: Holdfast) -> None:
    class MuteError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    def fail(state: Odd) -> Odd:
        raise MuteError

    graph = StateGraph(Odd)
    graph.add_node("fail", fail)
    graph.add_edge(START, "fail")
    live.graph("mute", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("mute", {}, name="s")
        assert (await ended(live, "s", timeout=10)).error_message == "MuteError: it cannot say why"


async def test_a_prompt_is_not_a_place_for_data(live: Holdfast) -> None:
    graph = StateGraph(Odd)
    graph.add_node("ask", lambda state: {"nested": interrupt({"prompt": "?", "data": ["x" * 99_000] * 120})})
    graph.add_edge(START, "ask")
    live.graph("chatty", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("chatty", {}, name="s")
        assert "the limit is 10485760" in ((await ended(live, "s")).error_message or "")


async def test_an_output_of_101_mb_fails_with_the_reason(live: Holdfast) -> None:
    class Large(TypedDict, total=False):
        megabytes: int
        result: str

    graph = StateGraph(Large)
    graph.add_node("put", lambda state: {"result": "x" * (state["megabytes"] << 20)})
    graph.add_edge(START, "put")
    live.graph("huge", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("huge", {"megabytes": 101}, name="s")
        done = await ended(live, "s", timeout=120)
    assert (done.status, done.error_message) == ("failed", "output data exceeds 100MB limit")
    assert done.output_data is None
    (told,) = [one.content for one in await messages(live, "s") if one.message_type == "error"]
    assert told["error"] == "output data exceeds 100MB limit"
    assert len(told["stack_trace"]) <= 8000
    async with live.tenant("acme") as hold:
        # What the task wrote and what its channel holds are the same bytes; each is stored, compressed.
        assert (await hold.sessions.storage("s")).checkpoint_count == 3


async def test_just_below_the_limit_is_an_output_and_the_limit_itself_is_not(
    live: Holdfast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("holdfast.sessions.execution.OUTPUT_LIMIT", 1000)
    graph = StateGraph(Odd, output_schema=Long)
    # {"long":"…"} takes eleven bytes itself; an ä takes two.
    graph.add_node("put", lambda state: {"long": "ä" * state["big"]})
    graph.add_edge(START, "put")
    live.graph("huge", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("huge", {"big": 494}, name="fits")
            await hold.sessions.start("huge", {"big": 495}, name="does-not")
        assert (await ended(live, "fits")).error_message is None
        assert (await ended(live, "does-not")).error_message == "output data exceeds 100MB limit"


async def test_ten_thousand_messages_are_numbered_without_gaps(live: Holdfast) -> None:
    from langgraph.config import get_stream_writer

    async def talk(state: Odd) -> dict[str, Any]:
        writer = get_stream_writer()
        for number in range(10_000):
            writer({"message": f"\0 {number}"})
        return {}

    graph = StateGraph(Odd)
    graph.add_node("talk", talk)
    graph.add_edge(START, "talk")
    live.graph("talkative", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("talkative", {}, name="s")
        done = await ended(live, "s", timeout=120)
    assert done.status == "completed"
    assert done.last_sequence == 10_003
    numbers: list[int] = []
    said: list[str] = []
    async for message in live.follow_session("acme", "s"):
        numbers.append(message.sequence_number)
        if message.content.get("message", "").startswith("␀"):
            said.append(message.content["message"])
    assert numbers == list(range(1, 10_004))
    assert said == [f"␀ {number}" for number in range(10_000)]


class Evil:
    pass


async def test_classes_that_nobody_named_are_not_rebuilt() -> None:
    kind, data = serializer(Keyring(), [("sessions.test_values", "Evil")]).dumps_typed({"x": 1})
    assert serializer(Keyring()).loads_typed((kind, data)) == {"x": 1}
    from pydantic import BaseModel

    class Named(BaseModel):
        x: int = 1

    kind, data = serializer(Keyring()).dumps_typed(Named())
    assert not isinstance(serializer(Keyring()).loads_typed((kind, data)), Named)


def keys(*names: str) -> dict[str, str]:
    return {name: f"{name}={base64.b64encode(os.urandom(32)).decode()}" for name in names}


async def test_encryption_covers_every_value_and_keys_can_be_changed(
    live: Holdfast, holdfast_dsn: str, superuser: psycopg.Connection[Row]
) -> None:
    ring = keys("old", "new")

    async def session(name: str, given: str) -> None:
        app = Holdfast(dsn=holdfast_dsn, keys=given, encrypt_payloads=given is not None, worker_poll_interval=0.05)
        app.graph("odd", odd)
        async with app, working(app):
            async with app.tenant("acme") as hold:
                await hold.sessions.start("odd", {"word": "PLAINWORD"}, name=name)
            await settled(app, name, "waiting_for_input")

    await session("before", ring["old"])
    await session("after", f"{ring['new']},{ring['old']}")
    for table in ("checkpoints", "checkpoint_blobs", "checkpoint_writes"):
        rows = superuser.execute(f"SELECT t::text AS it FROM holdfast_langgraph.{table} t").fetchall()
        assert rows
        plain = ("PLAINWORD", "504c41494e574f5244", "xxxxxxxx", "7878787878787878", "go on?", "676f206f6e3f")
        for row in rows:
            assert not any(word in row["it"] for word in plain), table
        bodies = superuser.execute("SELECT checkpoint -> 'channel_values' AS it FROM holdfast_langgraph.checkpoints")
        assert all(row["it"] == {} for row in bodies)
    used = superuser.execute("SELECT DISTINCT split_part(type, ':', 2) AS key FROM holdfast_langgraph.checkpoint_blobs")
    assert {row["key"] for row in used} == {"old", "new"}
    app = Holdfast(
        dsn=holdfast_dsn, keys=f"{ring['new']},{ring['old']}", encrypt_payloads=True, worker_poll_interval=0.05
    )
    app.graph("odd", odd)
    async with app, working(app):
        for name in ("before", "after"):
            async with app.tenant("acme") as hold:
                assert (await hold.sessions.state(name)).values["word"] == "PLAINWORD"
                await reply(hold, name, "yes")
            assert (await ended(app, name)).output_data["seen"] == sorted(ODD)
    async with Holdfast(dsn=holdfast_dsn, keys=ring["new"]) as forgetful, forgetful.tenant("acme") as hold:
        with pytest.raises(KeyMissing, match="'old'"):
            first = (await hold.sessions.checkpoints("before"))[-1].checkpoint_id
            await hold.sessions.state("before", first)


@pytest.mark.parametrize("wrong", ["another", "of-that-name", "none"])
async def test_a_worker_without_the_key_leaves_the_session_to_one_that_has_it(
    live: Holdfast,
    holdfast_dsn: str,
    wrong: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    for module in ("saver", "runner"):
        monkeypatch.setattr(f"holdfast.sessions.{module}._KEY_SECONDS", 0.1)
    right = keys("k")["k"]
    given = {"another": keys("l")["l"], "of-that-name": keys("k")["k"], "none": None}[wrong]

    def application(given: str | None) -> Holdfast:
        app = Holdfast(dsn=holdfast_dsn, keys=given, encrypt_payloads=given is not None, worker_poll_interval=0.05)
        app.graph("odd", odd)
        return app

    async with application(right) as app, working(app):
        async with app.tenant("acme") as hold:
            await hold.sessions.start("odd", {"word": "hello"}, name="s")
        await settled(app, "s", "waiting_for_input")
    async with application(given) as app, application(right) as other, working(app):
        with pytest.raises(KeyMissing, match="the key 'k'"):
            async with app.tenant("acme") as hold:
                await hold.sessions.state("s")
        async with other.tenant("acme") as hold:
            await reply(hold, "s", "yes")

        async def tried() -> bool:
            return caplog.text.count("cannot go on here") > 5  # more often than a failing run is tried

        await until(tried)
        assert (await fetch(other, "s")).status == "running"
    async with application(right) as app, working(app):
        assert (await ended(app, "s")).output_data["seen"] == sorted(ODD)


@pytest.mark.parametrize("text", ["", "nonsense", "a=short", f"a={base64.b64encode(b'x' * 16).decode()}"])
def test_keys_that_are_none_are_refused_without_being_shown(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Keyring(text)
    assert "eHh4" not in str(caught.value)


async def test_models_are_told_in_gathered_messages(live: Holdfast) -> None:
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage

    model = GenericFakeChatModel(messages=iter([AIMessage("one two three four five six")]))

    async def speak(state: Odd) -> dict[str, Any]:
        said = await model.ainvoke("go")
        return {"word": str(said.content)}

    graph = StateGraph(Odd)
    graph.add_node("speak", speak)
    graph.add_edge(START, "speak")
    live.graph("speaking", graph)
    await live.publish_graphs()
    async with working(live):
        async with live.tenant("acme") as hold:
            await hold.sessions.start("speaking", {}, name="s")
        assert (await ended(live, "s")).output_data["word"] == "one two three four five six"
    said = [one.content for one in await messages(live, "s") if one.message_type == "agent"]
    assert "".join(one["message"] for one in said) == "one two three four five six"
    assert len(said) <= 2
    assert said[0]["metadata"]["node"] == "speak"
