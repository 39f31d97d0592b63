"""Quorum: what the decisions so far amount to.

`any`: the first vote decides. `all`: one against is enough to refuse. A number: that many in favour, refused once they
cannot be reached any more. Who abstains does not count, neither for nor against; when everybody abstains, nobody was in
favour, and that refuses. A number is never lowered because fewer people are there: it waits for somebody new.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from holdfast.envelope.tokens import tally

__all__ = ["reached"]

_AGAINST = ("rejected", "returned")


def reached(
    required: str, asked: Collection[str], decisions: Mapping[str, str]
) -> Literal["approved", "rejected"] | None:
    """`approved`, `rejected`, or None while it is open. `asked` are people, `decisions` maps a seat to a verdict."""
    votes = {
        seat: "rejected" if verdict in _AGAINST else verdict
        for seat, verdict in decisions.items()
        if verdict == "approved" or verdict in _AGAINST
    }
    abstained = {seat for seat, verdict in decisions.items() if verdict == "abstained"}
    voters = (set(asked) | set(votes)) - abstained
    if not voters:
        return "rejected" if abstained else None
    if required.isdigit():
        # Empty places stand for people who are not there yet: the number stays what it is.
        places = [*voters, *(f"\0{number}" for number in range(int(required) - len(voters)))]
        return tally(int(required), places, votes)
    return tally("all" if required == "all" else "any", voters, votes)
