"""Claims begin behind what was claimed before, and nothing that comes to lie before that is forgotten."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from holdfast.leases import QueueMarks

ACME = UUID(int=1)
ORDER = ("due", "created_at", "id")
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


def row(second: int, lane: str | None = None) -> dict[str, Any]:
    due = NOON + timedelta(seconds=second)
    return {"tenant": ACME, "lane": lane, "due": due, "created_at": due, "id": UUID(int=second)}


def marked(marks: QueueMarks, now: float) -> dict[str, int]:
    """Behind which second claims of each lane begin; nothing: at the head."""
    return {each["lane"]: each["id"].int for each in marks.start(now) or []}


def test_the_first_claim_begins_at_the_head_and_the_next_one_behind_what_it_found() -> None:
    marks = QueueMarks(*ORDER)
    assert marks.start(0.0) is None
    marks.note(at_head=True, began=0.0, ended=0.01, rows=[row(2), row(1), row(5, "action:a")])
    assert marked(marks, 0.05) == {"": 2, "action:a": 5}
    marks.note(at_head=False, began=0.05, ended=0.06, rows=[row(4), row(3)])
    assert marked(marks, 0.07) == {"": 4, "action:a": 5}


def test_the_head_is_looked_at_again_after_ten_times_as_long_as_it_took_and_five_seconds_at_most() -> None:
    marks = QueueMarks(*ORDER)
    marks.note(at_head=True, began=0.0, ended=0.01, rows=[row(1)])
    assert marked(marks, 0.1) == {"": 1}
    assert marks.start(0.12) is None
    marks.note(at_head=True, began=1.0, ended=3.0, rows=[])
    assert marked(marks, 7.9) == {"": 1}
    assert marks.start(8.1) is None


def test_what_lies_before_a_mark_and_is_found_from_the_head_does_not_move_it_back() -> None:
    marks = QueueMarks(*ORDER)
    marks.note(at_head=True, began=0.0, ended=0.01, rows=[row(9)])
    marks.note(at_head=True, began=1.0, ended=1.01, rows=[row(3)])
    assert marked(marks, 1.05) == {"": 9}


def test_a_head_is_slow_when_passing_it_by_takes_much_longer_than_a_claim_behind_the_marks() -> None:
    marks = QueueMarks(*ORDER)
    slow: list[bool] = []
    for began, seconds, at_head in ((0.0, 0.015, True), (0.1, 0.01, False), (1.0, 0.2, True), (9.0, 0.005, True)):
        marks.note(at_head=at_head, began=began, ended=began + seconds, rows=[row(1)])
        slow.append(marks.slow)
    assert slow == [False, False, True, False]
