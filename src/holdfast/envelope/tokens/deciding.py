"""Deciding: when several people are asked, what their answers so far amount to.

The decisions themselves are kept where approvals are kept; this says when they are enough. `any`: the first answer
decides. `all`: one against is enough to refuse. A number: that many in favour, refused once they cannot be reached.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

__all__ = ["tally"]


def tally(
    required: Literal["any", "all"] | int, asked: Collection[str], decisions: Mapping[str, str]
) -> Literal["approved", "rejected"] | None:
    """`approved`, `rejected`, or None while it is open. `decisions` maps a person to `approved` or `rejected`."""
    in_favour = sum(decision == "approved" for decision in decisions.values())
    against = sum(decision == "rejected" for decision in decisions.values())
    people = max(len(asked), len(decisions), 1)
    if required == "any":
        needed, tolerated = 1, 0
    elif required == "all":
        needed, tolerated = people, 0
    else:
        needed = min(int(required), people)
        tolerated = people - needed
    if in_favour >= needed:
        return "approved"
    return "rejected" if against > tolerated else None
