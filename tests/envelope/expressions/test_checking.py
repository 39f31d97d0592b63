from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel

from envelope.expressions.samples import INVOICE, SCOPE
from holdfast.envelope.expressions import Kind, Scope, check, compile_expression, parse, type_of_schema
from holdfast.errors import ExpressionError


def problems(text: str, scope: Scope = SCOPE, expect: str | None = None) -> list[tuple[str, int, str | None]]:
    return [(each.code, each.position, each.hint) for each in check(parse(text), scope, expect=expect).problems]


def warnings(text: str) -> list[str]:
    return [each.message for each in check(parse(text), SCOPE).warnings]


@pytest.mark.parametrize(
    "text",
    [
        'entity.grand_total > 10000 && actor.roles contains "finance_manager"',
        "entity.customer.limit >= entity.grand_total",
        "entity.credit > 100.5 && entity.credit > entity.grand_total",
        "entity.status == 'draft' || entity.status in ['submitted', 'posted']",
        "entity.due_on < now && entity.created_at < '2026-01-01' && entity.due_on == '2026-06-04'",
        "entity.urgent && !entity.customer.vip",
        "entity.discount == null || entity.discount > 5",
        "entity.lines[0].amount > 10 && entity.tags contains 'x' && entity.number contains 'INV'",
        "entity.number in org.trusted_vendors",
        "context.anything.at[0].all == payload.whatever && item.price > 3 && item == 'x'",
        "context contains 'approval_count' && entity contains 'discount'",
        "entity.billing.country == 'DE' && entity.billing.country != null",
        "entity.lines == []",
        "payload.at < now && payload.amount > 3 && payload.code == 'x'",
        """entity["grand-total"] > 1""",
    ],
)
def test_what_makes_sense_is_accepted(text: str) -> None:
    checked = check(parse(text), SCOPE, expect="boolean")
    assert checked.problems == ()
    assert checked.ok
    assert checked.type.kind is Kind.BOOLEAN


@pytest.mark.parametrize(
    ("text", "code", "position", "hint"),
    [
        ("entity.grand_totl > 1", "unknown_field", 7, "Did you mean grand_total?"),
        ("entity.Grand_Total > 1", "unknown_field", 7, "Did you mean grand_total?"),
        ("entity.customer.xyz == 1", "unknown_field", 16, "It has limit, name, vip"),
        ("entity.grand_total.cents == 1", "unknown_field", 19, None),
        ("entity.lines.amount == 1", "unknown_field", 13, "for_each"),
        ("entity.customer[0] == 1", "unknown_field", 16, None),
        ("entity.status[0] == 'd'", "unknown_field", 14, None),
        ("actor.role == 'x'", "unknown_field", 6, "Did you mean roles?"),
        ("entity contains 'discont'", "unknown_field", 16, "Did you mean discount?"),
        ("entity.grand_total > '100'", "type_mismatch", 21, "Write 100 without quotes"),
        ("entity.number == 7", "type_mismatch", 17, 'Write "7" with quotes'),
        ("entity.urgent == 'yes'", "type_mismatch", 17, None),
        ("entity.urgent == entity.number", "type_mismatch", 17, None),
        ("actor.roles contains 5", "type_mismatch", 21, None),
        ("entity.number contains 5", "type_mismatch", 23, None),
        ("entity.number > 'A'", "not_ordered", 0, "format decimal"),
        ("entity.urgent > entity.urgent", "not_ordered", 0, None),
        ("entity.tags < 3", "not_ordered", 0, None),
        ("payload.x > 'abc'", "not_ordered", 12, None),
        ("entity.grand_total > null", "null_value", 21, "only with == and !="),
        ("entity.grand_total && true", "not_boolean", 0, None),
        ("!entity.status == 'draft'", "not_boolean", 1, "! binds tighter"),
        ("entity.grand_total contains 5", "not_a_list", 0, None),
        ("5 in entity.grand_total", "not_a_list", 5, None),
        ("entity.status == 'zzz'", "not_in_enum", 17, 'It can be "draft", "submitted", "posted"'),
        ("entity.status == 'postd'", "not_in_enum", 17, 'Did you mean "posted"?'),
        ("entity.status in ['draft', 'postd']", "not_in_enum", 27, 'Did you mean "posted"?'),
        ("entity.due_on > 'tomorrow'", "bad_date", 16, "2026-06-04"),
        ("entity.due_on > entity.number", "not_ordered", 16, None),
        ("entity.due_on == entity.number", "type_mismatch", 17, None),
        ("[1, 'a'] contains 1", "mixed_list", 4, None),
    ],
)
def test_what_cannot_work_is_a_problem_with_a_place(text: str, code: str, position: int, hint: str | None) -> None:
    found = problems(text)
    assert [(each[0], each[1]) for each in found] == [(code, position)]
    if hint is not None:
        assert hint in str(found[0][2])


