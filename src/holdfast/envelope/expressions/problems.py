"""What can be wrong with an expression, and how it is shown: a code, a sentence, a hint and a caret under the
character.

Parsing stops at its first problem and raises it; checking collects every problem; evaluating raises the one
it met. All three use `Problem`, so that an editor, a compile report and an audit line show the same thing.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from holdfast.errors import ExpressionError

__all__ = ["Problem", "failure", "nearest", "plain_excerpt"]

WINDOW = 90
"""Columns of the offending line that an excerpt shows at most."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong with `text`, between the characters `position` and `end` (counted from 0)."""

    code: str
    message: str
    position: int
    end: int
    text: str
    hint: str | None = None
    path: str | None = None
    """Where in a payload the expression stands, such as `$.lines[0].amount`; None for an expression on its own."""

    @property
    def line(self) -> int:
        """The line of the problem, counted from 1."""
        return self.text.count("\n", 0, self.position) + 1

    @property
    def column(self) -> int:
        """The character of the problem within its line, counted from 1."""
        return self.position - (self.text.rfind("\n", 0, self.position) + 1) + 1

    @property
    def excerpt(self) -> str:
        """The offending line with a caret under the offending character."""
        return plain_excerpt(self.text, self.position)

    def to_json(self) -> dict[str, Any]:
        """The problem as plain JSON, for reports and editors."""
        return {
            "code": self.code,
            "message": self.message,
            "hint": self.hint,
            "expression": self.text,
            "position": self.position,
            "end": self.end,
            "line": self.line,
            "column": self.column,
            "excerpt": self.excerpt,
            **({"path": self.path} if self.path is not None else {}),
        }

    @classmethod
    def of_json(cls, facts: dict[str, Any]) -> Problem:
        """The problem that `to_json` described."""
        return cls(
            code=facts["code"],
            message=facts["message"],
            position=facts["position"],
            end=facts["end"],
            text=facts["expression"],
            hint=facts["hint"],
            path=facts.get("path"),
        )


def failure(problem: Problem, others: Iterable[Problem] = (), **details: Any) -> ExpressionError:
    """The error that carries a problem (and, in `details["problems"]`, those found beside it)."""
    everything = [problem, *others]
    facts = problem.to_json()
    more = f" (and {len(everything) - 1} more)" if len(everything) > 1 else ""
    hint = facts.pop("hint")
    headline = facts.pop("message")
    return ExpressionError(
        f"{headline}, at character {problem.position + 1}{more}\n{facts['excerpt']} here",
        hint=hint,
        reason=headline,
        problems=[each.to_json() for each in everything],
        **facts,
        **details,
    )


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was probably meant to be."""
    names = sorted(known)
    folded = {each.lower(): each for each in reversed(names)}
    close = difflib.get_close_matches(name.lower()[:100], folded, n=1, cutoff=0.6)
    return folded[close[0]] if close else None


def plain_excerpt(text: str, position: int) -> str:
    """Two lines: the line of `text` that holds `position`, made printable, and a caret under that character."""
    start = text.rfind("\n", 0, position) + 1
    stop = text.find("\n", start)
    line = text[start : stop if stop >= 0 else len(text)]
    at = position - start
    first = max(0, min(at - WINDOW // 2, len(line) - WINDOW))
    last = min(len(line), first + WINDOW)
    before = ("…" if first else "") + "".join(map(_printable, line[first:at]))
    after = "".join(map(_printable, line[at:last])) + ("…" if last < len(line) else "")
    return f"    {before}{after}".rstrip() + "\n    " + " " * _columns(before) + "^"


def _printable(character: str) -> str:
    # A control or direction-changing character would move the caret or hide what the reader must see.
    return character if character.isprintable() else "�"


def _columns(text: str) -> int:
    width = 0
    for character in text:
        if unicodedata.combining(character) == 0:
            width += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return width
