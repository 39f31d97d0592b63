from __future__ import annotations

import json
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import StrEnum
from types import MappingProxyType
from typing import Any

import pytest

from envelope.expressions.samples import SCOPE, code_of, roots
from holdfast.envelope.expressions import compile_expression
from holdfast.errors import ExpressionError


def value(text: str, data: dict[str, Any] | None = None, *, typed: bool = True) -> Any:
    compiled = compile_expression(text, SCOPE if typed else None)
    data = roots() if data is None else data
    traced = compiled.trace(data)
    found = compiled.evaluate(data)
    assert (found, type(found)) == (traced.result, type(traced.result))
    return found


def failing(text: str, data: dict[str, Any] | None = None, *, typed: bool = True) -> ExpressionError:
    compiled = compile_expression(text, SCOPE if typed else None)
    data = roots() if data is None else data
    with pytest.raises(ExpressionError) as plain:
        compiled.evaluate(data)
    with pytest.raises(ExpressionError) as traced:
        compiled.trace(data)
    assert plain.value.details == traced.value.details
    assert str(plain.value) == str(traced.value)
    return plain.value


def test_the_routing_condition_of_the_specification() -> None:
    text = 'entity.grand_total > 10000 && actor.roles contains "finance_manager"'
    assert value(text) is True
    assert value(text, roots(grand_total=10000)) is False
    poor = roots()
    poor["actor"]["roles"] = ["clerk"]
    assert value(text, poor) is False


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10000.000000000000000001 > 10000", True),
        ("10000.000000000000000001 == 10000", False),
        ("0.1 == 0.10", True),
        ("1e3 == 1000", True),
        ("1e1000 > 1e999", True),
        ("-1 < 0 && 0 <= 0 && 1 >= 1 && 2 != 3", True),
        (f"{10**200} > {10**200 - 1}", True),
    ],
)
def test_numbers_are_exact(text: str, expected: bool) -> None:
    assert value(text) is expected


@pytest.mark.parametrize("total", [12500, Decimal("12500.00"), 12500.0, "12500.00", "1.25e4"])
def test_a_number_may_arrive_in_any_exact_form(total: Any) -> None:
    assert value("entity.grand_total == 12500 && entity.grand_total > 12499.99", roots(grand_total=total)) is True
    assert value("entity.grand_total == entity.credit", roots(grand_total=total)) is True
    assert value("entity.grand_total in [1, 12500]", roots(grand_total=total)) is True


def test_a_float_is_the_decimal_it_prints_as() -> None:
    assert value("entity.grand_total == 0.1", roots(grand_total=0.1)) is True
    assert value("entity.grand_total > 0.3", roots(grand_total=0.1 + 0.2)) is True


def test_decimals_kept_as_text_compare_as_numbers() -> None:
    # As texts "9.50" would be greater than "12500.00".
    assert value("entity.lines[0].amount < entity.credit") is True
    assert value("payload.amount > 9 && payload.amount == 12.5") is True
    assert value("payload.amount > context.approval_count", typed=False) is True


@pytest.mark.parametrize(
    "amount", ["", "NaN", "Infinity", "1_000", " 1", "1,5", "0x10", "١٢", "1e99999", "1" * 2000, "--1", "."]
)
def test_a_text_that_is_no_decimal_is_not_a_number(amount: str) -> None:
    assert code_of(failing("entity.credit > 1", roots(credit=amount))) == "not_a_number"
    assert code_of(failing("payload.x > 1", {"payload": {"x": amount}}, typed=False)) == "not_a_number"


@pytest.mark.parametrize("total", [float("nan"), float("inf"), Decimal("NaN"), Decimal("sNaN"), Decimal("-Infinity")])
@pytest.mark.parametrize("operator", ["==", "!=", ">", "<="])
def test_a_number_that_is_none_never_compares(total: Any, operator: str) -> None:
    assert code_of(failing(f"entity.grand_total {operator} 1", roots(grand_total=total))) == "not_a_number"
    assert code_of(failing(f"1 {operator} entity.grand_total", roots(grand_total=total))) == "not_a_number"


