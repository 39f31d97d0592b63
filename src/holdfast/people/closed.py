"""What somebody is told who decides on a request that is closed, or that they have decided on before."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from holdfast.errors import Conflict
from holdfast.people.model import Decision

__all__ = ["closed", "decided_already"]


def closed(status: str, own: Decision | None, last: Decision | None, *, reads: bool) -> Conflict:
    """Why nobody decides on a request any more: what the actor decided, or who was faster, or what closed it.

    Who was faster is for those who may read what happens in processes.
    """
    if own is not None:
        return decided_already(own, status)
    if last is None:
        hint = "its step ended without people"
        return Conflict(f"the request is closed: it is {status}", hint=hint, request_status=status)
    if not reads:
        return Conflict(f"the request is closed: it is {status}", hint="somebody was faster", request_status=status)
    return Conflict(
        f"the request is closed: {last.decided_by} decided {last.decision!r} on {_moment(last.decided_at)}",
        hint=f"{last.decided_by} was faster; `approvals.get` shows every decision",
        request_status=status,
        **_about(last),
    )


def decided_already(own: Decision, status: str) -> Conflict:
    """What somebody is told who decides once more."""
    seat = "" if own.seat == own.decided_by else f" for {own.seat}"
    return Conflict(
        f"you have decided on this already: {own.decision!r}{seat} on {_moment(own.decided_at)}",
        hint="each person decides once; your decision stands, and nothing was written again",
        request_status=status,
        **_about(own),
    )


def _about(decision: Decision) -> dict[str, Any]:
    return {
        "decision": decision.decision,
        "decided_by": decision.decided_by,
        "decided_at": decision.decided_at.astimezone(UTC).isoformat(),
    }


def _moment(moment: datetime) -> str:
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
