"""Durations and cron lines mean what they say, and exact YAML means what the same JSON means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast.envelope.durations import format_duration, parse_duration
from holdfast.envelope.text import dump_yaml, parse_yaml
from holdfast.errors import CanonicalError
from holdfast.kernel.json import canonical_json


@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("90s", timedelta(seconds=90)),
        ("72h", timedelta(hours=72)),
        ("1d12h", timedelta(days=1, hours=12)),
        ("2w", timedelta(weeks=2)),
        ("1d2h3m4s", timedelta(days=1, hours=2, minutes=3, seconds=4)),
    ],
)
def test_durations(text: str, duration: timedelta) -> None:
    assert parse_duration(text) == duration
    assert parse_duration(format_duration(duration)) == duration


@pytest.mark.parametrize("text", ["", "0s", "0d0h", "h", "5", "1h1d", "1.5h", "-1h", "1h ", "٣h", "1h1h", "PT1H"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match=r"duration|no time"):
        parse_duration(text)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.decimals(allow_nan=False, allow_infinity=False, places=3)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@settings(max_examples=100, deadline=None)
@example({"\x85": "a\u2028b", "n": "no", "t": "2026-01-31", "o": "0o7", "x": "1_0", "y": "=", "f": "\ufeff"})
@given(json_values)
def test_yaml_keeps_every_json_value(value: object) -> None:
    assert canonical_json(parse_yaml(dump_yaml(value))) == canonical_json(value)


def test_yaml_is_read_exactly() -> None:
    assert parse_yaml("a: 0.1\nb: 2026-01-31\nc: 1e3") == {"a": Decimal("0.1"), "b": "2026-01-31", "c": "1e3"}
    for text in ("a: 1\na: 2", "1: a", "a: [", "a: !!float .nan", "a: !!python/object:os.system x", b"\xff\xfe\xfa"):
        with pytest.raises(CanonicalError):
            canonical_json(parse_yaml(text))