@pytest.mark.parametrize("total", [Decimal("1e999999"), Decimal("-1e-999999"), 10**5000, -(10**9000)], ids=range(4))
def test_giant_numbers_compare_and_are_reported(total: Any) -> None:
    expected = total > 5
    assert value("entity.grand_total > 5", roots(grand_total=total)) is expected
    traced = compile_expression("entity.grand_total > 5", SCOPE).trace(roots(grand_total=total))
    assert json.dumps(traced.to_json())
    assert code_of(failing("entity.grand_total contains 'x'", roots(grand_total=total), typed=False)) == "not_a_list"


def test_true_is_not_one() -> None:
    assert code_of(failing("entity.grand_total == 1", roots(grand_total=True))) == "type_mismatch"
    assert code_of(failing("entity.grand_total > 0", roots(grand_total=True))) == "type_mismatch"
    assert value("[true] contains context.one", {"context": {"one": 1}}, typed=False) is False
    assert value("context.list contains 1", {"context": {"list": [True, "x"]}}, typed=False) is False
    mixed = {"context": {"list": [True, "x"], "one": 1, "set": {True}, "object": {"1": 1}}}
    assert value("context.one in context.list || context.one in context.set", mixed, typed=False) is False
    assert code_of(failing("context.one in context.object", mixed, typed=False)) == "type_mismatch"
    assert value("context.list contains 1", {"context": {"list": [True, 1.0]}}, typed=False) is True


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entity.due_on == now", True),
        ("entity.due_on < now", False),
        ("entity.due_on <= now", True),
        ("entity.created_at < now", True),
        ("entity.created_at == '2026-06-01T10:00:00+02:00'", True),
        ("entity.created_at > '2026-05-31'", True),
        ("entity.created_at == '2026-06-01'", True),
        ("entity.due_on in ['2026-06-04', '2026-06-05']", True),
        ("now == '2026-06-04T10:30:00Z'", True),
        ("now > '2026-06-04T10:29:59.999999Z'", True),
        ("payload.at < now", True),
        ("payload.at == '2026-06-04T10:00:00Z'", False),
        ("payload.at > '2026-06-04T09:59:59Z'", True),
    ],
)
def test_times_compare_as_instants_and_dates_as_days(text: str, expected: bool) -> None:
    assert value(text) is expected


def test_values_of_python_compare_like_their_texts() -> None:
    data = roots(due_on=date(2026, 6, 4), created_at=datetime(2026, 6, 1, 8, tzinfo=UTC))
    assert value("entity.due_on == '2026-06-04' && entity.created_at == '2026-06-01T08:00:00Z'", data) is True
    data["now"] = "2026-06-04T10:30:00Z"
    assert value("entity.due_on == now && payload.at < now", data) is True
    untyped = {"context": {"a": datetime(2026, 6, 1, tzinfo=UTC), "b": "2026-06-01T00:00:00Z", "c": date(2026, 6, 1)}}
    assert value("context.a == context.b && context.b == context.c && context.a <= context.c", untyped, typed=False)


@pytest.mark.parametrize(
    "moment",
    ["", "tomorrow", "2026-13-01T00:00:00Z", "2026-06-01T00:00:00", "20260601", "2026-W01-1", datetime(2026, 6, 1)],  # noqa: DTZ001
)
def test_a_time_that_is_none_or_has_no_offset_is_refused(moment: Any) -> None:
    error = failing("entity.created_at < now", roots(created_at=moment))
    assert code_of(error) == "bad_date"
    assert error.details["position"] == 0


def test_a_time_at_the_edge_of_the_calendar_is_refused_and_does_not_crash() -> None:
    assert (
        code_of(failing("entity.created_at == '2026-01-01'", roots(created_at="0001-01-01T00:00:00+14:00")))
        == "bad_date"
    )
    assert value("entity.created_at < now", roots(created_at="0001-01-01T00:00:00+14:00")) is True


def test_text_has_no_order_unless_both_are_numbers_or_times() -> None:
    data = {"context": {"a": "apple", "b": "pear", "n": "9", "m": "10", "d": "2026-01-02", "e": "2026-01-10T00:00:00Z"}}
    assert value("context.n < context.m && context.d < context.e", data, typed=False) is True
    error = failing("context.a < context.b", data, typed=False)
    assert code_of(error) == "not_ordered"
    assert error.details["position"] == len("context.a ")


