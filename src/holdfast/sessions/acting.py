"""As whom the tools of a graph act while a session executes it: as who started the session.

Execution says it here, in the context that LangGraph hands on to every node and tool; `app.as_tools` looks here. What
it says is who that was, with the rights of then; what they still have is looked up with every call.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any, NamedTuple

__all__ = ["IN_SESSION", "InSession"]


class InSession(NamedTuple):
    """The session that is being executed."""

    tenant: str
    """The tenant's slug."""

    party: Mapping[str, Any] | None
    """Who started it, as they were carried along; None is trusted code."""


IN_SESSION: ContextVar[InSession | None] = ContextVar("holdfast-in-session", default=None)
