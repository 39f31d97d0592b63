"""Acts: the lines of a simulation's script. Each says what a person, another system or the clock does next.

In YAML or JSON a line is an object with one key, its verb: `- submit: {by: ana}`, `- wait: 72h`. Any word that is
not one of the verbs below is the name of a transition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from holdfast.errors import InvalidInput

__all__ = [
    "Act",
    "Arrive",
    "Choose",
    "Decide",
    "Edit",
    "Fill",
    "Finish",
    "Interrupt",
    "Pass",
    "Retry",
    "Stop",
    "act_from_data",
    "script_from_data",
    "told",
]


@dataclass(frozen=True, slots=True)
class Choose:
    """A person asks for a transition of the state the document rests in."""

    transition: str
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Decide:
    """A person approves or rejects. `at` names the step when several are open."""

    decision: Literal["approved", "rejected"]
    by: str | None = None
    at: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Fill:
    """A person fills in the form of a task and presses one of its buttons."""

    answer: Mapping[str, Any] = field(default_factory=dict)
    by: str | None = None
    at: str | None = None
    button: str = "completed"


@dataclass(frozen=True, slots=True)
class Arrive:
    """An event arrives. When nothing waits for it yet, it is kept."""

    key: str
    payload: Any = None


@dataclass(frozen=True, slots=True)
class Pass:
    """Time passes, such as `72h`; timers and timeouts that fall due on the way fire at their own moment."""

    duration: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A person changes fields of the document."""

    changes: Mapping[str, Any]
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Finish:
    """What was sent, enqueued or called for a step comes to its end: confirmed, done, or failed."""

    at: str
    outcome: str = "completed"
    result: Any = None
    message: str | None = None


@dataclass(frozen=True, slots=True)
class Interrupt:
    """A person performs a transition that may happen wherever the process stands."""

    transition: str
    by: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """An operator lets the failed step be tried again."""

    at: str | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """An operator stops the process."""

    reason: str


Act = Choose | Decide | Fill | Arrive | Pass | Edit | Finish | Interrupt | Retry | Stop


def script_from_data(lines: Sequence[Any], interrupts: Sequence[str] = ()) -> tuple[Act, ...]:
    """Read a whole script. `interrupts` are the transitions that interrupt a process, such as `cancel`."""
    return tuple(act_from_data(line, interrupts) for line in lines)


def act_from_data(line: Any, interrupts: Sequence[str] = ()) -> Act:
    """Read one line of a script."""
    if isinstance(line, str):
        line = {line: {}}
    if not isinstance(line, Mapping) or len(line) != 1:
        raise InvalidInput(f"a line of a script is an object with one verb, not {line!r}")
    [(verb, given)] = line.items()
    try:
        return _read(verb, given, interrupts)
    except (TypeError, ValueError) as error:
        raise InvalidInput(f"the line {verb!r} of the script is wrong: {error}") from None


def _read(verb: str, given: Any, interrupts: Sequence[str]) -> Act:
    if verb == "wait":
        return Pass(str(given))
    if verb == "stop":
        return Stop(str(given))
    values: dict[str, Any] = dict(given or {})
    match verb:
        case "approve" | "reject":
            return Decide("approved" if verb == "approve" else "rejected", **values)
        case "fill":
            return Fill(**values)
        case "event":
            return Arrive(**values)
        case "edit":
            return Edit(changes=values.pop("set"), **values) if "set" in values else Edit(**values)
        case "finish" | "confirm":
            return Finish(**values)
        case "fail":
            return Finish(outcome="error", **values)
        case "retry":
            return Retry(**values)
    if verb in interrupts:
        return Interrupt(verb, **values)
    return Choose(verb, **values)


def told(act: Act) -> str:
    """The act in words."""
    match act:
        case Choose():
            return act.transition
        case Decide():
            verb = "approves" if act.decision == "approved" else "rejects"
            return verb + (f" {act.at}" if act.at else "") + (f": {act.reason}" if act.reason else "")
        case Fill():
            return f"fills in {act.at or 'the form'} and presses {act.button}"
        case Arrive():
            return f"the event {act.key} arrives"
        case Pass():
            return f"{act.duration} pass"
        case Edit():
            return f"edits {', '.join(sorted(act.changes))}"
        case Finish():
            return f"{act.at} ends with {act.outcome}"
        case Interrupt():
            return act.transition + (f": {act.reason}" if act.reason else "")
        case Retry():
            return f"tries {act.at or 'the failed step'} again"
        case Stop():
            return f"stops the process: {act.reason}"
