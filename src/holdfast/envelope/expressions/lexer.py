"""Text to tokens. Every token knows where it stands; anything that is not a token is a problem with a hint.

The lexer is one pass over at most `MAX_LENGTH` characters and keeps no state, so its cost is bounded by the
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Final, NamedTuple, NoReturn
from typing import Literal as OneOf

from holdfast.envelope.expressions.problems import Problem, failure
from holdfast.envelope.expressions.syntax import must_escape

__all__ = ["Token", "tokenize"]

TokenKind = OneOf["name", "number", "text", "operator", "end"]

MAX_MAGNITUDE: Final = 1000
"""Decimal places a number may have on either side of its point; beyond that it is a mistake, not an amount."""


class Token(NamedTuple):
    """A word of the language. `value` is what a number or a text stands for."""

    kind: TokenKind
    source: str
    start: int
    end: int
    value: str | int | Decimal | None = None


_BLANK = re.compile(r"[ \t\r\n]*")
_ASCII_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*+(?![^\x00-\x7f])")
_OPERATOR = re.compile(r"[!=]=(?!=)|[<>]=|<(?!>)|>|&&|\|\||!(?!==)|[()\[\],.]")
_NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
_PLAIN_TEXT = re.compile(r"[ !#-&(-\[\]-~]+")  # Printable ASCII but quotes and the backslash.
_ESCAPES: Final = {
    "n": "\n", "r": "\r", "t": "\t", "b": "\b", "f": "\f", "/": "/", "\\": "\\", '"': '"', "'": "'",
}  # fmt: skip
_FOREIGN: Final = {
    "===": "Write == for equality",
    "!==": "Write != for inequality",
    "<>": "Write != for inequality",
    "=": "Write == to compare; there is no assignment",
    "&": "Write && for and",
    "|": "Write || for or",
    "?": "There is no choice operator; use edges with conditions",
    "+": "Expressions compare; they do not calculate",
    "-": "Expressions compare; they do not calculate",
    "*": "Expressions compare; they do not calculate",
    "/": "Expressions compare; they do not calculate",
    "%": "Expressions compare; they do not calculate",
    "~": "Patterns are not part of the language",
    "“": 'Write straight quotes: "',
    "”": 'Write straight quotes: "',
    "„": 'Write straight quotes: "',
    "‘": "Write straight quotes: '",
    "’": "Write straight quotes: '",
    "`": 'Write straight quotes: "',
    "{": "Braces belong to templates, not to expressions",
    "}": "Braces belong to templates, not to expressions",
    "$": "Names begin with a letter",
}


def tokenize(text: str) -> Iterator[Token]:
    """The tokens of a text, closed by an `end` token. Raises `ExpressionError` at the first thing that is none."""
    at = _skip(text, 0)
    while at < len(text):
        token = _next(text, at)
        yield token
        at = _skip(text, token.end)
    yield Token("end", "", len(text), len(text))


def _skip(text: str, at: int) -> int:
    blank = _BLANK.match(text, at)
    return blank.end() if blank else at


def _next(text: str, at: int) -> Token:
    name = _ASCII_NAME.match(text, at)
    if name:
        return Token("name", name[0], at, name.end())
    operator = _OPERATOR.match(text, at)
    if operator:
        return Token("operator", operator[0], at, operator.end())
    return _other(text, at)


def _other(text: str, at: int) -> Token:
    character = text[at]
    if character in "\"'":
        return _text(text, at)
    if character in "0123456789" or (character == "-" and text[at + 1 : at + 2] in _DIGITS):
        return _number(text, at)
    if character.isidentifier():
        end = at + 1
        while end < len(text) and ("a" + text[end]).isidentifier():
            end += 1
        return Token("name", text[at:end], at, end)
    for foreign in ("===", "!==", "<>"):
        if text.startswith(foreign, at):
            _fail("unexpected_character", f"{foreign} is not an operator", text, at, _FOREIGN[foreign], len(foreign))
    shown = repr(character) if character.isprintable() else f"the character U+{ord(character):04X}"
    return _fail("unexpected_character", f"{shown} is not expected here", text, at, _FOREIGN.get(character))


_DIGITS = frozenset("0123456789")


def _number(text: str, at: int) -> Token:
    match = _NUMBER.match(text, at)
    assert match is not None
    source, end = match[0], match.end()
    follows = text[end : end + 1]
    if follows and (follows == "." or ("a" + follows).isidentifier()):
        _fail("bad_number", f"{text[at : end + 1]!r} is not a number", text, end, "Write numbers like 1250 or 0.5")
    whole = source.lstrip("-")
    if len(whole) > 1 and whole[0] == "0" and whole[1] in _DIGITS:
        _fail("bad_number", "a number does not begin with 0", text, at, "Quote it if it is a code, such as '007'")
    if match[1] is None and match[2] is None:
        return Token("number", source, at, end, int(source))
    exponent = (match[2] or "e0")[1:]
    # The exponent is judged by its digits first: converting an absurd one is what must not happen.
    if len(exponent.lstrip("+-0")) > 4 or abs(int(exponent)) > MAX_MAGNITUDE:
        hint = f"At most {MAX_MAGNITUDE} decimal places are possible"
        _fail("bad_number", "the number is too large or too small", text, at, hint, len(source))
    return Token("number", source, at, end, Decimal(source))


def _text(text: str, at: int) -> Token:
    delimiter = text[at]
    out: list[str] = []
    here = at + 1
    while here < len(text):
        run = _PLAIN_TEXT.match(text, here)
        if run:
            out.append(run[0])
            here = run.end()
            continue
        character = text[here]
        if character == delimiter:
            return Token("text", text[at : here + 1], at, here + 1, "".join(out))
        if character == "\\":
            piece, here = _escape(text, here)
            out.append(piece)
            continue
        if must_escape(character):
            hint = f"Write it as \\u{ord(character):04x}"
            _fail("bad_text", f"the character U+{ord(character):04X} cannot stand in a text", text, here, hint)
        if "\ud800" <= character <= "\udfff":
            _fail("bad_text", "half a character (a lone surrogate) cannot stand in a text", text, here)
        out.append(character)
        here += 1
    return _fail("unterminated_text", f"the text is not closed with {delimiter}", text, at)


def _escape(text: str, at: int) -> tuple[str, int]:
    letter = text[at + 1 : at + 2]
    if letter in _ESCAPES:
        return _ESCAPES[letter], at + 2
    if letter != "u":
        hint = "Write \\\\ for a backslash; known are \\n \\r \\t \\b \\f \\/ \\\\ \\\" \\' and \\uXXXX"
        _fail("bad_escape", f"\\{letter} is not an escape", text, at, hint)
    code = _hexadecimal(text, at)
    if code == 0:
        _fail("bad_escape", "a text cannot hold the character U+0000", text, at)
    if not 0xD800 <= code <= 0xDFFF:
        return chr(code), at + 6
    if code < 0xDC00 and text[at + 6 : at + 8] == "\\u":
        low = _hexadecimal(text, at + 6)
        if 0xDC00 <= low <= 0xDFFF:
            return chr(0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)), at + 12
    return _fail("bad_escape", "half a character (a lone surrogate) cannot stand in a text", text, at)


def _hexadecimal(text: str, at: int) -> int:
    digits = text[at + 2 : at + 6]
    if re.fullmatch(r"[0-9a-fA-F]{4}", digits) is None:
        _fail("bad_escape", "\\u needs four hexadecimal digits", text, at)
    return int(digits, 16)


def _fail(code: str, message: str, text: str, at: int, hint: str | None = None, width: int = 1) -> NoReturn:
    raise failure(Problem(code, message, at, at + width, text, hint))
