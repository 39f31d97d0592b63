"""Problems: what is wrong with a definition, where, and what to do about it.

A compile never stops at the first mistake. It gathers `Problem` values, each with a stable code, the path of
the node, edge or field, a message and a hint, so that an editor can mark all of them at once. `PROBLEM_CODES`
is the catalogue of every code; the documentation is tested against it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import ValidationError

from holdfast.errors import CompileError

__all__ = [
    "PROBLEM_CODES",
    "Path",
    "Problem",
    "Problems",
    "Severity",
    "collected",
    "compile_error",
    "said",
    "shape_problems",
]

Severity = Literal["error", "warning"]

PROBLEM_CODES: Final[dict[str, str]] = {
    "contract.shape": "A field of the contract is missing, unknown or of the wrong type.",
    "contract.schema": "A schema of the contract is not a usable JSON Schema (2020-12) of an object.",
    "contract.duplicate": "Two states, transitions or slots have the same name.",
    "contract.unknown_state": "A transition names a state that the contract does not have.",
    "contract.no_start": "No state is the initial one.",
    "contract.two_starts": "More than one state is or could be the initial one.",
    "contract.no_end": "Every state leads onward, so no process could ever be complete.",
    "contract.unreachable": "No sequence of transitions leads from the initial state to the state.",
    "contract.cycle": "Forward transitions lead in a circle; a way back must be of kind `return`.",
    "contract.return": "A return does not lead back, or leaves a state that no forward transition leaves.",
    "contract.ambiguous": "A state has several ways onward of which one is automatic, or two outcomes are alike.",
    "contract.window_missing": "A state has no edit window.",
    "contract.slot": "A slot does not sit on a way of the skeleton, or two sit on the same one.",
    "contract.version": "The contract changed without a higher version.",
    "shape.invalid": "The definition has a missing, unknown or wrongly typed field.",
    "base.entity_type": "The definition was written for another entity type.",
    "base.envelope_version": "The definition was written for another version of the skeleton; rebase it.",
    "slot.unknown": "The skeleton has no slot of this name.",
    "scope.node_id": "A node's id is not a well-formed `usr:‹slot›:‹name›` of its own slot (WF-06).",
    "scope.edge_id": "An edge's id is not a well-formed `usr:‹slot›:‹name›` of its own slot (WF-06).",
    "scope.edge_endpoint": "An edge starts or ends outside its slot; only `in` and `out` lead there (WF-06).",
    "scope.duplicate_node": "Two nodes of one patch have the same id.",
    "scope.duplicate_edge": "Two edges of one patch have the same id.",
    "scope.system_type": "The node type belongs to the skeleton and cannot be used in a slot (WF-06).",
    "attach.entry": "The patch does not attach to `in` as its `entry_edge_mode` says.",
    "attach.exit": "The patch does not attach to `out` as its `exit_edge_mode` says.",
    "node.unknown_type": "No node type of this name is registered.",
    "node.unreachable": "No path leads from the slot's `in` to the node.",
    "node.dead_end": "No path leads from the node to the slot's `out`.",
    "node.outcome_unhandled": "The node can give an outcome for which no edge leaves it.",
    "node.no_else": "A branch has no `else` edge: when no condition holds, the step fails.",
    "config.invalid": "A node's configuration has a missing, unknown or wrong value.",
    "config.float": "A binary float cannot be hashed; write an integer, a decimal in JSON text, or a string.",
    "edge.unknown_outcome": "The edge waits for an outcome that its source never gives.",
    "edge.unknown_endpoint": "The edge names a node that does not exist.",
    "edge.shadowed": "The edge can never be taken: an earlier edge always matches.",
    "graph.cycle": "The forward edges form a cycle; a way back must be declared `returns: true`.",
    "graph.return_forward": "A return edge does not lead back to a node that comes before its source.",
    "graph.return_crosses": "A return edge leads into or out of a branch of a parallel split.",
    "graph.return_guard": "A return edge has neither outcome nor condition, so it could loop for ever.",
    "split.too_few": "A parallel split needs at least two branches.",
    "split.unpaired": "The branches of a split do not all meet in one parallel join.",
    "split.branches_meet": "Two branches of a split meet before their join.",
    "join.unpaired": "A parallel join is not the end of exactly one parallel split.",
    "join.count": "An `n_of_m` join asks for more branches than its split has, or for none.",
    "expression.invalid": "An expression or template does not parse or does not fit the contract.",
    "expression.nullable": "An expression reads what may be null or absent; when it is, the step fails.",
    "expression.type": "An expression gives another type than its place needs.",
    "config.input": "The input of an action does not fit the action.",
    "name.role": "The tenant has no role of this name.",
    "name.user": "The tenant has no active user of this name.",
    "name.chain": "The tenant has no approval chain of this name, or it is archived.",
    "name.rule": "Neither the organisation nor the application here has a rule of this name.",
    "name.action": "No action of this name is registered; where another program may have it, this is a warning.",
    "name.permission": "Neither the product nor the application has a permission of this name.",
    "name.event": "The application tells no events with such a key.",
    "chain.expression": "An expression of the approval chain does not fit this type of document.",
    "window.looser": "An edit window may only be made stricter than the skeleton's, never looser.",
    "body.depth": "`for_each` bodies are nested too deeply.",
    "integrity.missing": "A node or edge of the skeleton is missing from the effective workflow (WF-08).",
    "integrity.altered": "A node or edge of the skeleton differs in the effective workflow (WF-08).",
    "integrity.order": "The gates of the skeleton are not in their order in the effective workflow (WF-08).",
    "limit.size": "The definition has more nodes or edges than a compile accepts.",
}
"""Every code a compile can give, with its meaning."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong. `path` is written as in `slots["slot:main"].nodes[3].config.timeout`."""

    path: str
    code: str
    message: str
    hint: str = ""
    severity: Severity = "error"

    def to_json(self) -> dict[str, Any]:
        """The problem as a JSON object, as in a problem+json answer."""
        return {
            "path": self.path,
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "severity": self.severity,
        }

    def __str__(self) -> str:
        text = f"{self.path}: {self.message} [{self.code}]"
        return f"{text}\n    {self.hint}" if self.hint else text