def test_null_is_equal_to_null_only() -> None:
    assert value("context.nothing == null && null == context.nothing && null == null") is True
    assert value("context.note != null && null != context.note") is True
    assert value("context.nothing == 5 || context.nothing == 'x' || context.nothing == now") is False
    assert value("context.nothing != 5") is True
    assert value("[1, null] contains context.nothing && !([1] contains context.nothing)") is True


@pytest.mark.parametrize("operator", [">", ">=", "<", "<="])
@pytest.mark.parametrize("other", ["5", "now", "context.approval_count", "context.nothing"])
def test_ordering_null_is_a_failure_and_never_true(operator: str, other: str) -> None:
    error = failing(f"context.nothing {operator} {other}")
    assert code_of(error) == "null_value"
    assert error.details["reason"] == "context.nothing is null"
    assert error.details["position"] == 0
    assert "!= null" in str(error.hint)


def test_missing_data_is_a_failure_that_says_what_was_read() -> None:
    error = failing("entity.grand_total > 100 && context.approvals > 2")
    assert code_of(error) == "missing_data"
    assert error.message == (
        "context has no 'approvals' in this data, at character 37\n"
        "    entity.grand_total > 100 && context.approvals > 2\n"
        "                                        ^ here"
    )
    assert error.details["variables"] == {"entity.grand_total": 12500}
    assert error.details["expression"] == "entity.grand_total > 100 && context.approvals > 2"
    assert 'context contains "approvals"' in str(error.hint)


@pytest.mark.parametrize("text", ["context.x == null", "context.x != null", "context.x != 5", "!(context.x == 5)"])
def test_missing_data_is_never_a_silent_true(text: str) -> None:
    assert code_of(failing(text)) == "missing_data"
    assert code_of(failing(text, {})) == "missing_data"


def test_presence_can_be_asked_for() -> None:
    assert value("context contains 'x' && context.x > 5") is False
    assert value("'note' in context") is True


def test_a_field_that_its_schema_does_not_require_reads_as_null() -> None:
    assert value("entity.discount == null || entity.discount > 5") is True
    assert value("entity.discount == null || entity.discount > 5", roots(discount=6)) is True
    assert value("entity.discount == null || entity.discount > 5", roots(discount=4)) is False
    assert code_of(failing("entity.discount > 5")) == "null_value"
    error = failing("entity.billing.country == 'DE'")
    assert code_of(error) == "null_value"
    assert error.details["reason"] == "entity.billing is null and so has no 'country'"


def test_a_required_field_that_is_absent_is_a_failure() -> None:
    data = roots()
    del data["entity"]["status"]
    assert code_of(failing("entity.status != 'draft'", data)) == "missing_data"
    assert code_of(failing("entity.status == null", data)) == "missing_data"


def test_conditions_stop_at_the_operand_that_decides() -> None:
    assert value("false && context.missing") is False
    assert value("true || context.missing") is True
    assert value("entity.grand_total < 1 && context.missing > 2") is False
    assert code_of(failing("true && context.missing")) == "missing_data"
    assert code_of(failing("false || context.missing")) == "missing_data"


@pytest.mark.parametrize("text", ["!context.note", "true && context.note", "context.note || true", "!context.nothing"])
def test_only_true_and_false_are_conditions(text: str) -> None:
    assert code_of(failing(text, typed=False)) == "not_boolean"


def test_a_condition_without_types_must_still_give_true_or_false() -> None:
    compiled = compile_expression("context.flag", expect="boolean")
    assert compiled.evaluate({"context": {"flag": True}}) is True
    with pytest.raises(ExpressionError, match=r"true or false is needed, and context\.flag is 1"):
        compiled.evaluate({"context": {"flag": 1}})
    with pytest.raises(ExpressionError, match=r"true or false is needed, and context\.flag is 1"):
        compiled.trace({"context": {"flag": 1}})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("entity.number contains 'INV' && 'V-1' in entity.number", True),
        ("entity.number contains 'inv'", False),
        ("entity.number contains ''", True),
        ("actor.roles contains 'clerk'", True),
        ("'admin' in actor.roles", False),
        ("entity.status in ['draft', 'submitted']", True),
        ("entity.customer contains 'name'", True),
        ("entity.customer contains 'vip'", False),
        ("entity.lines[0].sku == 'A-1'", True),
        ("entity.lines == []", False),
        ("context.approval_count in [2, 3]", True),
        ("context.note in ['a', context.note]", True),
        ("actor.roles == ['clerk', 'finance_manager']", True),
    ],
)
def test_membership(text: str, expected: bool) -> None:
    assert value(text, roots(number="INV-1")) is expected


