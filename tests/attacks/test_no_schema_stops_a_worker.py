"""An author writes any schema and sends any value: both are answered in a moment, and never with 500."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from typing import Any

import pytest

from harness.served import Serve
from holdfast.kernel.schemas import (
    MOST_AT_ONE_PLACE,
    MOST_DEPTH,
    MOST_SUBSCHEMAS,
    BadPattern,
    BadSchema,
    JsonSchema,
    pattern,
)

JSON = {"Content-Type": "application/json"}
WITHIN = 15.0
"""Seconds; what it took without a guard is minutes, or for ever."""


def nested(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def doubled(levels: int) -> dict[str, Any]:
    steps = {f"s{n}": {"allOf": [{"$ref": f"#/$defs/s{n + 1}"}, {"$ref": f"#/$defs/s{n + 1}"}]} for n in range(levels)}
    return {"$ref": "#/$defs/s0", "$defs": steps | {f"s{levels}": {"type": "object"}}}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "doubled references": (doubled(17), str(MOST_AT_ONE_PLACE)),
    "itself": ({"$ref": "#"}, "without end"),
    "itself by a detour": (
        {"$ref": "#/$defs/a", "$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"not": {"$ref": "#/$defs/a"}}}},
        "without end",
    ),
    "a hundred levels": (nested(100), str(MOST_DEPTH)),
    "many members": ({"properties": {f"p{n}": {"type": "string"} for n in range(3000)}}, str(MOST_SUBSCHEMAS)),
    "many at one place": ({"allOf": [{"type": "object"}] * 1500}, str(MOST_AT_ONE_PLACE)),
    "another document": ({"$ref": "http://127.0.0.1:9/schema"}, "not in the schema"),
    "an older dialect inside": (
        {"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#", "pattern": "^(a+)+$"}}},
        "draft 2020-12",
    ),
    "a reference back": ({"properties": {"a": {"pattern": r"^(a)\1$"}}}, "cannot be used"),
    "lookbehind": ({"patternProperties": {"(?<=a)b": True}}, "cannot be used"),
    "a large repetition": ({"properties": {"a": {"pattern": "^((a{1,1000}){1,1000}){1,1000}$"}}}, "cannot be used"),
}
COSTLY: dict[str, tuple[dict[str, Any], Any]] = {
    "a pattern that backtracks": ({"properties": {"a": {"pattern": "^(a+)+$"}}}, {"a": "a" * 50_000 + "!"}),
    "such a name": ({"patternProperties": {"^(a+)+$": True}, "additionalProperties": False}, {"a" * 50 + "!": 1}),
    "such a name, unevaluated": (
        {"allOf": [{"patternProperties": {"^(a+)+$": True}}], "unevaluatedProperties": False},
        {"a" * 50 + "!": 1},
    ),
    "a pattern with many states, a long text": (
        {"properties": {"a": {"pattern": "(a|b)*a(a|b){900}c$"}}},
        {"a": "ab" * 500_000},
    ),
    "twice as much at every level": (
        {"properties": {"a": {"$ref": "#"}}, "allOf": [{"properties": {"a": {"$ref": "#"}}}]},
        json.loads('{"a":' * 100 + "{}" + "}" * 100),
    ),
    "elements that are all different": (
        {"properties": {"a": {"uniqueItems": True}}},
        {"a": [{"n": [n]} for n in range(20_000)]},
    ),
    "elements that nobody looked at": (
        {"properties": {"a": {"contains": {"type": "object"}, "unevaluatedItems": False}}},
        {"a": list(range(60_000))},
    ),
    "errors that repeat the whole value": (
        {"properties": {"a": {"anyOf": [{"type": "string"}] * 900}}},
        {"a": [{"text": "x" * 60} for _ in range(40_000)]},
    ),
    "long lists of allowed values": (
        {"properties": {"a": {"items": {"enum": [[1] * 99 + [n] for n in range(500)]}}}},
        {"a": [[1] * 99 + [-1]] * 500},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_schema_that_costs_too_much_is_refused_by_the_name_of_the_limit(name: str) -> None:
    schema, told = REFUSED[name]
    began = time.perf_counter()
    with pytest.raises(BadSchema, match=told):
        JsonSchema(schema)
    assert time.perf_counter() - began < WITHIN


@pytest.mark.parametrize("name", COSTLY)
def test_a_value_is_checked_within_a_budget(name: str) -> None:
    schema, value = COSTLY[name]
    known = JsonSchema(schema)
    for check in (known.problems, known.problem):
        began = time.perf_counter()
        check(value)
        assert time.perf_counter() - began < WITHIN


@pytest.mark.parametrize(
    ("number", "divisor", "fits"),
    [
        (10**400, Decimal("0.1"), True),
        (Decimal("1E+400"), Decimal("0.1"), True),
        (Decimal("1E-400"), Decimal("0.1"), False),
        (1e308, 0.1, True),
        (1e-308, 0.1, False),
        (10**400 + 1, 7, (10**400 + 1) % 7 == 0),
        (Decimal("0.3"), 0.1, True),
        (0.3, Decimal("0.1"), True),
        (Decimal("0.35"), Decimal("0.1"), False),
        (0, Decimal("1E+300"), True),
        (-5, Decimal("2.5"), True),
        (7, 10**300, False),
        (Decimal("123456789.01"), Decimal("0.01"), True),
    ],
)
def test_multiples_are_exact_however_large_the_number(number: Any, divisor: Any, fits: bool) -> None:
    assert (JsonSchema({"multipleOf": divisor}).problem(number) is None) is fits


@pytest.mark.parametrize(
    ("text", "good", "bad"),
    [
        (r"^\d{4}-\d{2}$", ["2026-06"], ["２０２６-06", "2026-06\n"]),
        (r"^\s$", ["\u00a0", "\ufeff", "\u2003", "\v"], ["x", "\u200b"]),
        (r"^[^\s]+$", ["ä"], ["a b", "\u00a0"]),
        (r"^\S$", ["x"], ["\u3000"]),
        (r"^.$", ["x", "😀"], ["\n", "\r", "\u2028"]),
        (r"^[^]$", ["\n", "x"], [""]),
        (r"^\p{Letter}+$", ["Zoë"], ["Z1"]),
        (r"^\p{Script=Greek}+$", ["αβγ"], ["abc"]),
        (r"^\u00e4\x41\u{1F600}\cJ$", ["äA😀\n"], ["a"]),
        (r"^\ud83d\ude00$", ["😀"], ["x"]),
        (r"^[[:alpha:]]$", [":]", "a]"], ["b"]),
        (r"^[\b\-\]/]$", ["\b", "-", "]", "/"], ["b"]),
        (r"^(?<year>\d+)/(?:a|b)$", ["5/a"], ["5/c"]),
        (r"^(?!0000)\d{4}$", ["0001"], ["0000", "1"]),
        (r"^(?=.*[A-Z])(?=.*\d).{8,}$", ["abcdefG1"], ["abcdefg1", "A1"]),
        (r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$", ["12.50", "-3"], ["-", ".", "x"]),
    ],
)
def test_patterns_mean_what_they_mean_in_a_browser(text: str, good: list[str], bad: list[str]) -> None:
    found = pattern(text)
    assert [each for each in good if not found.found_in(each)] == []
    assert [each for each in bad if found.found_in(each)] == []


@pytest.mark.parametrize(
    "text",
    [r"(a)\1", r"(?<n>a)\k<n>", r"a(?=b)", r"(?<!a)b", r"^(?!a)b|c", r"\q", "[a", "(a", "a**", "a{2000}", r"\u00g0",
     r"\p{Nothing}", r"\ud800", "x" * 3000, "\\", r"^(?=a)*b", r"\C"],
)  # fmt: skip
def test_patterns_that_no_linear_engine_can_do_are_refused(text: str) -> None:
    with pytest.raises(BadPattern):
        pattern(text)


def test_an_author_stops_nobody_with_a_contract(serve: Serve) -> None:
    server = serve()
    with server.bystander() as bystander, server.client("acme", timeout=30) as ana:
        for name, (schema, _) in REFUSED.items():
            body = json.dumps({"document": {"type": "object"} | schema})
            answer = ana.put("/v1/acme/contracts/x", content=body, headers=JSON)
            assert answer.status_code == 422, (name, answer.text[:300])
        for number, (name, (schema, value)) in enumerate(COSTLY.items()):
            body = json.dumps({"document": {"type": "object"} | schema})
            made = ana.put(f"/v1/acme/contracts/x{number}", content=body, headers=JSON)
            assert made.status_code < 300, (name, made.text[:300])
            began = time.monotonic()
            answer = ana.post("/v1/acme/documents", json={"entity_type": f"x{number}", "data": value})
            assert answer.status_code in (201, 422), (name, answer.text[:300])
            assert time.monotonic() - began < WITHIN
        bystander.wait(2)
    bystander.check(within=5)


def test_a_batch_of_keys_shares_one_budget(serve: Serve) -> None:
    schema = {"properties": {"a": {"$ref": "#"}}, "allOf": [{"properties": {"a": {"$ref": "#"}}}]}
    deep = json.loads('{"a":' * 14 + "{}" + "}" * 14)
    items = [{"key": f"k{number}", "value": deep} for number in range(100)]
    with serve().client("acme") as ana:
        assert ana.put("/v1/acme/data/rules", json={"namespace": "m", "json_schema": schema}).status_code == 200
        began = time.monotonic()
        answer = ana.post("/v1/acme/data/set", json={"namespace": "m", "entries": items})
        assert (answer.status_code, answer.json()["code"]) == (422, "schema_violation"), answer.text[:300]
        assert time.monotonic() - began < WITHIN