@dataclass(frozen=True, slots=True)
class Path:
    """A place inside a definition, built step by step: `Path() / "slots" / …`."""

    text: str = ""

    def field(self, name: str) -> Path:
        """The field of that name below this place."""
        return Path(f"{self.text}.{name}" if self.text else name)

    def index(self, position: int) -> Path:
        """The item at that position of the list at this place."""
        return Path(f"{self.text}[{position}]")

    def key(self, name: str) -> Path:
        """The entry of that name in the mapping at this place."""
        return Path(f'{self.text}["{name}"]')

    def below(self, steps: Iterable[str | int]) -> Path:
        """Follow field names and positions, as pydantic reports them."""
        here = self
        for step in steps:
            if isinstance(step, int):
                here = here.index(step)
            else:
                here = here.field(step) if re.fullmatch(r"\w+", step) else here.key(step)
        return here

    def __str__(self) -> str:
        return self.text


class Problems:
    """A growing list of problems that refuses codes missing from the catalogue."""

    def __init__(self) -> None:
        self._found: list[Problem] = []

    def add(self, code: str, path: Path | str, message: str, hint: str = "", *, severity: Severity = "error") -> None:
        """Note one problem."""
        if code not in PROBLEM_CODES:
            raise KeyError(code)
        self._found.append(Problem(str(path), code, message, hint, severity))

    def extend(self, problems: Iterable[Problem]) -> None:
        """Note what was found elsewhere."""
        self._found.extend(problems)

    def __iter__(self) -> Iterator[Problem]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def has_errors(self) -> bool:
        """Whether anything found forbids the definition."""
        return any(problem.severity == "error" for problem in self._found)

    def sorted(self) -> tuple[Problem, ...]:
        """Every distinct problem, by path, so that the same input gives the same list."""
        return collected(self._found)


def collected(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Every distinct problem in reading order."""
    return tuple(sorted(set(problems), key=_reading_order))


def _reading_order(problem: Problem) -> tuple[list[tuple[bool, int, str]], Problem]:
    """By path, with numbers as numbers: `nodes[2]` before `nodes[10]`."""
    parts = re.split(r"(\d+)", problem.path)
    return [(part.isdecimal(), int(part) if part.isdecimal() else 0, part) for part in parts], problem


_SHAPE_HINTS: Final = {
    "extra_forbidden": "Remove it, or correct its name",
    "missing": "Add it",
    "string_pattern_mismatch": "Use letters, digits and `_`, beginning with a letter",
    "string_unicode": "Write it in valid Unicode",
}


def shape_problems(error: ValidationError, code: str, below: Path = Path()) -> Problems:  # noqa: B008 - a value
    """Pydantic's findings as problems of that code."""
    problems = Problems()
    for found in error.errors(include_url=False, include_context=False, include_input=False):
        problems.add(code, below.below(found["loc"]), *said(found))
    return problems


def said(found: Mapping[str, Any]) -> tuple[str, str]:
    """What to say of one finding of pydantic: the message, and a hint where the message is not enough."""
    return found["msg"].removeprefix("Value error, "), _SHAPE_HINTS.get(found["type"], "")


def compile_error(problems: Iterable[Problem]) -> CompileError:
    """The error that carries `problems`: readable as text, machine-readable in `details["problems"]`."""
    errors = collected(problem for problem in problems if problem.severity == "error")
    count = "1 problem" if len(errors) == 1 else f"{len(errors)} problems"
    lines = "\n".join(f"- {problem}" for problem in errors)
    return CompileError(
        f"the definition does not compile: {count}\n{lines}",
        problems=[problem.to_json() for problem in errors],
    )
