"""People's part of a process as pure rules: on what terms they are asked, who they are, and what their votes come to.

The engine asks people out of tables, the simulator out of a world; both ask here what the rules are.
"""

from __future__ import annotations

from holdfast.envelope.people.chains import ChainFailed, stages_that_apply
from holdfast.envelope.people.quorum import reached
from holdfast.envelope.people.resolving import (
    ANYONE,
    Directory,
    Principal,
    Unresolved,
    by_manager,
    by_name,
    by_role,
    find_people,
    is_asked,
    next_in_turn,
    picked,
    too_few,
    voters,
)
from holdfast.envelope.people.terms import AGAINST, DECISIONS, Terms, Verdict, needs_reason, outcome_of, terms_of

__all__ = [
    "AGAINST",
    "ANYONE",
    "DECISIONS",
    "ChainFailed",
    "Directory",
    "Principal",
    "Terms",
    "Unresolved",
    "Verdict",
    "by_manager",
    "by_name",
    "by_role",
    "find_people",
    "is_asked",
    "needs_reason",
    "next_in_turn",
    "outcome_of",
    "picked",
    "reached",
    "stages_that_apply",
    "terms_of",
    "too_few",
    "voters",
]
