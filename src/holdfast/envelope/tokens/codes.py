"""Every code a step can fail with, a happening can be turned away with, or a wait or a reason is told by.

The documentation is tested against these catalogues.
"""

from __future__ import annotations

from typing import Final

__all__ = ["FAILURE_CODES", "REASON_CODES", "REFUSAL_CODES", "WAIT_CODES"]

FAILURE_CODES: Final[dict[str, str]] = {
    "WORKFLOW_NO_EDGE": "The step ended with an outcome for which no edge that leaves it matches.",
    "WORKFLOW_STEP_FAILED": "What the step asked for failed, without saying more, and no `error` edge leaves it.",
    "WORKFLOW_EXPRESSION_FAILED": "An expression met data it cannot decide on, such as a missing field.",
    "WORKFLOW_ENDLESS_LOOP": "The token was led back 100 times in one advance, with nothing to wait for.",
    "WORKFLOW_REFUSED": "A decision was against, and the gate has no way back.",
    "WORKFLOW_NOT_A_LIST": "What a `for_each` is to go through is not a list.",
    "WORKFLOW_TOO_MANY_ITEMS": "The list has more items than the `for_each` allows.",
    "WORKFLOW_TOO_MUCH_DATA": "What the step would save is more than a process keeps: 500 000 values, or 64 MiB.",
}
"""Codes in the `error` of a failed step. A step may also carry a code its handler gave."""

REFUSAL_CODES: Final[dict[str, str]] = {
    "already_decided": "The person has decided on this already (simulation).",
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
    "only_approved": "No way leads back from the gate, so it can only be approved (simulation).",
    "own_request": "Who made, edited or submitted the document may not decide on it (simulation).",
    "seat_taken": "Who decided in a parallel branch may not decide here too (simulation).",
    "reason_missing": "A decision against needs a reason (simulation).",
    "stale_version": "The facts are older than what the process has already seen.",
    "edit_locked": "The document cannot be edited while it is in this state.",
    "wrong_state": "The transition is not possible from the document's state.",
}
"""Codes of a `Refusal`: nothing was written."""

WAIT_CODES: Final[dict[str, str]] = {
    "branches": "Other branches are to arrive at a join: `arrived`, `needed`, `join`.",
    "choice": "Somebody is to choose a transition: `choices`.",
    "event": "An event from outside: `event_key`, and `until` when at the latest.",
    "failed": "Its step failed, and an operator is to look at it: `code`, `message`.",
    "items": "The items of a loop are to be done: `done`, `items`.",
    "people": "Those who are asked are to decide, or to fill in a form: `type`, and `until` when at the latest.",
    "ready": "Nothing: it can go on.",
    "time": "A moment: `until`.",
    "work": "Something that was set going is to end: `type` of the node.",
}
"""Codes of a `Wait`, and its parameters."""

REASON_CODES: Final[dict[str, str]] = {
    "condition": "A condition held: `expression`, `result`, `variables` (what it read) and `steps` (its parts).",
    "every_branch": "A split takes every branch.",
    "failed": "The step failed: `code`, `message`.",
    "nothing_else_matched": "No other edge's condition held: `conditions`, each as above.",
    "onward": "It is the only way.",
    "outcome": "The step ended so: `outcome`.",
}
"""Codes of a `Reason`, and its parameters."""