@pytest.mark.parametrize("container", [list, tuple, set, frozenset])
def test_every_python_collection_is_a_list(container: Any) -> None:
    data = roots()
    data["actor"]["roles"] = container(["clerk", "auditor"])
    assert value("actor.roles contains 'auditor' && !(actor.roles contains 'boss')", data) is True
    assert value(
        "context.roles contains context.one", {"context": {"roles": container([1, 2]), "one": Decimal(1)}}, typed=False
    )
    same = {"context": {"a": container(["x", "y"]), "b": container(["x", "y"])}}
    assert value("context.a == context.b", same, typed=False) is True


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("context.nothing contains 'x'", "null_value"),
        ("'x' in context.approval_count", "not_a_list"),
        ("context.note contains context.approval_count", "type_mismatch"),
        ("context.note == true", "type_mismatch"),
        ("context.note == context.list", "type_mismatch"),
        ("context.note == 5", "not_a_number"),
        ("context.odd == 'x'", "type_mismatch"),
        ("context.list > context.list", "type_mismatch"),
        ("context.note.length == 2", "type_mismatch"),
        ("context.list[3] == 1", "missing_data"),
        ("context.note[0] == 'o'", "type_mismatch"),
        ("context.list.first == 1", "type_mismatch"),
        ("context.nothing.x == 1", "null_value"),
    ],
)
def test_what_has_no_answer_is_a_failure(text: str, code: str) -> None:
    data = {"context": {"note": "ok", "nothing": None, "approval_count": 2, "list": [1], "odd": b"bytes"}}
    assert code_of(failing(text, data, typed=False)) == code


def test_lists_and_objects_are_equal_by_what_they_hold() -> None:
    data = {"context": {"a": {"x": [1, {"y": Decimal("2.0")}]}, "b": {"x": [Decimal(1), {"y": 2}]}, "c": {"x": [True]}}}
    assert value("context.a == context.b && context.a != context.c", data, typed=False) is True


def test_values_nested_without_end_are_a_failure_and_not_a_crash() -> None:
    deep: list[Any] = []
    other: list[Any] = []
    for _ in range(5000):
        deep, other = [deep], [other]
    data = {"context": {"a": deep, "b": other}}
    error = failing("context.a == context.b", data, typed=False)
    assert code_of(error) == "too_deep"
    assert json.dumps(error.details)
    assert value("context.a contains 1", data, typed=False) is False


def test_data_may_be_any_mapping_and_subclass() -> None:
    class Status(StrEnum):
        DRAFT = "draft"

    data = MappingProxyType({"entity": MappingProxyType({"status": Status.DRAFT}), "context": {}})
    compiled = compile_expression("entity.status == 'draft' && entity.status in ['draft']", SCOPE)
    assert compiled.evaluate(data) is True
    assert compiled.trace(data).result is True


def test_a_value_is_returned_as_it_is_in_the_data() -> None:
    data = roots()
    assert value("entity.credit", data) == "12500.00"
    assert compile_expression("entity.lines", SCOPE).evaluate(data) is data["entity"]["lines"]
    assert value("[entity.grand_total, 5]", data) == [12500, 5]


def test_an_expression_cannot_reach_python() -> None:
    for text in ("entity.__class__", "entity.keys", "actor.roles.append", "context.note.upper"):
        assert code_of(failing(text, typed=False)) in {"missing_data", "type_mismatch"}
    hostile = "entity[\"'] + __import__('os').system('true') + ['\"] == 1"
    assert code_of(failing(hostile, typed=False)) == "missing_data"