def test_all_problems_are_reported_at_once_in_the_order_of_the_text() -> None:
    text = "entity.stauts == 'x' && entity.nope in [entity.nada] && entity.status > 3"
    checked = check(parse(text), SCOPE)
    assert [each.code for each in checked.problems] == [
        "unknown_field",
        "unknown_field",
        "unknown_field",
        "not_ordered",
    ]
    assert checked.problems[0].to_json() == {
        "code": "unknown_field",
        "message": "entity has no field 'stauts'",
        "hint": "Did you mean status?",
        "expression": text,
        "position": 7,
        "end": 13,
        "line": 1,
        "column": 8,
        "excerpt": f"    {text}\n           ^",
    }
    with pytest.raises(ExpressionError) as caught:
        compile_expression(text, SCOPE)
    assert "entity has no field 'stauts', at character 8 (and 3 more)" in caught.value.message
    assert len(caught.value.details["problems"]) == 4


def test_a_condition_must_be_true_or_false() -> None:
    assert [each[0] for each in problems("entity.grand_total", expect="boolean")] == ["wrong_result"]
    assert problems("context.flag", expect="boolean") == []
    assert check(parse("entity.grand_total"), SCOPE).type.kind is Kind.NUMBER
    assert problems("entity.status", expect="number") == [("wrong_result", 0, None)]


def test_a_root_can_be_taken_away_or_given_a_type() -> None:
    outside = SCOPE.without("item", "payload")
    assert problems("item.price > 3 && payload == 1", outside)[0][0] == "root_unavailable"
    assert "entity, actor, org, now, context" in str(problems("item.price > 3", outside)[0][2])
    line = check(parse("entity.lines"), SCOPE).type.item()
    inside = SCOPE.having("item", line)
    assert problems("item.amount > 3", inside) == []
    assert problems("item.amont > 3", inside) == [("unknown_field", 5, "Did you mean amount?")]
    with pytest.raises(ExpressionError, match="there is no root 'thing'"):
        SCOPE.having("thing", line)


def test_what_may_be_null_is_a_warning_unless_it_was_tested() -> None:
    assert warnings("entity.discount > 5") == ["entity.discount may be null, which would fail here"]
    assert warnings("entity.customer.vip && true") == ["entity.customer.vip may be null, which would fail here"]
    assert warnings("entity.tags contains 'x'") == ["entity.tags may be null, which would fail here"]
    assert warnings("entity.billing.country == 'DE'") == ["entity.billing may be null, which would fail here"]
    assert warnings("entity.discount != null && entity.discount > 5") == []
    assert warnings("entity.discount == null || entity.discount > 5") == []
    assert warnings("!(entity.discount == null) && entity.discount > 5") == []
    assert warnings("(entity.discount == null || entity.tags == null) || entity.discount > 5") == []
    assert warnings("entity.discount == null && entity.discount > 5") != []
    assert warnings("entity.discount != null || entity.discount > 5") != []
    assert warnings("entity.discount == 5 && entity.grand_total > 1 && context.x > 1") == []


@pytest.mark.parametrize(
    ("schema", "kind", "nullable"),
    [
        ({"type": "integer"}, Kind.NUMBER, False),
        ({"type": ["number", "null"]}, Kind.NUMBER, True),
        ({"type": "string", "format": "decimal"}, Kind.NUMBER, False),
        ({"type": "string", "pattern": r"^-?\d+(\.\d{1,2})?$"}, Kind.NUMBER, False),
        ({"type": "string", "pattern": r"^(?!^[-+.]*$)[+-]?0*\d*\.?\d*$"}, Kind.NUMBER, False),
        ({"type": "string", "pattern": r"^\d{5}$"}, Kind.TEXT, False),
        ({"type": "string", "pattern": r"^[A-Z]+\.[0-9]+$"}, Kind.TEXT, False),
        ({"type": "string", "pattern": r"^(\d+\.){3}\d+$"}, Kind.TEXT, False),
        ({"type": "string", "format": "date"}, Kind.DATE, False),
        ({"type": "string", "format": "date-time"}, Kind.INSTANT, False),
        ({"type": "string", "format": "uuid"}, Kind.TEXT, False),
        ({"enum": ["a", "b"]}, Kind.TEXT, False),
        ({"enum": ["a", None]}, Kind.TEXT, True),
        ({"enum": [1, "a"]}, Kind.ANY, True),
        ({"const": 5}, Kind.NUMBER, False),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, Kind.TEXT, True),
        ({"oneOf": [{"type": "string"}, {"type": "number"}]}, Kind.ANY, True),
        ({"type": "null"}, Kind.NULL, True),
        ({"type": "string", "nullable": True}, Kind.TEXT, True),
        ({}, Kind.ANY, True),
        (True, Kind.ANY, True),
        ({"items": {"type": "string"}}, Kind.LIST, False),
        ({"properties": {}}, Kind.OBJECT, False),
    ],
)
def test_json_schema_becomes_a_type(schema: Any, kind: Kind, nullable: bool) -> None:
    found = type_of_schema(schema)
    assert (found.kind, found.nullable) == (kind, nullable)


