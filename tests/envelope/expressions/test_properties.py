from __future__ import annotations

import json
import random
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from envelope.expressions.reference import NoAnswer, interpret
from envelope.expressions.samples import SCOPE, roots
from holdfast.envelope.expressions import (
    MAX_LENGTH,
    Expression,
    Scope,
    Template,
    check,
    compile_expression,
    complete,
    format_expression,
    parse,
    render_payload,
)
from holdfast.envelope.expressions.checking import UNTYPED
from holdfast.envelope.expressions.evaluation import build
from holdfast.errors import ExpressionError

TEXTS = st.sampled_from(["", "a", "b", "ab", "10", "9.50", "-1e2", "x y", "é", "null"])
NUMBERS = st.one_of(
    st.integers(-12, 12),
    st.sampled_from([Decimal("9.5"), Decimal("10.00"), Decimal("1e-9"), 10.0, 9.5, 0.1, -0.0, 10**30]),
)
SCALARS = st.one_of(TEXTS, NUMBERS, st.booleans(), st.none())
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.sampled_from("abc"), inner, max_size=3)),
    max_leaves=5,
)
DATA = st.fixed_dictionaries(
    {"context": st.dictionaries(st.sampled_from("abcd"), VALUES, max_size=4)},
    optional={"payload": VALUES, "item": SCALARS},
)
LITERALS = st.one_of(
    st.sampled_from(["0", "1", "-1", "10", "9.5", "10.00", "1e1", "true", "false", "null"]),
    TEXTS.map(lambda text: json.dumps(text, ensure_ascii=False)),
)
PATHS = st.sampled_from(
    [
        "context.a",
        "context.b",
        "context.c",
        "context.d",
        "context.a.b",
        "context.a[0]",
        'context["b"]',
        "item",
        "payload",
        "payload.a",
        "entity.a",
    ]
)
OPERANDS = st.one_of(
    PATHS, PATHS, LITERALS, st.lists(st.one_of(LITERALS, PATHS), max_size=3).map(lambda each: f"[{', '.join(each)}]")
)
COMPARISONS = st.tuples(OPERANDS, st.sampled_from(["==", "!=", ">", ">=", "<", "<=", "in", "contains"]), OPERANDS).map(
    " ".join
)
CONDITIONS = st.recursive(
    st.one_of(COMPARISONS, COMPARISONS, PATHS, st.sampled_from(["true", "false"])),
    lambda inner: st.one_of(
        inner.map(lambda text: f"!({text})"),
        inner.map(lambda text: f"({text})"),
        st.lists(inner, min_size=2, max_size=3).map(" && ".join),
        st.lists(inner, min_size=2, max_size=3).map(lambda each: " || ".join(f"({text})" for text in each)),
        st.tuples(inner, inner).map(lambda each: f"({each[0]}) == ({each[1]})"),
    ),
    max_leaves=6,
)
BOUNDED = settings(
    max_examples=400, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow]
)


def parsed(text: str) -> Expression:
    try:
        return parse(text)
    except ExpressionError:
        assume(False)
        raise


@BOUNDED
@given(text=st.one_of(CONDITIONS, OPERANDS), data=DATA)
@example(text="context.a contains 10", data={"context": {"a": ["10.00", True]}})
@example(text='context.a contains "10"', data={"context": {"a": [10]}})
@example(text="context.a == context.b", data={"context": {"a": True, "b": 1}})
@example(text="context.a == -0.0", data={"context": {"a": 0}})
def test_evaluation_agrees_with_the_reference(text: str, data: dict[str, Any]) -> None:
    expression = parsed(text)
    try:
        compiled = compile_expression(expression)
    except ExpressionError:
        assume(False)
        raise
    try:
        expected: Any = ("value", interpret(expression.tree, data))
    except NoAnswer:
        expected = "no answer"
    try:
        found: Any = ("value", compiled.evaluate(data))
    except ExpressionError:
        found = "no answer"
    assert found == expected


@BOUNDED
@given(text=st.one_of(CONDITIONS, OPERANDS), data=DATA)
@example(text="context.a[0] == 1 || true", data={"context": {"a": [1]}})
def test_the_fast_path_and_the_trace_agree_with_the_careful_evaluation(text: str, data: dict[str, Any]) -> None:
    expression = parsed(text)
    if check(expression, UNTYPED).problems:
        assume(False)
    compiled = compile_expression(expression)
    _, run = build(expression, UNTYPED, boolean=False)
    record: dict[int, Any] = {}
    error: ExpressionError | None = None
    try:
        careful = run(data, record)
    except ExpressionError as caught:
        error = caught
    if error is not None:
        for attempt in (compiled.evaluate, compiled.trace):
            with pytest.raises(ExpressionError) as other:
                attempt(data)
            assert (str(other.value), other.value.details) == (str(error), error.details)
        return
    traced = compiled.trace(data)
    assert compiled.evaluate(data) == careful
    assert traced.result == careful
    assert traced._record == record
    assert list(traced._record) == list(record)
    found = traced.to_json()
    assert json.loads(json.dumps(found)) == found
    assert set(found["variables"]) <= set(expression.paths)


