"""Ids, clocks, cursors, actors and chain links as plain values."""

from __future__ import annotations

import dataclasses
import json
import threading
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, ValidationError

from holdfast import Actor, FakeClock, Forbidden, InvalidInput
from holdfast.kernel.actor import BUILT_IN_ROLES, PERMISSIONS
from holdfast.kernel.audit import Break, Head, Link, link_hash, verify_chain
from holdfast.kernel.cursor import decode_cursor, decode_id_cursor, encode_cursor
from holdfast.kernel.given import Given
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import decode


def test_ids_increase_and_are_version_seven() -> None:
    made = [uuid7() for _ in range(10_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)
    assert {(one.version, one.variant) for one in made} == {(7, "specified in RFC 4122")}


def test_ids_of_threads_never_collide() -> None:
    made: list[UUID] = []
    threads = [threading.Thread(target=lambda: made.extend(uuid7() for _ in range(2000))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(made)) == 16_000


def test_the_id_tells_roughly_when() -> None:
    seconds = (uuid7().int >> 80) / 1000
    assert abs(seconds - datetime.now(UTC).timestamp()) < 5


def test_a_fake_clock_obeys_and_never_goes_back() -> None:
    clock = FakeClock(datetime(2026, 1, 1, tzinfo=UTC))
    assert clock.advance(timedelta(hours=1)) == datetime(2026, 1, 1, 1, tzinfo=UTC)
    assert clock.advance(30) == clock.now()
    with pytest.raises(ValueError, match="forward"):
        clock.advance(-1)
    with pytest.raises(ValueError, match="time zone"):
        FakeClock(datetime(2026, 1, 1))  # noqa: DTZ001 - that is the point


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")), st.integers(0, 2**62))
def test_a_cursor_gives_back_its_position(name: str, number: int) -> None:
    query = {"filter": "x"}
    assert decode_cursor(query, encode_cursor(query, [name, number]), (str, int)) == [name, number]


@given(st.text())
def test_no_text_is_mistaken_for_a_cursor(text: str) -> None:
    with pytest.raises(InvalidInput):
        decode_cursor({}, text, (str,))


def test_a_cursor_fits_its_query_only() -> None:
    cursor = encode_cursor({"kind": "a"}, ["x"])
    with pytest.raises(InvalidInput, match="another query"):
        decode_cursor({"kind": "b"}, cursor, (str,))
    with pytest.raises(InvalidInput, match="damaged"):
        decode_cursor({"kind": "a"}, cursor, (int,))
    with pytest.raises(InvalidInput, match="damaged"):
        decode_id_cursor({"kind": "a"}, cursor)


def test_actors_may_what_they_may() -> None:
    viewer = Actor("user", "vic", frozenset({"viewer"}), BUILT_IN_ROLES["viewer"])
    assert viewer.may("runs:read")
    with pytest.raises(Forbidden, match="user:vic may not write keys and links"):
        viewer.require("data:write")
    assert viewer.limited_to(None) is viewer
    assert viewer.limited_to(["data:read", "data:write"]).permissions == {"data:read"}
    assert Actor.system("importer").permissions == set(PERMISSIONS)


def test_roles_contain_what_they_should() -> None:
    for name, permissions in BUILT_IN_ROLES.items():
        assert permissions <= set(PERMISSIONS), name
    assert BUILT_IN_ROLES["viewer"] < BUILT_IN_ROLES["author"] < BUILT_IN_ROLES["admin"]
    assert not any(permission.endswith((":write", ":operate")) for permission in BUILT_IN_ROLES["viewer"])
    assert "tokens:read" not in BUILT_IN_ROLES["viewer"]


def links(count: int) -> list[Link]:
    made: list[Link] = []
    for seq in range(1, count + 1):
        previous = made[-1].hash if made else b""
        bare = Link(
            UUID(int=1),
            "document",
            UUID(int=2),
            seq,
            "x",
            "a",
            None,
            None,
            datetime(2026, 1, 1, tzinfo=UTC),
            "{}",
            previous,
            b"",
        )
        made.append(dataclasses.replace(bare, hash=link_hash(bare)))
    return made


@given(st.integers(1, 12), st.data())
def test_every_missing_or_swapped_link_breaks_the_chain(count: int, data: st.DataObject) -> None:
    chain = links(count)
    head = Head(chain[-1].seq, chain[-1].hash)
    assert verify_chain(chain, head) is None
    missing = data.draw(st.integers(0, count - 1))
    shorter = chain[:missing] + chain[missing + 1 :]
    if shorter:
        assert isinstance(verify_chain(shorter, head), Break)
    if count > 1:
        one = data.draw(st.integers(0, count - 2))
        chain[one], chain[one + 1] = chain[one + 1], chain[one]
        assert isinstance(verify_chain(chain, head), Break)


def test_fields_cannot_bleed_into_each_other() -> None:
    base = (UUID(int=1), "document", UUID(int=2), 1)
    at = datetime(2026, 1, 1, tzinfo=UTC)
    one = Link(*base, "ab", "c", None, None, at, "{}", b"", b"")
    other = Link(*base, "a", "bc", None, None, at, "{}", b"", b"")
    assert link_hash(one) != link_hash(other)


JSON_TEXTS = st.recursive(
    st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@given(JSON_TEXTS)
def test_what_is_read_the_fast_way_is_what_is_read_exactly(value: object) -> None:
    text = json.dumps(value, default=float)
    slow = json.loads(text, parse_float=Decimal)
    assert repr(decode(text)) == repr(slow)


@pytest.mark.parametrize("text", ["-0", "1.0", "1e5", "123456789012345", "1234567890123456", "9" * 30, '{"a":[2.50]}'])
def test_numbers_are_read_to_the_last_digit(text: str) -> None:
    assert repr(decode(text)) == repr(json.loads(text, parse_float=Decimal))


class Order(Given):
    count: int = 1
    weight: Annotated[float, Field(gt=0)] | None = None
    price: Annotated[int | Decimal, Field(ge=0)] = 0
    needed: Literal["any", "all"] | Annotated[int, Field(ge=1)] = "any"
    flagged: bool | int = 0
    extra: Any = None
    fresh: bool = False


@pytest.mark.parametrize("value", [True, False])
@pytest.mark.parametrize("name", ["count", "weight", "price", "needed"])
def test_a_truth_is_no_number(name: str, value: bool) -> None:
    with pytest.raises(ValidationError) as caught:
        Order.model_validate({name: value})
    (problem,) = caught.value.errors()
    assert (problem["loc"], problem["msg"]) == ((name,), "true and false are not numbers")


def test_a_truth_stays_one_where_it_may_be_given() -> None:
    order = Order.model_validate({"flagged": True, "extra": True, "fresh": True, "count": 2, "weight": 1, "needed": 3})
    assert (order.flagged, order.extra, order.fresh) == (True, True, True)
    assert (order.count, order.weight, order.needed) == (2, 1.0, 3)