def test_numbers_of_an_enum_are_exact() -> None:
    scope = Scope.of(entity={"properties": {"rate": {"enum": [0, 0.07, 0.19]}}})
    assert problems("entity.rate == 0.19 || entity.rate in [0, 0.07]", scope) == []
    assert problems("entity.rate == 0.2", scope) == [("not_in_enum", 15, "It can be 0, 0.07, 0.19")]


def test_objects_are_closed_unless_they_say_otherwise() -> None:
    listed = type_of_schema({"properties": {"a": {"type": "number"}}})
    assert listed.field("b") is None
    said = type_of_schema({"properties": {"a": {}}, "additionalProperties": {"type": "string"}})
    assert said.field("b") == type_of_schema({"type": "string"})
    assert type_of_schema({"type": "object"}).field("b") is not None
    assert type_of_schema({"type": "object", "additionalProperties": False}).field("b") is None


def test_combined_schemas_are_read_as_one() -> None:
    parts = {
        "allOf": [
            {"type": "object", "properties": {"a": {"type": "string"}}},
            {"properties": {"b": {"$ref": "#/$defs/b"}}, "required": ["b"]},
            {"required": ["a"]},
        ],
        "$defs": {"b": {"enum": ["x", "y"]}},
    }
    both = type_of_schema(parts)
    assert set(both.fields) == set(both.required) == {"a", "b"}
    assert both.field("c") is None
    b = both.field("b")
    assert b is not None
    assert b.values == ("x", "y")
    either = type_of_schema(
        {"anyOf": [{"properties": {"a": {"const": 1}}, "required": ["a"]}, {"properties": {"z": {}}}]}
    )
    a = either.field("a")
    assert a is not None
    assert a.nullable
    assert either.field("z") is not None


def test_schemas_that_refer_to_themselves_end() -> None:
    tree = {
        "$ref": "#/$defs/node",
        "$defs": {"node": {"properties": {"value": {"type": "number"}, "next": {"$ref": "#/$defs/node"}}}},
    }
    scope = Scope.of(entity=tree)
    assert problems("entity.next.next.next.value > 1", scope) == []
    assert problems("entity.valeu > 1", scope) == [("unknown_field", 7, "Did you mean value?")]


@pytest.mark.parametrize(
    "schema",
    [{"$ref": "#/nowhere"}, {"$ref": "https://example.com/x"}, {"type": "strnig"}, {"properties": {"a": 5}}],
)
def test_a_schema_that_cannot_be_read_is_an_error(schema: dict[str, Any]) -> None:
    with pytest.raises(ExpressionError) as caught:
        Scope.of(entity=schema)
    assert caught.value.details["code"] == "bad_schema"
    deep: dict[str, Any] = {}
    for _ in range(1000):
        deep = {"items": deep}
    with pytest.raises(ExpressionError, match="nested too deeply"):
        type_of_schema(deep)


def test_a_pydantic_model_gives_the_types_its_author_meant() -> None:
    class Line(BaseModel):
        amount: Decimal

    class Order(BaseModel):
        total: Decimal
        lines: list[Line]
        note: str | None = None

    scope = Scope.of(entity=Order.model_json_schema())
    assert problems("entity.total > 10 && entity.lines[0].amount < entity.total", scope) == []
    assert problems("entity.ntoe == 'x'", scope) == [("unknown_field", 7, "Did you mean note?")]
    compiled = compile_expression("entity.total > entity.lines[0].amount", scope)
    assert compiled.evaluate({"entity": {"total": "10.00", "lines": [{"amount": "9.5"}]}}) is True


def test_a_type_is_shown_in_words() -> None:
    entity = type_of_schema(INVOICE)
    shown = {name: str(entity.field(name)) for name in ("grand_total", "status", "tags", "discount", "due_on")}
    assert shown == {
        "grand_total": "number",
        "status": 'text ("draft", "submitted", "posted")',
        "tags": "list of text or null",
        "discount": "number or null",
        "due_on": "date",
    }
