"""When cron expressions fire, on the days the clocks change above all, and what is said about bad ones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast import InvalidInput
from holdfast.kernel.cron import Cron

BERLIN, NEW_YORK, LORD_HOWE = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"


def fires(expression: str, timezone: str, start: str, n: int) -> list[str]:
    """The first fires from a local time on, as local times with their offset."""
    zone = ZoneInfo(timezone)
    after = datetime.fromisoformat(start).replace(tzinfo=zone) - timedelta(seconds=1)
    found = islice(Cron.parse(expression, timezone).fires(after), n)
    return [fire.astimezone(zone).strftime("%m-%d %H:%M%z") for fire in found]


@pytest.mark.parametrize(
    ("timezone", "day", "expected"),
    [
        # 02:00 to 03:00 does not exist; it fires when the clocks jump.
        (BERLIN, "2026-03-28", ["03-28 02:30+0100", "03-29 03:00+0200", "03-30 02:30+0200"]),
        # 02:00 to 03:00 exists twice; it fires the first time.
        (BERLIN, "2026-10-24", ["10-24 02:30+0200", "10-25 02:30+0200", "10-26 02:30+0100"]),
        (NEW_YORK, "2026-03-07", ["03-07 02:30-0500", "03-08 03:00-0400", "03-09 02:30-0400"]),
        (NEW_YORK, "2026-10-31", ["10-31 02:30-0400", "11-01 02:30-0500", "11-02 02:30-0500"]),
        # Half an hour only: 02:00 to 02:30 does not exist, so 02:30 does.
        (LORD_HOWE, "2026-10-03", ["10-03 02:30+1030", "10-04 02:30+1100", "10-05 02:30+1100"]),
    ],
)
def test_a_time_of_day_fires_once_on_every_day(timezone: str, day: str, expected: list[str]) -> None:
    assert fires("30 2 * * *", timezone, day, 3) == expected


def test_half_an_hour_of_daylight_saving() -> None:
    assert fires("15 2 * * *", LORD_HOWE, "2026-10-03", 3) == [
        "10-03 02:15+1030",
        "10-04 02:30+1100",
        "10-05 02:15+1100",
    ]
    assert fires("45 1 * * *", LORD_HOWE, "2026-04-04", 3) == [
        "04-04 01:45+1100",
        "04-05 01:45+1100",
        "04-06 01:45+1030",
    ]


def test_several_times_in_the_skipped_hour_are_one_fire() -> None:
    assert fires("0,20,40 2 * * *", BERLIN, "2026-03-29", 2) == ["03-29 03:00+0200", "03-30 02:00+0200"]


def test_a_time_in_new_york_that_exists_twice_fires_the_first_time() -> None:
    assert fires("30 1 * * *", NEW_YORK, "2026-11-01", 2) == ["11-01 01:30-0400", "11-02 01:30-0500"]


@pytest.mark.parametrize(
    ("timezone", "day"), [(BERLIN, "2026-03-29"), (BERLIN, "2026-10-25"), (NEW_YORK, "2026-11-01")]
)
def test_an_interval_keeps_its_pace_when_the_clocks_change(timezone: str, day: str) -> None:
    start = datetime.fromisoformat(day).replace(tzinfo=ZoneInfo(timezone)).astimezone(UTC) - timedelta(seconds=1)
    found = list(islice(Cron.parse("*/15 * * * *", timezone).fires(start), 40))
    assert {later - earlier for earlier, later in pairwise(found)} == {timedelta(minutes=15)}


def test_the_repeated_hour_at_the_end_of_a_day_is_not_forgotten() -> None:
    # Paraguay turned its clocks back at midnight: the last hour of the Saturday came twice.
    assert fires("30 * 22 3 *", "America/Asuncion", "2014-03-22T22:00", 3) == [
        "03-22 22:30-0300",
        "03-22 23:30-0300",
        "03-22 23:30-0400",
    ]


@given(
    st.sampled_from(
        ["30 2 * * *", "*/7 * * * *", "0 */6 * * *", "@hourly", "15 10 * * mon", "0 0 L * *", "5 30 1 * * *"]
    ),
    st.sampled_from([BERLIN, NEW_YORK, LORD_HOWE, "UTC", "Asia/Kathmandu", "Africa/Casablanca"]),
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001
)
def test_the_next_fire_is_later_and_nothing_is_between(expression: str, timezone: str, instant: datetime) -> None:
    cron = Cron.parse(expression, timezone)
    fire = cron.next_after(instant)
    assert fire is not None
    assert fire > instant
    assert cron.next_after(fire - timedelta(seconds=1)) == fire
    between = instant + (fire - instant) / 2
    assert cron.next_after(between) == fire
    later = instant + timedelta(days=40)
    every = list(islice(cron.fires(instant, later), 500))
    if len(every) < 500:
        assert cron.latest(instant, later) == (every[-1] if every else None)


def test_the_latest_of_a_million_is_found_at_once() -> None:
    cron = Cron.parse("* * * * * *")
    until = datetime(2026, 6, 1, 12, 0, 0, 500, tzinfo=UTC)
    assert cron.latest(datetime(2020, 1, 1, tzinfo=UTC), until) == datetime(2026, 6, 1, 12, tzinfo=UTC)


def test_six_fields_begin_with_the_second() -> None:
    found = Cron.parse("10 30 2 * * *").next_after(datetime(2026, 1, 1, tzinfo=UTC))
    assert found == datetime(2026, 1, 1, 2, 30, 10, tzinfo=UTC)


def test_white_space_and_case_do_not_matter() -> None:
    assert Cron.parse("  0   0 * *  MON ").expression == "0 0 * * MON"
    assert Cron.parse("@Daily").next_after(datetime(2026, 1, 1, tzinfo=UTC)) == datetime(2026, 1, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("expression", "same"),
    [
        ("30 9-9 * * *", "30 9 * * *"),
        ("30 9-09/2,12 * * *", "30 9,12 * * *"),
        ("0 0-0 * * *", "0 0 * * *"),
        ("0 0 13-13 10-10 *", "0 0 13 10 *"),
        ("0 0 * * Mon-mon", "0 0 * * mon"),
        ("5-5 0 12 * * *", "5 0 12 * * *"),
        ("0 0 * * fri-5", "0 0 * * fri"),
        ("0 0 * * 5-FRI/2", "0 0 * * fri"),
        ("0 0 * * 0-sun", "0 0 * * sun"),
        ("0 0 * * 7-7", "0 0 * * sun"),
        ("0 0 1 jan-1 *", "0 0 1 1 *"),
    ],
)
def test_a_range_of_one_value_is_that_value(expression: str, same: str) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    fires = list(islice(Cron.parse(expression).fires(start), 5))
    assert fires == list(islice(Cron.parse(same).fires(start), 5))


@pytest.mark.parametrize(
    ("expression", "same"),
    [
        ("0 22-2 * * *", "0 22,23,0,1,2 * * *"),
        ("0 0 * * fri-mon", "0 0 * * 5,6,0,1"),
        ("0 0 * * 7-2", "0 0 * * 0,1,2"),
        ("0 0 * * sat-7", "0 0 * * 6,0"),
        ("0 0 * * mon-sun", "0 0 * * *"),
        ("0 0 * * 0-7", "0 0 * * *"),
        ("0 0 * * 0-7/2", "0 0 * * 0,2,4,6"),
        ("0 0 * * 1-7/2", "0 0 * * 1,3,5,0"),
        ("0 0 * * 6-1/2", "0 0 * * 6,1"),
        ("50-10/7 * * * *", "50,57,4 * * * *"),
        ("0 22-4/3 * * *", "0 22,1,4 * * *"),
        ("0 0 1 nov-mar/2 *", "0 0 1 11,1,3 *"),
        ("*/60 * * * *", "0 * * * *"),
        ("5/60 */24 * * *", "5 0 * * *"),
        ("0 0-23/24 * * *", "0 0 * * *"),
    ],
)
def test_a_range_over_the_end_goes_on_from_the_beginning(expression: str, same: str) -> None:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    cron = Cron.parse(expression)
    assert list(islice(cron.fires(start), 9)) == list(islice(Cron.parse(same).fires(start), 9))
    assert Cron.parse(cron.expression) == cron


def test_longer_ranges_stay_as_they_are() -> None:
    for expression in ("1-11 2-22 3-30 1-12 0-6", "0-10 1-12/3,2-20 * * mon-fri"):
        assert Cron.parse(expression).expression == expression


@pytest.mark.parametrize(
    ("expression", "timezone", "field", "said"),
    [
        ("60 * * * *", "UTC", "cron", "the minute '60'"),
        ("* 24 * * *", "UTC", "cron", "the hour '24'"),
        ("* * 0 * *", "UTC", "cron", "the day of month '0'"),
        ("* * * 13 *", "UTC", "cron", "the month '13'"),
        ("* * * * 8", "UTC", "cron", "the day of week '8'"),
        ("60 * * * * *", "UTC", "cron", "the second '60'"),
        ("*/0 * * * *", "UTC", "cron", "the minute '*/0'"),
        ("R * * * *", "UTC", "cron", "the minute 'R'"),
        ("* * * *", "UTC", "cron", "has 4 fields"),
        ("0 0 * * * * 2030", "UTC", "cron", "has 7 fields"),
        ("", "UTC", "cron", "empty"),
        ("@reboot", "UTC", "cron", "@hourly"),
        ("@dialy", "UTC", "cron", "did you mean '@daily'"),
        ("0 0 30 2 *", "UTC", "cron", "never fires"),
        ("x" * 300, "UTC", "cron", "300 characters"),
        ("* * * * *", "Europe/Berln", "timezone", "did you mean 'Europe/Berlin'"),
        ("* * * * *", "", "timezone", "IANA"),
        ("* * * * *", "localtime", "timezone", "IANA"),
        ("9-9/0 * * * *", "UTC", "cron", "the minute '9-9/0'"),
        ("*/90 * * * *", "UTC", "cron", "the largest step of * is 60"),
        ("*/61 * * * * *", "UTC", "cron", "the step of the second '*/61' is longer than its range"),
        ("0 5/25 * * *", "UTC", "cron", "the largest step of 5 is 24"),
        ("0 0 */32 * *", "UTC", "cron", "the largest step of * is 31"),
        ("0 0 1 */13 *", "UTC", "cron", "the largest step of * is 12"),
        ("0 0 * * */8", "UTC", "cron", "the largest step of * is 7"),
        ("0,30-40/11 * * * *", "UTC", "cron", "the largest step of 30-40 is 10"),
        ("0 22-2/5 * * *", "UTC", "cron", "the largest step of 22-2 is 4"),
        ("*/9999999999999 * * * *", "UTC", "cron", "the largest step of * is 60"),
        ("0 0 * * 7-0", "UTC", "cron", "write sun for Sundays, or * for every day"),
        ("0 0 * * 1,sun-7", "UTC", "cron", "the day of week 'sun-7' goes from Sunday to Sunday"),
        ("0 0 * * 7-Sun/2", "UTC", "cron", "goes from Sunday to Sunday"),
        ("* * * * *", "../../etc/passwd", "timezone", "IANA"),
    ],
)
def test_a_bad_expression_is_refused_with_the_field_and_the_fix(
    expression: str, timezone: str, field: str, said: str
) -> None:
    with pytest.raises(InvalidInput) as caught:
        Cron.parse(expression, timezone)
    assert caught.value.details["field"] == field
    assert caught.value.hint
    assert said in str(caught.value)


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
        ("0 0 31 2 5", "2026-01-01T00:00", "2026-02-06T00:00"),
        ("0 0 */10 * 1", "2026-01-01T00:00", "2026-01-05T00:00"),
        ("0 0 *,5 * 1", "2026-01-01T00:00", "2026-01-05T00:00"),
        ("0 0 * * fri#2", "2026-01-01T00:00", "2026-01-09T00:00"),
        ("0 0 * * L5", "2026-01-01T00:00", "2026-01-30T00:00"),
        ("0 0 L * fri#5", "2026-01-01T00:00", "2026-01-30T00:00"),
        ("0 0 0 * * 7", "2026-01-01T00:00", "2026-01-04T00:00"),
        ("0 0 L 2 *", "2028-01-01T00:00", "2028-02-29T00:00"),
        ("59 23 31 12 *", "2026-12-31T23:59", "2027-12-31T23:59"),
    ],
)
def test_lines_of_cron_mean_what_they_always_did(line: str, after: str, expected: str) -> None:
    found = Cron.parse(line).next_after(datetime.fromisoformat(after).replace(tzinfo=UTC))
    assert found == datetime.fromisoformat(expected).replace(tzinfo=UTC)
