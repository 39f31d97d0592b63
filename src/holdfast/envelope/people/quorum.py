"""Quorum: what the decisions so far amount to.

`any`: the first vote decides. `all`: one against is enough to refuse. A number: that many in favour, refused once they
cannot be reached any more. Who abstains does not count, neither for nor against; when everybody abstains, nobody was in
favour, and that refuses. A number is never lowered because fewer people are there: it waits for somebody new.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Literal

from holdfast.envelope.people.terms import AGAINST

__all__ = ["reached"]


def reached(
    required: str, asked: Collection[str], decisions: Mapping[str, str]
) -> Literal["approved", "rejected"] | None:
    """`approved`, `rejected`, or None while it is open. `asked` are people, `decisions` maps a seat to a verdict."""
    in_favour = {seat for seat, verdict in decisions.items() if verdict == "approved"}
    against = {seat for seat, verdict in decisions.items() if verdict in AGAINST}
    abstained = {seat for seat, verdict in decisions.items() if verdict == "abstained"}
    voters = (set(asked) | in_favour | against) - abstained
    if not voters:
        return "rejected" if abstained else None
    if required.isdigit():
        needed = int(required)
        # Whoever is not there yet has a seat all the same: the number stays what it is.
        tolerated = max(len(voters), needed) - needed
    else:
        needed, tolerated = len(voters) if required == "all" else 1, 0
    if len(in_favour) >= needed:
        return "approved"
    return "rejected" if len(against) > tolerated else None