TYPED = st.sampled_from([
    "entity.grand_total > 10 && entity.credit <= entity.grand_total",
    "entity.grand_total in [10, 9.5] || entity.credit == 10",
    "entity.discount == null || entity.discount > 5",
    "entity.status == 'draft' || entity.status in ['posted', 'submitted']",
    "entity.status != entity.number && entity.number contains 'a'",
    "entity.tags contains 'a' || 'b' in entity.tags || entity.tags contains entity.number",
    "!entity.urgent && (entity.customer.vip || entity.customer.limit >= entity.grand_total)",
    "entity.due_on <= now && entity.created_at < '2026-06-02'",
    "entity.lines[0].amount > 9 && entity.lines == []",
    "entity contains 'discount' && entity.discount != null",
])  # fmt: skip
ODD = st.one_of(
    VALUES,
    st.sampled_from(["draft", "posted", "2026-06-01", "2026-06-01T00:00:00Z", float("nan"), Decimal("Infinity")]),
)


@BOUNDED
@given(
    text=TYPED,
    changes=st.dictionaries(
        st.sampled_from(
            [
                "grand_total",
                "credit",
                "discount",
                "status",
                "number",
                "tags",
                "urgent",
                "customer",
                "due_on",
                "created_at",
                "lines",
            ]
        ),
        ODD,
        max_size=4,
    ),
    absent=st.sets(st.sampled_from(["grand_total", "status", "customer", "lines"]), max_size=1),
)
def test_typed_conditions_have_one_meaning_whatever_the_document_holds(
    text: str, changes: dict[str, Any], absent: set[str]
) -> None:
    data = roots(**changes)
    for name in absent:
        del data["entity"][name]
    compiled = compile_expression(text, SCOPE, expect="boolean")
    _, run = build(compiled.expression, SCOPE, boolean=True)

    def outcome(attempt: Callable[[dict[str, Any]], Any]) -> Any:
        try:
            return attempt(data)
        except ExpressionError as error:
            return str(error), json.dumps(error.details)

    careful = outcome(lambda data: run(data, {}))
    assert isinstance(careful, bool | tuple)
    assert outcome(compiled.evaluate) == careful
    assert outcome(lambda data: compiled.trace(data).result) == careful


@BOUNDED
@given(text=st.one_of(CONDITIONS, OPERANDS), data=DATA)
def test_formatting_is_stable_and_keeps_the_meaning(text: str, data: dict[str, Any]) -> None:
    expression = parsed(text)
    formatted = format_expression(text)
    assert format_expression(formatted) == formatted
    again = parse(formatted)
    assert again.paths == expression.paths

    def outcome(each: Expression) -> Any:
        try:
            return interpret(each.tree, data)
        except NoAnswer:
            return "no answer"

    assert outcome(again) == outcome(expression)


@BOUNDED
@given(text=st.text(st.characters(codec=None, categories=None), max_size=60))
def test_any_text_survives_quoting(text: str) -> None:
    written = json.dumps(text)
    try:
        expression = parse(written)
    except ExpressionError:
        # Only what a document cannot hold either, or what is too long once escaped, may be refused.
        lone = any("\ud800" <= each <= "\udfff" for each in text)
        assert lone or "\x00" in text or len(written) > MAX_LENGTH
        return
    assert compile_expression(expression).evaluate({}) == text
    assert compile_expression(format_expression(written)).evaluate({}) == text


@BOUNDED
@given(text=st.text(max_size=40), data=st.text(max_size=10))
def test_a_template_without_braces_is_itself(text: str, data: str) -> None:
    escaped = text.replace("{", "{{").replace("}", "}}")
    assert Template.parse(escaped).render({}) == text
    assert Template.parse(escaped + "{context.x}").render({"context": {"x": data}}) == text + data


SCHEMA_WORDS = st.sampled_from(
    [
        "type",
        "properties",
        "required",
        "items",
        "enum",
        "const",
        "anyOf",
        "allOf",
        "oneOf",
        "$ref",
        "format",
        "pattern",
        "additionalProperties",
        "nullable",
        "a",
        "b",
        "$defs",
    ]
)
SCHEMA_LEAVES = st.one_of(
    st.sampled_from(
        ["object", "array", "string", "number", "null", "date", "decimal", "#", "#/$defs/a", "#/properties/a", "a"]
    ),
    st.booleans(),
    st.none(),
    st.floats(),
    st.integers(),
)
SCHEMAS = st.recursive(
    st.dictionaries(SCHEMA_WORDS, SCHEMA_LEAVES, max_size=4),
    lambda inner: st.dictionaries(
        SCHEMA_WORDS, st.one_of(inner, SCHEMA_LEAVES, st.lists(st.one_of(inner, SCHEMA_LEAVES), max_size=3)), max_size=4
    ),
    max_leaves=12,
)


