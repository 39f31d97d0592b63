"""A definition that names one value often makes no more of it than there is room for, and compares no more than it may.

A list of twenty references to a list of twenty references is small, until somebody writes it down: each test asks for
what would be gigabytes, or minutes, and is told so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import pytest

from harness.served import Serve
from holdfast import Contract, ExpressionError, Holdfast
from holdfast.envelope import compile_effective, generate_skeleton
from holdfast.envelope.expressions import Payload, Template, compile_expression
from holdfast.envelope.simulate import Act, Trace, act_from_data, simulate
from holdfast.kernel.names import did_you_mean
from holdfast.kernel.room import Room

NOTE = Contract(
    entity_type="note",
    document={
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "list": {"type": "array"},
            "days": {"type": "array", "items": {"type": "string", "format": "date"}},
        },
    },
)
SLOT = "slot:submitted_to_approved"
LONG = "x" * 100_000


def in_a_row(nodes: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Nodes one after the other, between submitting and the gate."""
    path = ["in", *(node["id"] for node in nodes), "out"]
    edges = [{"source": one, "target": other} for one, other in pairwise(path)]
    return {SLOT: {"nodes": list(nodes), "edges": edges, "exit_edge_mode": "join"}}


def laughs(levels: int) -> dict[str, Any]:
    """Each step saves a list of twenty times what the one before saved."""
    scripts = [{"id": "s0", "type": "script", "config": {"assign": {"a0": "entity.list"}}}]
    for level in range(1, levels + 1):
        twenty = f"[{', '.join([f'context.a{level - 1}'] * 20)}]"
        scripts.append({"id": f"s{level}", "type": "script", "config": {"assign": {f"a{level}": twenty}}})
    return in_a_row(scripts)


def guarded(count: int, condition: str) -> dict[str, Any]:
    """A split into so many ways, each of them with a condition, and one that has none."""
    nodes = [{"id": "split", "type": "parallel_split"}, {"id": "join", "type": "parallel_join"}]
    ways = [
        {"id": f"w{number}", "type": "script", "config": {"assign": {"done": "true"}}} for number in range(count + 1)
    ]
    edges: list[dict[str, Any]] = [{"source": "in", "target": "split"}, {"source": "join", "target": "out"}]
    for way in ways:
        only = {} if way is ways[-1] else {"condition": condition}
        edges += [{"source": "split", "target": way["id"], **only}, {"source": way["id"], "target": "join"}]
    return {SLOT: {"nodes": [*nodes, *ways], "edges": edges, "exit_edge_mode": "join"}}


def played(patches: dict[str, Any], document: dict[str, Any]) -> Trace:
    skeleton = generate_skeleton(NOTE)
    script: list[Act] = [act_from_data("submit")]
    return simulate(compile_effective(skeleton, patches), document, script, scope=skeleton.scope())


def errors(trace: Trace) -> list[str]:
    return [step.error["code"] for entry in trace.entries for step in entry.steps if step.error is not None]


def test_a_list_of_lists_of_lists_is_not_made() -> None:
    assert errors(played(laughs(1), {"list": [1] * 20})) == []
    [code] = errors(played(laughs(6), {"list": ["x"] * 1000}))
    assert code == "WORKFLOW_EXPRESSION_FAILED"


def test_variables_that_are_saved_one_by_one_have_a_limit_together() -> None:
    scripts = [
        {"id": f"s{number}", "type": "script", "config": {"assign": {f"a{number}": "entity.text"}}}
        for number in range(90)
    ]
    assert errors(played(in_a_row(scripts), {"text": "short"})) == []
    [code] = errors(played(in_a_row(scripts), {"text": "x" * 1_000_000}))
    assert code == "WORKFLOW_TOO_MUCH_DATA"


def test_what_effects_are_given_has_a_limit_together() -> None:
    hooks = [
        {"id": f"h{number}", "type": "webhook_out", "config": {"url": "https://erp.example/x", "wait": False}}
        for number in range(90)
    ]
    assert errors(played(in_a_row(hooks), {"text": "short"})) == []
    assert "WORKFLOW_EXPRESSION_FAILED" in errors(played(in_a_row(hooks), {"text": "x" * 1_000_000}))


def test_a_template_gives_no_more_text_than_it_may() -> None:
    roots = {"item": LONG}
    assert len(Template.parse("{item}" * 5).render(roots)) == 500_000
    with pytest.raises(ExpressionError, match="more than 1000000 characters"):
        Template.parse("{item}" * 600).render(roots)


@pytest.mark.parametrize("member", [{"$expr": "item"}, {"$template": "{item}"}], ids=str)
def test_a_payload_holds_no_more_than_it_may(member: dict[str, Any]) -> None:
    assert len(Payload.parse([member] * 5).render({"item": LONG})) == 5
    with pytest.raises(ExpressionError, match="more than it may hold"):
        Payload.parse([member] * 1000).render({"item": LONG})


