from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import pytest

from envelope.expressions.samples import SCOPE, roots
from holdfast.envelope.expressions import compile_expression
from holdfast.kernel.json import canonical_json


def because(text: str, data: dict[str, Any] | None = None, *, typed: bool = True) -> str:
    return compile_expression(text, SCOPE if typed else None).trace(data or roots()).because


def test_the_trace_is_the_audit_record_of_the_specification() -> None:
    text = "entity.grand_total > 10000 && actor.roles contains 'finance_manager'"
    traced = compile_expression(text, SCOPE).trace(roots())
    assert traced.to_json() == {
        "expression": text,
        "variables": {"entity.grand_total": 12500, "actor.roles": ["clerk", "finance_manager"]},
        "result": True,
        "steps": [
            {"expression": "entity.grand_total > 10000", "result": True},
            {"expression": 'actor.roles contains "finance_manager"', "result": True},
            {"expression": 'entity.grand_total > 10000 && actor.roles contains "finance_manager"', "result": True},
        ],
        "because": 'true because 12500 > 10000 and ["clerk", "finance_manager"] contains "finance_manager"',
    }
    assert traced.expression == text
    assert traced.result is True
    assert traced.variables["entity.grand_total"] == 12500
    assert traced.steps[0] == ("entity.grand_total > 10000", True)
    assert "true because 12500 > 10000" in repr(traced)


def test_what_was_not_needed_was_not_read() -> None:
    text = "entity.grand_total > 10000 && actor.roles contains 'finance_manager'"
    traced = compile_expression(text, SCOPE).trace(roots(grand_total=900))
    assert traced.variables == {"entity.grand_total": 900}
    assert traced.steps == (
        ("entity.grand_total > 10000", False),
        ('entity.grand_total > 10000 && actor.roles contains "finance_manager"', False),
    )
    assert traced.because == "false because 900 <= 10000"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("entity.grand_total > 10000", "true because 12500 > 10000"),
        ("entity.credit > 10000", "true because 12500.00 > 10000"),
        ("entity.credit < 10000", "false because 12500.00 >= 10000"),
        ("entity.status == 'draft'", 'false because "submitted" != "draft"'),
        ("entity.status in ['draft', 'posted']", 'false because "submitted" is not in ["draft", "posted"]'),
        ("entity.status in ['submitted']", 'true because "submitted" is in ["submitted"]'),
        ("actor.roles contains 'boss'", 'false because ["clerk", "finance_manager"] does not contain "boss"'),
        ("entity.urgent", "false because entity.urgent is false"),
        ("!entity.urgent", "true because entity.urgent is false"),
        ("entity.urgent || entity.grand_total > 1", "true because 12500 > 1"),
        ("entity.urgent || entity.grand_total < 1", "false because entity.urgent is false and 12500 >= 1"),
        ("entity.discount == null", "true because null == null"),
        ("entity.due_on < now", "false because 2026-06-04 >= 2026-06-04T10:30:00+00:00"),
        ("entity.customer contains 'name'", 'true because entity.customer contains "name"'),
        ("!(entity.urgent || entity.urgent)", "true because entity.urgent is false"),
        ("(1 == 2) == entity.urgent", "true because false == false"),
        ("true", "true because it says true"),
        ("true && entity.grand_total > 1", "true because it says true and 12500 > 1"),
        ("entity.grand_total", "12500 because entity.grand_total is 12500"),
    ],
)
def test_the_sentence_names_what_decided(text: str, sentence: str) -> None:
    assert because(text) == sentence


def test_a_value_too_large_for_a_sentence_is_named() -> None:
    data = roots(tags=[f"tag-{number}" for number in range(100)])
    assert because("entity.tags contains 'tag-99'", data) == 'true because entity.tags contains "tag-99"'
    short = roots(tags=list("abcdefghijklmnopqrstu"))
    assert because("entity.tags contains 'u'", short) == 'true because entity.tags contains "u"'


def test_a_trace_is_json_whatever_the_data() -> None:
    odd: dict[str, Any] = {
        "decimal": Decimal("12500.00"),
        "tiny": Decimal("1e-400"),
        "float": 0.1,
        "giant": 10**5000,
        "lone": "half \ud83d",
        "set": {"b", "a"},
        "tuple": (1, Decimal("2.5")),
        "object": object(),
        "bytes": b"x",
        "nested": {"at": roots()["now"], 5: None},
    }
    for name, value in odd.items():
        traced = compile_expression(f"context.{name} != null").trace({"context": {name: value}})
        found = traced.to_json()
        assert json.loads(json.dumps(found)) == found
        assert canonical_json(found)
    exact = compile_expression("context.decimal > 5 && context.float > 0").trace({"context": odd}).to_json()
    assert exact["variables"] == {"context.decimal": "12500.00", "context.float": "0.1"}


def test_a_deep_value_ends_in_a_trace() -> None:
    deep: list[Any] = []
    for _ in range(3000):
        deep = [deep]
    traced = compile_expression("context.deep != null").trace({"context": {"deep": deep}})
    assert json.dumps(traced.to_json()).count("[") < 200
