"""`session`: what the end of a session means for the step that waits for it. Sessions themselves start it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from holdfast.kernel.json import decode
from holdfast.steps import Answer

__all__ = ["OUTPUT_LIMIT", "answer_of_session"]

OUTPUT_LIMIT: Final = 1024 * 1024
"""What a process takes over of a session's output: it is part of the instance from then on, and read with it."""


def answer_of_session(row: Mapping[str, Any] | None, opened: Callable[[str | None], Any] = decode) -> Answer:
    """The session's name and output, or why there is none."""
    if row is None:
        return Answer.failed("WORKFLOW_SESSION_FAILED", "the session is gone")
    name = row["session_name"]
    if row["status"] != "completed":
        return Answer.failed("WORKFLOW_SESSION_FAILED", row["error_message"] or "the session failed", session=name)
    if row["bytes"] > OUTPUT_LIMIT:
        return Answer.failed(
            "WORKFLOW_SESSION_OUTPUT_TOO_LARGE",
            f"the output of the session has {row['bytes']} bytes, a process takes {OUTPUT_LIMIT}",
            hint="store it elsewhere and return a reference",
            session=name,
        )
    return Answer(result={"session": name, "output": opened(row["output"])})
