"""JSON from outside: read exactly, and at a cost its writer does not choose."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import CanonicalError
from holdfast.kernel.json import MAX_DEPTH, MAX_VALUES, MOST_DIGITS, canonical_json, check_extent, parse_json

LONG = [
    *("1e999999999999999999", "1e-999999999999999999", "-1E+99999999999999999999999", "1e4400", "1.5e4299"),
    *("9" * (MOST_DIGITS + 1), "0." + "9" * MOST_DIGITS, "0e99999999", "1e" + "9" * 5000, "1e" + "0" * 5000 + "99999"),
]


@pytest.mark.parametrize("number", LONG, ids=lambda number: f"{number[:20]}_{len(number)}")
def test_a_number_too_long_is_refused_by_the_name_of_its_field(number: str) -> None:
    with pytest.raises(CanonicalError) as refused:
        parse_json('{"a": 1, "b": [0, {"c": %s}]}' % number)  # noqa: UP031 - braces
    assert refused.value.details["field"] == "b[1].c"
    with pytest.raises(CanonicalError):
        parse_json(number)


@pytest.mark.parametrize("number", ["9" * MOST_DIGITS, "1e4000", "1e-4000", "0." + "1" * 4000, "1e000000000000000001"])
def test_what_passes_can_be_converted_and_written(number: str) -> None:
    found = parse_json(number)
    assert len(str(int(found))) <= sys.get_int_max_str_digits()
    assert found == Decimal(number)


def test_numbers_that_need_not_be_exact_are_floats() -> None:
    assert parse_json('{"a": 1.5, "b": 1}', exact=False) == {"a": 1.5, "b": 1}
    assert type(parse_json("1.5", exact=False)) is float
    with pytest.raises(CanonicalError):
        parse_json("9" * 5000, exact=False)


def test_a_key_that_stands_twice_is_named_however_many_there_are() -> None:
    members = ",".join(f'"k{number}": 1' for number in range(90_000))
    with pytest.raises(CanonicalError, match="'k89999' stands twice"):
        parse_json('{%s, "k89999": 2}' % members)  # noqa: UP031 - braces


def test_as_many_values_as_may_be_pass_and_one_more_does_not() -> None:
    check_extent(b"[" + b"1," * (MAX_VALUES - 2) + b"1]")
    for text in (b"[" + b"1," * MAX_VALUES + b"1]", b"[" * (MAX_VALUES + 1), b"[" + b'"",' * (3 * MAX_VALUES) + b"1]"):
        with pytest.raises(CanonicalError, match="more than"):
            check_extent(text)


def test_texts_are_one_value_each_whatever_they_hold() -> None:
    text = json.dumps({"a": ",[{" * MAX_VALUES, "b": '\\",' * MAX_VALUES, "c": "\\" * 1001 + '"[' * 1000})
    check_extent(text.encode())


def test_what_is_too_deep_is_refused_by_the_name_of_its_member() -> None:
    deep: Any = 1
    for _ in range(MAX_DEPTH):
        deep = [deep]
    check_extent(json.dumps({"a": {"b": deep}}).encode())
    for _ in range(60):
        deep = {"x": deep}
    with pytest.raises(CanonicalError) as refused:
        check_extent(json.dumps({"a": 1, "b": deep}).encode())
    assert refused.value.details["field"] == "b"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals(-(10**20), 10**20, places=3) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(VALUES)
def test_what_is_written_is_read_again_as_it_was(value: Any) -> None:
    text = canonical_json(value)
    check_extent(text)
    assert canonical_json(parse_json(text)) == text