def test_headers_of_a_webhook_hold_no_more_than_a_payload() -> None:
    headers = {f"x-{number}": "{entity.text}" for number in range(1000)}
    hook = {"id": "h", "type": "webhook_out", "config": {"url": "https://erp.example/x", "headers": headers}}
    assert errors(played(in_a_row([hook]), {"text": LONG})) == ["WORKFLOW_EXPRESSION_FAILED"]


def test_evidence_of_a_condition_does_not_hold_the_document_once_for_each_way() -> None:
    trace = played(guarded(300, 'entity.text == "y" || entity.list contains "z"'), {"text": LONG, "list": ["x"] * 999})
    assert errors(trace) == []
    kept = json.dumps([dict(step.output) for entry in trace.entries for step in entry.steps])
    assert '{"$omitted": "a text of 100000 characters"}' in kept
    assert '{"$omitted": "a list of 999 elements"}' in kept
    assert len(kept) < 1_000_000


@pytest.mark.parametrize("condition", ["context.list contains 1", "context.list == context.other"])
def test_one_operator_compares_no_more_values_than_it_may(condition: str) -> None:
    few, many = ({"context": {"list": [2] * count, "other": [2] * (count - 1) + [3]}} for count in (10_000, 10_001))
    compiled = compile_expression(condition)
    assert compiled.evaluate(few) is False
    with pytest.raises(ExpressionError, match="too many values to compare"):
        compiled.evaluate(many)


def test_a_text_is_looked_for_in_a_list_of_any_length() -> None:
    assert compile_expression('context.list contains "y"').evaluate({"context": {"list": ["x"] * 90_000}}) is False


def test_conditions_of_one_advance_compare_no_more_together_than_they_may() -> None:
    condition = " || ".join(['entity.days contains "2026-01-01"'] * 5)
    assert errors(played(guarded(3, condition), {"days": ["zz"] * 9000})) == []
    assert errors(played(guarded(5, condition), {"days": ["zz"] * 9000})) == ["WORKFLOW_EXPRESSION_FAILED"]


def test_what_there_is_room_for_is_counted_as_it_would_be_written() -> None:
    twenty: list[Any] = ["ab"] * 20
    assert Room(21, 40).take(twenty)
    assert not Room(20, 40).take(twenty)
    assert not Room(21, 39).take(twenty)
    room = Room(10_000, 10_000)
    for _ in range(30):
        twenty = [twenty] * 20
    assert not room.take(twenty)
    assert min(room.values, room.characters) < 0


def test_no_hint_is_looked_for_where_a_word_is_as_long_as_a_book(monkeypatch: pytest.MonkeyPatch) -> None:
    assert did_you_mean("Europe/Berlim", ["Europe/Berlin"]) == "did you mean 'Europe/Berlin'?"
    monkeypatch.setattr(
        "holdfast.kernel.names.difflib.get_close_matches", lambda *_, **__: pytest.fail("it was looked for")
    )
    assert did_you_mean("x" * 1_000_000, ["Europe/Berlin"]) is None


async def test_a_viewer_cannot_make_the_server_write_it_either(app: Holdfast, serve: Serve) -> None:
    async with app.tenant("acme") as hold:
        await hold.definitions.register(NOTE)
    big = {"text": "x" * 900_000}
    server = serve()
    with server.client("viewer") as vic, server.bystander() as bystander:
        bystander.wait(2)
        before = server.memory()
        play = {"entity_type": "note", "script": ["submit"]}
        laughing = vic.post(
            "/v1/acme/simulations", json={**play, "patches": laughs(6), "document": {"list": ["x"] * 1000}}
        )
        assert laughing.status_code == 200, laughing.text[:300]
        waits = [{"wait": "1h"}] * 400
        frames = vic.post("/v1/acme/simulations", json={**play, "script": waits, "document": big})
        assert (frames.status_code, frames.json()["code"]) == (422, "invalid_input"), frames.text[:300]
        last = vic.post("/v1/acme/simulations", json={**play, "script": waits, "document": big, "first": 399})
        assert last.status_code == 200, last.text[:300]
        tried = vic.post(
            "/v1/acme/expressions/try", json={"text": "{item}" * 600, "item": big["text"], "holds": "template"}
        )
        assert tried.json()["problem"]["code"] == "too_long", tried.text[:300]
        listed = vic.post(
            "/v1/acme/expressions/try", json={"text": f"[{','.join(['item'] * 18)}]", "item": [1] * 90_000}
        )
        assert listed.json()["result"] == {"$omitted": "a list of 18 elements"}, listed.text[:300]
        bystander.wait(2)
    assert server.memory() - before < 200_000_000
    bystander.check(within=3)
