r"""Patterns that tenants write: ECMA-262's syntax, matched by RE2 in time that grows with the text and nothing else.

JSON Schema means the regular expressions of ECMA-262, and so do browsers that check the same form. What is spelt
otherwise in RE2 is translated (`\s`, `.`, `\u0041`, `\p{Letter}`, `[^]`). What no linear engine can do is refused when
the schema is registered: references back (`\1`), lookbehind, lookahead but at the very beginning (`^(?!0000)\d{4}$`,
which is two patterns), and repetitions above 1000.

A compiled pattern is bounded in memory, and so many are kept; how much a search can cost is known before it is made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import re2

__all__ = ["MOST_CHARACTERS", "BadPattern", "Pattern", "pattern"]

MOST_CHARACTERS: Final = 2000
_MEMORY: Final = 512 * 1024
_KEPT: Final = 256
_INSTRUCTIONS_A_STEP: Final = 1000
"""So many instructions of a program take, at worst, as long as one step of checking a value."""
_MOST_AT_ONCE: Final = 2000
"""Of larger programs, whose characters have several bytes, not more are at work at a time."""
_HEX: Final = re.compile(r"[0-9A-Fa-f]+")
# White space and the ends of lines as ECMA-262 lists them, and everything else.
_SPACE: Final = r"\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}"
_NO_SPACE: Final = (
    r"\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}"
    r"\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}"
)
_ANYTHING: Final = r"\x{0}-\x{10ffff}"
_NO_LINE_END: Final = r"[^\n\r\x{2028}\x{2029}]"
_SAME: Final = frozenset("bBdDwWnrtfvAz")
_CATEGORIES: Final = {
    "Letter": "L",
    "Lowercase_Letter": "Ll",
    "Uppercase_Letter": "Lu",
    "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm",
    "Other_Letter": "Lo",
    "Mark": "M",
    "Number": "N",
    "Decimal_Number": "Nd",
    "Punctuation": "P",
    "Separator": "Z",
    "Space_Separator": "Zs",
    "Symbol": "S",
}


class BadPattern(ValueError):
    """A pattern that cannot be used; its text says why."""


@dataclass(frozen=True, slots=True)
class _Part:
    engine: Any
    wanted: bool


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern to search texts for."""

    parts: Sequence[_Part]
    size: int
    """Instructions of its programs."""

    def cost(self, text: str) -> int:
        """The steps that a search takes at most."""
        return 1 + self.size // 64 + len(text) * min(self.size, _MOST_AT_ONCE) // _INSTRUCTIONS_A_STEP

    def found_in(self, text: str) -> bool:
        """Whether it matches anywhere in the text."""
        # Half a surrogate pair is no character: nothing but "any character" can match it.
        plain = text if text.isascii() else text.encode("utf-8", "replace").decode()
        return all((part.engine.search(plain) is not None) is part.wanted for part in self.parts)


@lru_cache(_KEPT)
def pattern(text: str) -> Pattern:
    """The pattern, or `BadPattern`."""
    if len(text) > MOST_CHARACTERS:
        raise BadPattern(f"it has {len(text)} characters, the limit is {MOST_CHARACTERS}")
    ahead, rest = _split_lookaheads(text)
    parts = [_Part(_compiled(f"^(?:{_translated(inner)})"), wanted) for wanted, inner in ahead]
    parts.append(_Part(_compiled(_translated(rest, alone=not ahead)), True))
    return Pattern(parts, sum(part.engine.programsize for part in parts))


def _compiled(translated: str) -> Any:
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    options.never_capture = True
    try:
        return re2.compile(translated, options)
    except re2.error as error:
        why = error.args[0] if error.args else "not a regular expression"
        text = why.decode("utf-8", "replace") if isinstance(why, bytes) else str(why)
        raise BadPattern(text) from None


def _split_lookaheads(text: str) -> tuple[list[tuple[bool, str]], str]:
    """The lookaheads that stand directly behind a leading `^`, and the pattern without them."""
    found: list[tuple[bool, str]] = []
    at = 1
    while text.startswith("^") and text[at : at + 3] in ("(?=", "(?!"):
        end = _group_end(text, at)
        found.append((text[at + 2] == "=", text[at + 3 : end]))
        at = end + 1
    if found and text[at : at + 1] in ("*", "+", "?", "{"):
        raise BadPattern("a lookahead cannot be repeated")
    return found, f"^{text[at:]}" if found else text


def _group_end(text: str, start: int) -> int:
    """Where the group that begins there is closed."""
    depth, at, in_class = 0, start, False
    while at < len(text):
        match text[at]:
            case "\\":
                at += 1
            case "[" if not in_class:
                in_class = True
            case "]":
                in_class = False
            case "(" if not in_class:
                depth += 1
            case ")" if not in_class:
                depth -= 1
                if depth == 0:
                    return at
        at += 1
    raise BadPattern("a parenthesis is not closed")


def _translated(text: str, *, alone: bool = True) -> str:
    return _Translation(text, alone).translated()


