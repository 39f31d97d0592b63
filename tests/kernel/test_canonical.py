"""Canonical JSON: one text for one value, and a clear refusal of what has none."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.errors import CanonicalError
from holdfast.kernel.json import canonical_hash, canonical_json, parse_json

text = st.text(st.characters(exclude_categories=["Cs"]))
numbers = st.integers() | st.decimals(allow_nan=False, allow_infinity=False, places=6)
values = st.recursive(
    st.none() | st.booleans() | numbers | text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(text, inner, max_size=4),
    max_leaves=20,
)


def shuffled(value: Any, data: st.DataObject) -> Any:
    if isinstance(value, dict):
        keys = data.draw(st.permutations(list(value)))
        return {key: shuffled(value[key], data) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, data) for item in value]
    return value


def test_key_order_does_not_matter() -> None:
    assert canonical_hash({"b": 1, "a": 2}) == canonical_hash({"a": 2, "b": 1})


@given(values, st.data())
def test_no_key_order_matters(value: Any, data: st.DataObject) -> None:
    assert canonical_json(shuffled(value, data)) == canonical_json(value)


@given(values)
def test_reading_it_back_gives_the_same_text(value: Any) -> None:
    once = canonical_json(value)
    assert canonical_json(parse_json(once)) == once


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (True, "true"),
        ([], "[]"),
        ({}, "{}"),
        ({"b": [1, {"d": 1, "c": 2}], "a": None}, '{"a":null,"b":[1,{"c":2,"d":1}]}'),
        ((1, 2), "[1,2]"),
        ('\u20ac$\x0f\nA\'B"\\"/', '"€$\\u000f\\nA\'B\\"\\\\\\"/"'),
        (10**40, "1" + "0" * 40),
        (Decimal("1.50"), "1.5"),
        (Decimal(100), "100"),
        (Decimal("1E+3"), "1000"),
        (Decimal("-0.00"), "0"),
        (Decimal("1e-7"), "0.0000001"),
    ],
)
def test_the_text_is_exactly(value: Any, expected: str) -> None:
    assert canonical_json(value).decode() == expected


def test_keys_sort_by_utf16_code_units_like_javascript() -> None:
    # U+1F600 sorts before U+FB33 by code units, after it by code points.
    assert list(json.loads(canonical_json({"\ufb33": 1, "\U0001f600": 2}))) == ["\U0001f600", "\ufb33"]


def test_the_hash_is_sha256_of_the_text() -> None:
    assert canonical_hash({"a": 1}) == hashlib.sha256(b'{"a":1}').hexdigest()


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"total": 0.1}, r"\$\.total is the float 0\.1"),
        ([1, [2.0]], r"\$\[1\]\[0\] is the float"),
        (float("nan"), "is the float nan"),
        (Decimal("NaN"), "JSON has no such number"),
        (Decimal("Infinity"), "JSON has no such number"),
        (Decimal("1e5000"), "more than 1000 digits"),
        ({"a": [10**1000]}, r"a\[0\] is a number of more than 1000 digits"),
        ({1: "x"}, "keys must be strings"),
        ({"x": {2, 3}}, r"\$\.x is a set"),
        (b"bytes", "is a bytes"),
        ({"at": datetime(2026, 1, 1, tzinfo=UTC)}, "is a datetime"),
        (UUID(int=1), "is a UUID"),
        ("\ud800", "lone surrogate"),
        ({"\udfff": 1}, "lone surrogate"),
    ],
)
def test_what_has_no_canonical_text_is_refused_with_its_path(value: Any, said: str) -> None:
    with pytest.raises(CanonicalError, match=said):
        canonical_json(value)


def test_endless_nesting_is_refused() -> None:
    value: list[Any] = []
    for _ in range(5000):
        value = [value]
    with pytest.raises(CanonicalError, match="nested"):
        canonical_json(value)


@pytest.mark.parametrize("wrong", ["NaN", "[Infinity]", '{"a":1,"a":2}', "{", "", "\x00", "[" * 100_000, b"\xff"])
def test_reading_is_strict(wrong: str | bytes) -> None:
    with pytest.raises(CanonicalError):
        parse_json(wrong)


def test_reading_is_exact() -> None:
    assert parse_json("0.1") == Decimal("0.1")
    assert parse_json("12500.00") == Decimal("12500.00")
    assert parse_json("9007199254740993") == 9007199254740993
