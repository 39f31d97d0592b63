"""Every code a step can fail with and every code a happening can be turned away with, and what each means.

The documentation is tested against these catalogues.
"""

from __future__ import annotations

from typing import Final

__all__ = ["FAILURE_CODES", "REFUSAL_CODES"]

FAILURE_CODES: Final[dict[str, str]] = {
    "WORKFLOW_NO_EDGE": "The step ended with an outcome for which no edge that leaves it matches.",
    "WORKFLOW_STEP_FAILED": "What the step asked for failed, without saying more, and no `error` edge leaves it.",
    "WORKFLOW_EXPRESSION_FAILED": "An expression met data it cannot decide on, such as a missing field.",
    "WORKFLOW_ENDLESS_LOOP": "The token was led back 100 times in one advance, with nothing to wait for.",
    "WORKFLOW_REFUSED": "A decision was against, and the gate has no way back.",
    "WORKFLOW_NOT_A_LIST": "What a `for_each` is to go through is not a list.",
    "WORKFLOW_TOO_MANY_ITEMS": "The list has more items than the `for_each` allows.",
}
"""Codes in the `error` of a failed step. A step may also carry a code its handler gave."""

REFUSAL_CODES: Final[dict[str, str]] = {
    "already_started": "The instance has begun before; nothing is done twice.",
    "edit_known": "The edit was announced before.",
    "forbidden": "The acting person has none of the roles that may do this.",
    "invalid_answer": "The answer to a task does not fit its form.",
    "no_such_transition": "No transition of that name can interrupt the process.",
    "not_asked": "The person is not among those who are asked (simulation).",
    "not_awaited": "No open step waits for the event; the caller may keep it for later.",
    "not_failed": "The step that is to be tried again has not failed.",
    "not_open": "The step is not open any more: somebody was faster, or it was cancelled.",
    "not_running": "The instance has not begun or is over.",
    "nothing_due": "No timer and no timeout is due.",
    "own_request": "Who submitted the document may not decide on it (simulation).",
    "stale_version": "The facts are older than what the process has already seen.",
    "WORKFLOW_EDIT_LOCKED": "The document cannot be edited while it is in this state.",
    "wrong_state": "The transition is not possible from the document's state.",
}
"""Codes of a `Refusal`: nothing was written."""
