from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from envelope.expressions.samples import SCOPE, code_of, roots
from holdfast.envelope.expressions import Payload, Template, check_payload, render_payload
from holdfast.errors import ExpressionError


@pytest.mark.parametrize(
    ("text", "rendered"),
    [
        ("delivery:pod:{entity.number}", "delivery:pod:INV-1"),
        ("{entity.number}", "INV-1"),
        ("plain", "plain"),
        ("", ""),
        ("{{not}} {entity.status}", "{not} submitted"),
        ("{entity.grand_total}/{entity.customer.limit}/{entity.urgent}", "12500/20000/false"),
        ("{context.exact} {context.float}", "12500.00 0.1"),
        ("{now}", "2026-06-04T10:30:00+00:00"),
        ("{entity.number == '}'} {'}'}", "false }"),
        ("{'\\'}' == entity.number}", "false"),
        ("é{entity.number}😀", "éINV-1😀"),
    ],
)
def test_expressions_in_braces_are_replaced_by_their_values(text: str, rendered: str) -> None:
    data = roots(number="INV-1")
    data["context"].update(exact=Decimal("12500.00"), float=0.1)
    template = Template.parse(text)
    assert template.check(SCOPE) == ()
    assert template.compile(SCOPE).render(data) == rendered
    assert template.render(data) == rendered


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        ("pod:{entity.number", "unclosed", 4),
        ("pod:}", "unexpected_token", 4),
        ("pod:{}", "empty", 5),
        ("pod:{entity.a = 1}", "unexpected_character", 14),
        ("pod:{nope}", "unknown_root", 5),
        ("pod:{" + "!" * 20 + "true}", "too_deep", 15),
        ("x" * 4001, "too_long", 4000),
    ],
)
def test_an_error_points_into_the_template(text: str, code: str, position: int) -> None:
    with pytest.raises(ExpressionError) as caught:
        Template.parse(text)
    assert code_of(caught.value) == code
    assert caught.value.details["position"] == position
    assert caught.value.details["expression"] == text
    with pytest.raises(ExpressionError):
        Template.parse(None)  # type: ignore[arg-type]


def test_every_problem_of_a_template_is_found() -> None:
    template = Template.parse("{entity.nubmer} {entity.lines} {entity.customer} {null}")
    found = template.check(SCOPE)
    assert [(each.code, each.position) for each in found] == [
        ("unknown_field", 8),
        ("not_printable", 17),
        ("not_printable", 32),
        ("not_printable", 50),
    ]
    with pytest.raises(ExpressionError) as caught:
        template.compile(SCOPE)
    assert len(caught.value.details["problems"]) == 4
    assert [each.text for each in template.expressions][:2] == ["entity.nubmer", "entity.lines"]


def test_a_value_that_is_missing_or_no_text_fails_the_rendering() -> None:
    template = Template.parse("pod:{entity.number}")
    with pytest.raises(ExpressionError) as null:
        template.compile(SCOPE).render(roots())
    assert (code_of(null.value), null.value.details["position"]) == ("null_value", 5)
    with pytest.raises(ExpressionError) as missing:
        template.compile().render(roots())
    assert (code_of(missing.value), missing.value.details["position"]) == ("missing_data", 12)
    assert missing.value.details["variables"] == {}
    with pytest.raises(ExpressionError) as listed:
        Template.parse("pod:{entity.lines}").render(roots())
    assert code_of(listed.value) == "not_printable"


def test_a_payload_is_json_with_expressions_in_it() -> None:
    template: dict[str, Any] = {
        "amount": {"$expr": "entity.grand_total"},
        "n": 3,
        "nested": [{"ok": {"$expr": "entity.grand_total > 10"}}, "plain {text}", None],
        "title": {"$template": "Invoice of {entity.customer.name}"},
        "kept": {"$literal": {"$expr": "not looked at"}},
        "whole": {"$expr": "entity.lines"},
        "at": {"$expr": "now"},
    }
    expected = {
        "amount": 12500,
        "n": 3,
        "nested": [{"ok": True}, "plain {text}", None],
        "title": "Invoice of Ada",
        "kept": {"$expr": "not looked at"},
        "whole": [{"sku": "A-1", "amount": "9.50"}],
        "at": "2026-06-04T10:30:00+00:00",
    }
    payload = Payload.parse(template)
    assert payload.check(SCOPE) == ()
    compiled = payload.compile(SCOPE)
    assert compiled.render(roots()) == expected
    assert render_payload(template, roots()) == expected
    assert json.dumps(expected)
    assert [path for path, _ in payload.expressions] == ["$.amount", "$.nested[0].ok", "$.title", "$.whole", "$.at"]


def test_a_whole_payload_may_be_one_expression() -> None:
    assert render_payload({"$expr": "entity.customer.name"}, roots()) == "Ada"
    assert render_payload("text", roots()) == "text"
    data = roots()
    data["actor"]["roles"] = {"b", "a"}
    assert render_payload({"$expr": "actor.roles"}, data) == ["a", "b"]


def test_a_payload_that_cannot_be_rendered_says_where() -> None:
    for marked in ({"$expr": "context.absent"}, {"$template": "{context.absent}"}):
        with pytest.raises(ExpressionError) as caught:
            render_payload({"lines": [1, marked]}, roots())
        assert (code_of(caught.value), caught.value.details["path"]) == ("missing_data", "$.lines[1]")


def test_every_problem_of_a_payload_is_found_with_its_path() -> None:
    template = {
        "a": {"$expr": "entity.grand_totl"},
        "b": [1, {"$template": "{entity.lines}"}],
        "c": {"$expr": "actor.rols contains 'x' && entity.zzz == 1"},
    }
    found = check_payload(template, SCOPE)
    assert [(each.path, each.code) for each in found] == [
        ("$.a", "unknown_field"),
        ("$.b[1]", "not_printable"),
        ("$.c", "unknown_field"),
        ("$.c", "unknown_field"),
    ]
    with pytest.raises(ExpressionError) as caught:
        Payload.parse(template).compile(SCOPE)
    assert caught.value.details["path"] == "$.a"


def test_every_malformed_part_of_a_payload_is_found() -> None:
    deep: Any = 1
    for _ in range(100):
        deep = [deep]
    template = {
        "a": {"$expr": "entity. "},
        "b": {"$expr": 5},
        "c": {"$expr": "true", "more": 1},
        "d": deep,
        "e": {"$template": "{"},
    }
    found = check_payload(template, SCOPE)
    assert [(each.path, each.code) for each in found if each.path and not each.path.startswith("$.d")] == [
        ("$.a", "expected_field"),
        ("$.b", "not_a_text"),
        ("$.c", "bad_payload"),
        ("$.e", "unclosed"),
    ]
    assert "too_deep" in {each.code for each in found}
    with pytest.raises(ExpressionError):
        Payload.parse(template)
