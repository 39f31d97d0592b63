"""What nodes write to their custom stream becomes messages, whatever it is and however much."""

from __future__ import annotations

import json
import math
from typing import Any

import orjson
import pytest

from holdfast.sessions.streams import progress


class Number(float):
    """A float that orjson does not take, as numpy's are."""


class Scalar:
    """A number of a library."""

    def tolist(self) -> int:
        return 3


class Mute:
    def __str__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("chunk", "content"),
    [
        ("half", {"message": "half"}),
        (5, {"message": "5"}),
        ({"progress": Number(0.5)}, {"progress": 0.5}),
        ({"rows": Scalar()}, {"message": "", "rows": 3}),
        ({"rows": 2**63 - 1, "atoms": 10**30}, {"message": "", "rows": 2**63 - 1, "atoms": "1" + "0" * 30}),
        ({"loss": math.nan, "b": "\ud800", "c": "\0"}, {"message": "", "loss": "nan", "b": "?", "c": "␀"}),
        ({1: {2}, (3, 4): None}, {"message": "", "1": [2], "(3, 4)": None}),
    ],
)
def test_anything_can_be_said(chunk: Any, content: Any) -> None:
    assert progress(chunk) == content
    assert orjson.loads(orjson.dumps(progress(chunk))) == content


def test_what_is_too_much_is_cut() -> None:
    assert len(json.dumps(progress({"rows": ["x" * 90_000] * 1000}))) < 1_100_000
    assert len(json.dumps(progress({"rows": list(range(5_000_000))}))) < 10_000_000
    assert len(progress("x" * 5_000_000)["message"]) == 100_001
    assert progress({"short": "x", "long": "y" * 100_001, "after": 1})["after"] == 1


def test_what_contains_itself_or_cannot_say_what_it_is_is_told_all_the_same() -> None:
    ring: dict[str, Any] = {}
    ring["ring"] = ring
    assert json.dumps(progress(ring)).count("ring") == 101
    assert "Mute object" in progress({"it": Mute()})["it"]