class _Translation:
    """One pattern of ECMA-262, written for RE2."""

    def __init__(self, text: str, alone: bool) -> None:
        self.text = text
        self.at = 0
        self.alone = alone
        self.depth = 0

    def translated(self) -> str:
        written: list[str] = []
        while self.at < len(self.text):
            written.append(self.next_part(self.text[self.at]))
        return "".join(written)

    def next_part(self, character: str) -> str:
        match character:
            case "\\":
                return self.escape(in_class=False)
            case "[":
                return self.class_()
            case ".":
                self.at += 1
                return _NO_LINE_END
            case "(":
                return self.group()
            case ")":
                self.depth -= 1
            case "|" if self.depth == 0 and not self.alone:
                raise BadPattern("a lookahead stands beside an alternative: put the alternatives into a group")
        self.at += 1
        return character

    def group(self) -> str:
        for opening, name in (
            ("(?=", "lookahead"),
            ("(?!", "lookahead"),
            ("(?<=", "lookbehind"),
            ("(?<!", "lookbehind"),
        ):
            if self.text.startswith(opening, self.at):
                where = f"at character {self.at + 1}"
                raise BadPattern(
                    f"{name} {where} needs an engine that may take forever; only `^(?=…)` can begin a pattern"
                )
        self.at += 1
        self.depth += 1
        return "("

    def class_(self) -> str:
        self.at += 1
        negated = self.text.startswith("^", self.at)
        self.at += negated
        inside: list[str] = []
        while self.at < len(self.text) and self.text[self.at] != "]":
            if self.text[self.at] == "\\":
                inside.append(self.escape(in_class=True))
            else:
                # `[:alpha:]` is nothing special in ECMA-262.
                inside.append("\\[" if self.text[self.at] == "[" else self.text[self.at])
                self.at += 1
        if self.at >= len(self.text):
            raise BadPattern("a character class is not closed")
        self.at += 1
        if not inside:
            return f"[{_ANYTHING}]" if negated else f"[^{_ANYTHING}]"
        return f"[{'^' if negated else ''}{''.join(inside)}]"

    def escape(self, *, in_class: bool) -> str:
        letter = self.text[self.at + 1 : self.at + 2]
        self.at += 2
        match letter:
            case "":
                raise BadPattern("it ends with a backslash")
            case "s" | "S":
                inside = _SPACE if letter == "s" else _NO_SPACE
                return inside if in_class else f"[{inside}]"
            case "b" if in_class:
                return r"\x{8}"
            case "x":
                return self.code(self.digits(2))
            case "u":
                return self.unicode()
            case "c" if self.text[self.at : self.at + 1].isascii() and self.text[self.at : self.at + 1].isalpha():
                self.at += 1
                return self.code(ord(self.text[self.at - 1]) % 32)
            case "p" | "P":
                return self.property(letter)
            case "Z":
                return r"\z"
            case "0" if not self.text[self.at : self.at + 1].isdigit():
                return r"\x{0}"
            case "k":
                raise BadPattern(f"a reference back at character {self.at - 1} needs an engine that may take forever")
        if letter.isdigit():
            raise BadPattern(f"a reference back at character {self.at - 1} needs an engine that may take forever")
        if letter.isascii() and letter.isalpha() and letter not in _SAME:
            raise BadPattern(f"it has the unknown escape \\{letter}")
        return f"\\{letter}" if letter.isascii() else letter

    def unicode(self) -> str:
        if self.text.startswith("{", self.at):
            end = self.text.find("}", self.at)
            digits = self.text[self.at + 1 : max(end, self.at + 1)]
            if not _HEX.fullmatch(digits) or len(digits) > 6:
                raise BadPattern("\\u{…} holds no code of a character")
            self.at = end + 1
            return self.code(int(digits, 16))
        first = self.digits(4)
        if 0xD800 <= first < 0xDC00 and self.text.startswith("\\u", self.at):
            self.at += 2
            second = self.digits(4)
            return self.code(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
        return self.code(first)

    def digits(self, count: int) -> int:
        found = self.text[self.at : self.at + count]
        if len(found) != count or not _HEX.fullmatch(found):
            raise BadPattern(f"an escape at character {self.at - 1} needs {count} hexadecimal digits")
        self.at += count
        return int(found, 16)

    def code(self, number: int) -> str:
        if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
            raise BadPattern(f"U+{number:04X} is no character")
        return f"\\x{{{number:x}}}"

    def property(self, letter: str) -> str:
        end = self.text.find("}", self.at)
        if not self.text.startswith("{", self.at) or end < 0:
            raise BadPattern(f"\\{letter} needs a property in braces, such as \\p{{L}}")
        name = self.text[self.at + 1 : end].rpartition("=")[2]
        self.at = end + 1
        if name == "Any":
            return _ANYTHING if letter == "p" else ""
        return f"\\{letter}{{{_CATEGORIES.get(name, name)}}}"