@BOUNDED
@given(
    schema=SCHEMAS,
    text=st.sampled_from(["entity.a > 5", "entity.a.b == 'x' || entity.b", "'a' in entity.a", "entity.a[0]"]),
)
def test_any_schema_gives_types_or_an_expression_error(schema: dict[str, Any], text: str) -> None:
    code = None
    scope = Scope.of()
    try:
        scope = Scope.of(entity=schema)
    except ExpressionError as error:
        code = error.details["code"]
    assert code in (None, "bad_schema")
    checked = check(parse(text), scope)
    json.dumps([problem.to_json() for problem in (*checked.problems, *checked.warnings)])
    complete("entity.a == ", 12, scope)


PIECES = [
    *[
        "entity",
        "actor",
        "org",
        "now",
        "context",
        "payload",
        "item",
        ".grand_total",
        ".status",
        ".lines",
        ".customer.name",
        ".due_on",
        "['x']",
        "[0]",
        ".",
    ],
    *[
        "==",
        "!=",
        ">",
        ">=",
        "<",
        "<=",
        "in",
        "contains",
        "&&",
        "||",
        "!",
        "(",
        ")",
        "[",
        "]",
        ",",
        "=",
        "&",
        "$",
        "{",
        "}",
        "not",
        "__class__",
        "true",
        "false",
        "null",
    ],
    *[
        "1",
        "-1",
        "0",
        "10000.000000000000000001",
        "1e5",
        "1e999999",
        "'a'",
        '"2026-06-04"',
        "'12.5'",
        "'",
        '"',
        "\\",
        "\\u0041",
        "é",
        "😀",
    ],
    *[" ", " ", " ", "\n", "\t", "\x00", "\u202e", "\ud800"],
    *["entity.grand_total > 10000", 'actor.roles contains "clerk"', "context.note"],
]


def random_text(chance: random.Random) -> str:
    style = chance.random()
    if style < 0.25:
        return chance.randbytes(chance.randrange(40)).decode("latin-1")
    if style < 0.35:
        return "".join(
            chr(chance.choice((chance.randrange(0x110000), chance.randrange(0x300))))
            for _ in range(chance.randrange(20))
        )
    if style < 0.4:
        return chance.choice(PIECES) * chance.randrange(600)
    if style < 0.75:
        return "".join(chance.choices(PIECES, k=chance.randrange(14)))
    # Mostly well-formed: operands and operators in turn, then one random cut or insertion.
    operands = [
        "entity.grand_total",
        "entity.status",
        "now",
        "5",
        "'draft'",
        "context.note",
        "[1, 2]",
        "true",
        "actor.roles",
        "null",
    ]
    text = chance.choice(operands)
    for _ in range(chance.randrange(1, 5)):
        text += (
            f" {chance.choice(['==', '!=', '>', '<=', 'in', 'contains', '&&', '||', '&& !'])} {chance.choice(operands)}"
        )
    if chance.random() < 0.5:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", chance.choice(PIECES)]) + text[at + chance.randrange(3) :]
    return text


def test_a_hundred_thousand_random_texts_give_a_value_or_an_expression_error() -> None:
    chance = random.Random(20260604)
    data = roots()
    outcomes = {"refused": 0, "ill-typed": 0, "failed": 0, "value": 0}
    misplaced = 0
    for turn in range(100_000):
        text = random_text(chance)
        scope = SCOPE if turn % 2 else None
        try:
            expression = parse(text)
        except ExpressionError as error:
            outcomes["refused"] += 1
            misplaced += not 0 <= error.details["position"] <= len(text)
            continue
        try:
            compiled = compile_expression(expression, scope)
        except ExpressionError:
            outcomes["ill-typed"] += 1
            continue
        try:
            # Every eighth with the fast path too: generating it is what takes the time.
            found = (
                compiled.evaluate(data)
                if turn % 8 == 0
                else build(expression, scope or UNTYPED, boolean=False)[1](data, {})
            )
        except ExpressionError:
            outcomes["failed"] += 1
            continue
        outcomes["value"] += 1
        assert found is None or isinstance(found, bool | int | str | Decimal | list | dict) or found is data["now"]
    assert misplaced == 0
    assert sum(outcomes.values()) == 100_000
    assert min(outcomes.values()) > 1_000, outcomes


def test_random_payloads_give_a_value_or_an_expression_error() -> None:
    chance = random.Random(11)
    data = roots()
    rendered = 0
    for _ in range(5_000):
        marker = chance.choice(["$expr", "$template", "$literal", "plain"])
        text = random_text(chance)
        template = {"a": {marker: f"x{{{text}}}" if marker == "$template" else text}, "b": [1, None]}
        try:
            render_payload(template, data)
            rendered += 1
        except ExpressionError:
            continue
    assert rendered > 500
