"""Seats: in whose place somebody decides on a request, and what keeps them from it.

A seat is the name that was asked; each is filled once. Mostly people decide in their own, some in that of a person who
handed over to them. Nothing here asks the database: a request is looked at as `hold_requests` read it.
"""

from __future__ import annotations

from typing import Final

from holdfast.envelope.people import is_asked
from holdfast.envelope.tokens import Barred, Vote, barred
from holdfast.errors import Conflict, Forbidden
from holdfast.kernel.actor import Actor
from holdfast.postgres.tenant import Row

__all__ = ["SOMEBODY_ELSE", "seat_of", "why_barred"]

SOMEBODY_ELSE: Final = {
    "own_request": "somebody else has to (four eyes)",
    "seat_taken": "somebody else has to; both steps can allow it with may_decide_in_parallel",
}
"""What to do when somebody is barred, by the code of the reason."""


def seat_of(request: Row, actor: Actor, on_behalf_of: str | None) -> str:
    """In whose place the actor decides: their own, or that of somebody who handed over to them."""
    me = actor.name
    own_reason = why_barred(request, me)
    if own_reason is not None:
        raise Forbidden(own_reason.message, hint=SOMEBODY_ELSE[own_reason.code], reason=own_reason.code)
    own = on_behalf_of in (None, me)
    if own and is_asked(request["principals"], me, actor.roles):
        if me in request["decisions"]:
            raise Conflict(f"somebody decided for {me} already", hint="each seat decides once")
        return me
    makers: list[str] = request["makers"]
    if request["may_delegate"] and me not in makers:
        for delegator, roles in sorted(_delegators(request).items()):
            if (on_behalf_of in (None, delegator) and is_asked(request["principals"], delegator, roles)
                    and delegator not in request["decisions"] and delegator not in makers
                    and why_barred(request, delegator) is None):  # fmt: skip
                return str(delegator)
    whom = me if own else f"{me} for {on_behalf_of}"
    raise Forbidden(f"{whom} is not asked", hint="only those who are asked decide; ask for it to be reassigned")


def why_barred(request: Row, name: str) -> Barred | None:
    """Why somebody may not decide on a request, whoever is asked."""
    return barred(
        [name],
        makers=request["makers"],
        four_eyes=request["four_eyes"],
        branches=request["branches"] or {},
        in_parallel=request["in_parallel"],
        votes=[Vote(**vote) for vote in request["votes"] or ()],
    )


def _delegators(request: Row) -> dict[str, list[str]]:
    """Who has handed over requests like this one to the actor, with the roles they have."""
    about = (None, request["entity_type"])
    return {each["name"]: each["roles"] for each in request["delegators"] if each["entity_type"] in about}
