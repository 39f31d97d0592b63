"""Separation of duties: who must not decide on something, because of what they did to it, or decided beside it.

Pure, and the one definition of both rules: the engine and the simulator ask here, and Postgres checks the same again
(`guard_new_decision`).

*Four eyes*: whoever created or edited the document, up to the version that is decided on, or chose one of its
transitions in this process, does not decide on it. What the process wrote itself was nobody's edit.

*One seat each*: of approvals that lie in different branches of one split, a person decides on one, unless both nodes
say `may_decide_in_parallel`. Who abstains has not decided.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from holdfast.envelope.tokens.position import Fork, Token

__all__ = ["Barred", "Vote", "barred", "branches_of", "makers_of", "side_by_side"]

Branches = Mapping[str, int]
"""The splits around a step, each with the branch it lies in: see `branches_of`."""


@dataclass(frozen=True, slots=True)
class Vote:
    """A decision that stands, on another approval of the same process. `seat` is whose vote it is."""

    by: str
    seat: str
    verdict: str
    branches: Branches
    in_parallel: bool
    """Whether its node lets somebody decide on it who decides beside it."""


@dataclass(frozen=True, slots=True)
class Barred:
    """Why somebody may not decide: who of them, and because of what."""

    code: Literal["own_request", "seat_taken"]
    name: str
    message: str


def makers_of(edits: Iterable[tuple[str | None, bool]], choosers: Iterable[str | None]) -> frozenset[str]:
    """Everybody who made what is decided on.

    `edits` are the versions of the document, each with who wrote it and whether the process itself did; the first one
    counts always: somebody created the document. `choosers` are those who chose transitions of it.
    """
    wrote = (by for number, (by, own) in enumerate(edits) if number == 0 or not own)
    return frozenset(name for name in (*wrote, *choosers) if name)


def branches_of(token: Token, tokens: Mapping[str, Token], forks: Mapping[str, Fork]) -> dict[str, int]:
    """The splits a token is inside of, each with its branch. Items of a loop are no branches."""
    found: dict[str, int] = {}
    child: Token | None = token
    while child is not None and child.parent is not None:
        fork = forks.get(child.parent)
        if fork is not None:
            # A token comes to a split once in each round, and has another id in the next.
            found[f"{child.parent} {fork.split}"] = child.path_index
        child = tokens.get(child.parent)
    return found


def side_by_side(one: Branches, other: Branches) -> bool:
    """Whether two steps lie in different branches of one split."""
    return any(split in other and other[split] != branch for split, branch in one.items())


def barred(
    people: Collection[str],
    *,
    makers: Collection[str],
    four_eyes: bool,
    branches: Branches = {},  # noqa: B006 - never written to
    in_parallel: bool = False,
    votes: Iterable[Vote] = (),
) -> Barred | None:
    """Why somebody may not decide; None when they may. `people` are who decides and in whose seat, one or two names."""
    for name in sorted(set(people)):
        if four_eyes and name in makers:
            return Barred("own_request", name, f"{name} made, edited or submitted this and cannot decide on it")
    for vote in votes:
        taken = {vote.by, vote.seat} & set(people)
        if not taken or vote.verdict == "abstained" or (in_parallel and vote.in_parallel):
            continue
        if side_by_side(branches, vote.branches):
            name = min(taken)
            return Barred("seat_taken", name, f"{name} has decided on a parallel approval of this already")
    return None
