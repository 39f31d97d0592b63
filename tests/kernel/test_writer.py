"""What is stored comes back as it was sent: no digit is lost, and a float stays a float."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum, StrEnum
from typing import Any
from uuid import UUID

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, field_serializer

from holdfast.errors import InvalidInput
from holdfast.kernel.json import answer, decode, decode_sent, dump, encode, parse_json, plain

LIMIT = 2**20

texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
floats = st.floats(allow_nan=False, allow_infinity=False)
decimals = st.decimals(allow_nan=False, allow_infinity=False)
numbers = st.integers() | floats | decimals
small = st.decimals("-1000000", "1000000", places=2)
values = st.recursive(
    st.none() | st.booleans() | texts | numbers | small,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(texts, inner, max_size=5),
    max_leaves=15,
)


def same_kind(sent: Any, got: Any) -> bool:
    """A number may come back as an int where it is one."""
    if isinstance(sent, dict):
        return all(same_kind(sent[key], got[key]) for key in sent)
    if isinstance(sent, list):
        return all(map(same_kind, sent, got))
    return type(got) is type(sent) or (isinstance(sent, float | Decimal) and type(got) is int)


@given(values)
@settings(max_examples=300, deadline=None)
def test_what_is_sent_is_what_arrives(value: Any) -> None:
    got = decode_sent(encode("value", value, limit=LIMIT))
    assert got == value
    assert same_kind(value, got)


@given(values)
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_sent_through_postgres_is_what_arrives(superuser: psycopg.Connection[Any], value: Any) -> None:
    text = encode("value", value, limit=LIMIT)
    row = superuser.execute("SELECT %s::jsonb::text AS stored", [text]).fetchone()
    assert row is not None
    got = decode_sent(row["stored"])
    assert got == value
    assert same_kind(value, got)


@given(values)
@settings(max_examples=200, deadline=None)
def test_what_the_engine_writes_has_every_digit(value: Any) -> None:
    assert decode(dump(value)) == plain(value)


@pytest.mark.parametrize("sent", [*map(Decimal, ("12500.10", "0.1", "0.10", "1E-7", "2.0")), 0.1, 1e-7, 2.0])
def test_a_decimal_is_told_from_a_float(sent: Any) -> None:
    got = decode_sent(encode("value", sent, limit=LIMIT))
    assert (got, type(got)) == (sent, type(sent))


def test_json_from_outside_follows_the_same_rule() -> None:
    got = parse_json("[0.1, 12500.10, 0.12345678901234567890, 1e2, 7]", exact=False)
    assert [type(one) for one in got] == [float, Decimal, Decimal, Decimal, int]
    assert got == [0.1, Decimal("12500.10"), Decimal("0.12345678901234567890"), 100, 7]


@pytest.mark.parametrize("text", ["1e16", "1e23", "1e308", "-1.5e300", "123456789012345678e3", "1E+400"])
def test_a_large_number_with_an_exponent_is_the_integer_that_was_sent(text: str) -> None:
    given = parse_json(text, exact=False)
    assert decode_sent(encode("value", given, limit=LIMIT)) == int(Decimal(text))


def test_a_large_integer_costs_a_decimal_beside_it_no_digit() -> None:
    value = {"n": 2**70, "total": Decimal("0.12345678901234567890")}
    assert decode(dump(value)) == value
    assert decode_sent(encode("value", value, limit=LIMIT)) == value


def test_an_answer_has_its_times_in_one_way_whatever_numbers_are_beside_them() -> None:
    at = datetime(2026, 6, 4, 12, tzinfo=UTC)
    for number in (7, Decimal("1.10"), 2**70, 10**400):
        assert f'{{"at":"2026-06-04T12:00:00Z","n":{number}}}' == answer({"n": number, "at": at}).decode()


class Colour(StrEnum):
    RED = "red"


class Level(Enum):
    HIGH = 3


@dataclass
class Line:
    price: Decimal
    colour: Colour


class Order(BaseModel):
    id: UUID
    total: Decimal = Field(alias="grand-total")
    lines: list[Line]
    limits: dict[int, Decimal]
    tags: tuple[Decimal, str]
    note: Any = None
    secret: bytes = b""

    @field_serializer("secret", when_used="json")
    def _length(self, secret: bytes) -> int:
        return len(secret)


def test_pythons_values_have_one_spelling() -> None:
    number = UUID(int=7)
    line = Line(Decimal("9.90"), Colour.RED)
    order = Order.model_validate(
        {
            "id": number,
            "grand-total": Decimal("12500.10"),
            "lines": [line],
            "limits": {1: Decimal("0.1")},
            "tags": (Decimal("1.0"), "x"),
            "note": {"deep": [Decimal("3.30")]},
            "secret": b"\xff\xfe",
        }
    )
    told = {
        "order": {
            "id": str(number),
            "grand-total": Decimal("12500.10"),
            "lines": [{"price": Decimal("9.90"), "colour": "red"}],
            "limits": {"1": Decimal("0.1")},
            "tags": [Decimal("1.0"), "x"],
            "note": {"deep": [Decimal("3.30")]},
            "secret": 2,
        },
        "level": 3,
        "day": "2030-01-02",
        "at": "2030-01-02T03:04:05+00:00",
        "span": 1.5,
        "some": [1, 2],
    }
    given = {
        "order": order,
        "level": Level.HIGH,
        "day": date(2030, 1, 2),
        "at": datetime(2030, 1, 2, 3, 4, 5, tzinfo=UTC),
        "span": timedelta(seconds=1.5),
        "some": {2, 1},
    }
    assert plain(given) == {**told, "span": Decimal("1.5")}
    assert decode_sent(encode("value", given, limit=LIMIT)) == told
    # With something that takes the slower way.
    assert decode_sent(encode("value", [given, 2**70, None], limit=LIMIT)) == [told, 2**70, None]


@pytest.mark.parametrize(
    ("value", "why"),
    [
        (math.nan, "NaN"),
        ([None, -math.inf], "NaN and infinity"),
        (Decimal("NaN"), "no such number"),
        (Decimal("1e5000"), "1000 digits"),
        (10**1001, "1000 digits"),
        ("a\0", "NUL"),
        ("\ud800", "surrogate"),
        ({(1, 2): 3}, "keys must be"),
        ({1: 2, "1": 3}, "alike"),
        (b"bytes", "a bytes is not JSON"),
        (object(), "a object is not JSON"),
    ],
)
def test_what_cannot_be_stored_is_refused_with_the_reason(value: Any, why: str) -> None:
    with pytest.raises(InvalidInput, match=why) as caught:
        encode("payload", {"inside": [value]}, limit=LIMIT)
    assert caught.value.details["field"] == "payload"


def test_what_is_too_deep_is_refused() -> None:
    value: Any = 1
    for _ in range(200):
        value = [value]
    assert decode_sent(encode("payload", value, limit=LIMIT)) == value
    for deep in ([value], {"[[[": [value]}):
        with pytest.raises(InvalidInput, match="200 levels"):
            encode("payload", deep, limit=LIMIT)
    ring: list[Any] = []
    ring.append(ring)
    with pytest.raises(InvalidInput, match="contains itself"):
        encode("payload", ring, limit=LIMIT)
    assert encode("payload", ["[" * 1000], limit=LIMIT)
