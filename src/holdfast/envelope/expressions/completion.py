"""What an editor offers at the cursor: roots, fields, operators that fit, and the values of an enum.

Works on text that is not an expression yet. Nothing is offered where the language has nothing to say, and
nothing is raised.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal as OneOf

from holdfast.envelope.expressions.kinds import ANY, Kind, Type
from holdfast.envelope.expressions.lexer import Token, tokenize
from holdfast.envelope.expressions.scope import ROOT_NOTES, ROOTS, Scope
from holdfast.envelope.expressions.syntax import is_name, quote
from holdfast.errors import ExpressionError

__all__ = ["Completion", "complete"]

MAX_TEXT = 4000

_EQUALITIES = ("==", "!=")
_ORDERINGS = (">", ">=", "<", "<=")
_COMPARISONS = frozenset({*_EQUALITIES, *_ORDERINGS, "in", "contains"})
_OPERATORS: dict[Kind, tuple[str, ...]] = {
    Kind.NUMBER: (*_ORDERINGS, *_EQUALITIES, "in"),
    Kind.INSTANT: (*_ORDERINGS, *_EQUALITIES),
    Kind.DATE: (*_ORDERINGS, *_EQUALITIES, "in"),
    Kind.TEXT: (*_EQUALITIES, "in", "contains"),
    Kind.BOOLEAN: ("&&", "||", *_EQUALITIES),
    Kind.LIST: ("contains", *_EQUALITIES),
    Kind.OBJECT: ("contains", *_EQUALITIES),
    Kind.NULL: _EQUALITIES,
    Kind.ANY: (*_EQUALITIES, *_ORDERINGS, "in", "contains", "&&", "||"),
}
_MEANING = {
    "==": "equal", "!=": "not equal", ">": "greater than", ">=": "at least", "<": "less than", "<=": "at most",
    "in": "is one of", "contains": "has as an element", "&&": "and", "||": "or",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Completion:
    """One offer: replace the characters from `start` to `end` with `insert`."""

    label: str
    insert: str
    kind: OneOf["root", "field", "operator", "value"]
    detail: str
    start: int
    end: int


def complete(text: str, cursor: int, scope: Scope) -> list[Completion]:
    """What can stand at the cursor, best first."""
    if len(text) > MAX_TEXT or not 0 <= cursor <= len(text):
        return []
    tokens, broken = _tokens(text[:cursor])
    if broken is not None:
        return _in_broken(text, cursor, tokens, broken, scope)
    word = ""
    if tokens and tokens[-1].kind == "name" and tokens[-1].end == cursor:
        word = tokens.pop().source
    start, end = cursor - len(word), _word_end(text, cursor)
    if tokens and tokens[-1].source == "." and tokens[-1].kind == "operator":
        return _fields(_path_type(tokens[:-1], scope), word, start, end)
    if tokens and _ends_value(tokens):
        return _operators(tokens, word, start, end, scope)
    return [*_values(tokens, word, start, end, scope), *_roots(word, start, end, scope)]


def _tokens(text: str) -> tuple[list[Token], int | None]:
    """The tokens before the cursor and, when the last is unfinished, where that begins."""
    found: list[Token] = []
    try:
        found.extend(tokenize(text))
    except ExpressionError as error:
        return found, int(error.details["position"])
    return found[:-1], None


def _in_broken(text: str, cursor: int, tokens: list[Token], at: int, scope: Scope) -> list[Completion]:
    """The cursor stands in an open text, or behind half an operator."""
    if text[at] in "\"'":
        written = text[at + 1 : cursor]
        closing = text.find(text[at], cursor)
        end = cursor if closing < 0 or "\n" in text[cursor:closing] else closing + 1
        return [each for each in _values(tokens, written, at, end, scope) if each.label.startswith('"')]
    if text[at:cursor] in ("&", "|", "=") and tokens and _ends_value(tokens):
        return _operators(tokens, text[at:cursor], at, cursor, scope)
    return []


def _word_end(text: str, cursor: int) -> int:
    end = cursor
    while end < len(text) and ("a" + text[end]).isidentifier():
        end += 1
    return end


def _ends_value(tokens: Sequence[Token]) -> bool:
    last = tokens[-1]
    if last.kind in ("number", "text"):
        return True
    if last.kind == "name":
        # After a dot, `in` and `contains` are fields.
        return last.source not in ("in", "contains") or (len(tokens) > 1 and tokens[-2].source == ".")
    return last.source in (")", "]")


def _path_type(tokens: Sequence[Token], scope: Scope) -> Type | None:
    """The type of the path that the tokens end with, or None when they end with something else."""
    for start in range(len(tokens) - 1, -1, -1):
        token = tokens[start]
        if token.kind == "name" and token.source in ROOTS and (start == 0 or tokens[start - 1].source != "."):
            return _follow(scope.roots.get(token.source), tokens[start + 1 :])
    return None


def _follow(here: Type | None, tokens: Sequence[Token]) -> Type | None:
    index = 0
    while here is not None and index < len(tokens):
        opening, rest = tokens[index], tokens[index + 1 :]
        if opening.source == "." and rest and rest[0].kind == "name":
            here = here.field(rest[0].source) if here.kind in (Kind.OBJECT, Kind.ANY) else None
            index += 2
        elif opening.source == "[" and len(rest) > 1 and rest[1].source == "]":
            key = rest[0].value
            if isinstance(key, str):
                here = here.field(key) if here.kind in (Kind.OBJECT, Kind.ANY) else None
            else:
                here = here.item() if here.kind in (Kind.LIST, Kind.ANY) else None
            index += 3
        else:
            return None
    return here


def _fields(owner: Type | None, word: str, start: int, end: int) -> list[Completion]:
    if owner is None or owner.kind is not Kind.OBJECT:
        return []
    found = []
    for name in _matching(sorted(owner.fields), word):
        detail = str(owner.field(name))
        if is_name(name):
            found.append(Completion(name, name, "field", detail, start, end))
        else:
            # The dot before the word gives way to brackets.
            found.append(Completion(name, f"[{quote(name)}]", "field", detail, start - 1, end))
    return found


def _roots(word: str, start: int, end: int, scope: Scope) -> list[Completion]:
    names = [name for name in ROOTS if name in scope.roots]
    return [Completion(name, name, "root", ROOT_NOTES[name], start, end) for name in _matching(names, word)]


def _operators(tokens: Sequence[Token], word: str, start: int, end: int, scope: Scope) -> list[Completion]:
    found = _path_type(tokens, scope) or _token_type(tokens[-1])
    compared = any(token.source in _COMPARISONS for token in _current_condition(tokens))
    fitting: tuple[str, ...] = ("&&", "||") if compared else _OPERATORS[found.kind]
    return [Completion(name, name, "operator", _MEANING[name], start, end) for name in fitting if name.startswith(word)]


def _token_type(token: Token) -> Type:
    kinds = {"number": Kind.NUMBER, "text": Kind.TEXT}
    if token.source in ("true", "false"):
        return Type(Kind.BOOLEAN)
    return Type(kinds[token.kind]) if token.kind in kinds else ANY


def _current_condition(tokens: Sequence[Token]) -> list[Token]:
    """The tokens since the last `&&`, `||` or open parenthesis."""
    found: list[Token] = []
    closed = 0
    for token in reversed(tokens):
        if token.kind == "operator":
            closed += token.source == ")"
            if token.source in ("&&", "||", "!") or (token.source == "(" and closed == 0):
                break
            closed -= token.source == "("
        if closed == 0:
            found.append(token)
    return found


def _values(tokens: Sequence[Token], word: str, start: int, end: int, scope: Scope) -> list[Completion]:
    """The values that the left side of a comparison can have; without one, the constants."""
    compared = _compared_with(tokens, scope)
    options: list[tuple[str, str]] = []
    if compared is not None:
        options = [
            (quote(each), "possible value") if isinstance(each, str) else (str(each), "possible value")
            for each in compared.values
        ]
        if compared.kind is Kind.BOOLEAN:
            options = [("true", "boolean"), ("false", "boolean")]
        if compared.nullable and compared.kind is not Kind.ANY:
            options.append(("null", "no value"))
    if compared is None or (compared.kind is Kind.ANY and word):
        options = [("true", "boolean"), ("false", "boolean"), ("null", "no value")] if word else []
    wanted = word.lower()
    return [
        Completion(text, text, "value", detail, start, end)
        for text, detail in options
        if text.strip('"').lower().startswith(wanted)
    ]


def _compared_with(tokens: Sequence[Token], scope: Scope) -> Type | None:
    """The type that a value at the end of the tokens would be compared with."""
    at = len(tokens) - 1
    listed = False
    while at >= 0 and (tokens[at].kind in ("text", "number") or tokens[at].source in (",", "[")):
        listed = listed or tokens[at].source == "["
        at -= 1
    if at < 0 or tokens[at].source not in _COMPARISONS or (at < len(tokens) - 1 and not listed):
        return None
    found = _path_type(tokens[:at], scope)
    if found is not None and tokens[at].source == "contains":
        return found.item() if found.kind is Kind.LIST else ANY
    return found


def _matching(names: Iterable[str], word: str) -> list[str]:
    """The names that begin with the word, then those that hold it."""
    wanted = word.lower()
    names = list(names)
    first = [name for name in names if name.lower().startswith(wanted)]
    return [*first, *(name for name in names if wanted in name.lower() and name not in first)]
