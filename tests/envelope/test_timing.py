"""Durations and cron lines mean what they say, and exact YAML means what the same JSON means."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdfast.envelope.text import dump_yaml, parse_yaml
from holdfast.envelope.timing import format_duration, parse_cron, parse_duration
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


@pytest.mark.parametrize(
    ("line", "after", "expected"),
    [
        ("0 6 1 * *", "2026-01-31T12:00", "2026-02-01T06:00"),
        ("*/15 * * * *", "2026-01-01T00:00", "2026-01-01T00:15"),
        ("0 0 29 2 *", "2026-03-01T00:00", "2028-02-29T00:00"),
        ("0 0 29 2 *", "2096-03-01T00:00", "2104-02-29T00:00"),
        ("30 8 * * 1-5", "2026-06-05T08:30", "2026-06-08T08:30"),
        ("0 12 * * 7", "2026-06-01T00:00", "2026-06-07T12:00"),
        ("0 0 13 * 5", "2026-06-10T00:00", "2026-06-12T00:00"),
        ("0 0 1,15 6-8/2 *", "2026-06-15T00:00", "2026-08-01T00:00"),
        ("59 23 31 12 *", "2026-12-31T23:59", "2027-12-31T23:59"),
    ],
)
def test_cron_lines(line: str, after: str, expected: str) -> None:
    assert parse_cron(line).next_after(at(after)) == at(expected)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "* * * *",
        "60 * * * *",
        "* 24 * * *",
        "* * 0 * *",
        "* * * 13 *",
        "* * * * 8",
        "*/0 * * * *",
        "5-1 * * * *",
        "a * * * *",
        "0 0 30 2 *",
    ],
)
def test_what_is_no_cron_line(line: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_cron(line)


@settings(max_examples=100, deadline=None)
@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
    st.integers(0, 59),
    st.integers(0, 23),
    st.sampled_from(["*", "1", "31", "*/7"]),
    st.sampled_from(["*", "0", "1-5"]),
)
def test_the_next_moment_of_a_schedule_is_later_and_matches(
    moment: datetime, minute: int, hour: int, day: str, weekday: str
) -> None:
    cron = parse_cron(f"{minute} {hour} {day} * {weekday}")
    found = cron.next_after(moment)
    assert found > moment
    assert (found.minute, found.hour, found.second) == (minute, hour, 0)
    assert cron.next_after(found - timedelta(seconds=1)) == found


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
