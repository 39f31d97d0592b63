"""The rules for names that people choose: slugs of tenants, names of users and roles."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable

from holdfast.errors import InvalidInput

__all__ = ["NAME_PATTERN", "SLUG_PATTERN", "check_name", "check_slug", "check_text", "did_you_mean", "is_storable"]

_SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_RESERVED = frozenset({"installation", "me", "permissions"})  # in /v1/… they stand where a tenant's slug would
_LONGEST_COMPARED = 256
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._@+-]{0,253}[A-Za-z0-9])?")

NAME_PATTERN, SLUG_PATTERN = f"^{_NAME.pattern}$", f"^{_SLUG.pattern}$"
"""For descriptions of the interface; the checks below say what is wrong."""


def check_slug(field: str, value: str) -> str:
    """A name that stands in URLs: 1 to 63 lower-case letters, digits and inner hyphens."""
    if not isinstance(value, str) or not _SLUG.fullmatch(value):
        raise InvalidInput(
            f"{field} {value!r} is not a valid slug",
            hint="use 1 to 63 lower-case letters, digits and hyphens, beginning and ending with a letter or digit",
            field=field,
        )
    if value in _RESERVED:
        raise InvalidInput(f"{field} {value!r} is reserved", hint="choose another", field=field)
    return value


def check_name(field: str, value: str) -> str:
    """A name of a user or role: letters, digits and . _ @ + - inside, at most 255 characters."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise InvalidInput(
            f"{field} {value!r} is not a valid name",
            hint="use 1 to 255 letters, digits and . _ @ + - , beginning and ending with a letter or digit",
            field=field,
        )
    return value


def check_text(field: str, value: str, *, maximum: int = 256) -> str:
    """Free text for people: not empty, no control characters, at most `maximum` characters."""
    if not isinstance(value, str) or not value.strip():
        raise InvalidInput(f"{field} is empty", hint="give it some text", field=field)
    if len(value) > maximum:
        raise InvalidInput(f"{field} has {len(value)} characters", hint=f"the limit is {maximum}", field=field)
    if any(ord(character) < 32 or 0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise InvalidInput(f"{field} holds a control character", hint="use one line of plain text", field=field)
    return value


def is_storable(value: str) -> bool:
    """Whether Postgres can hold a text, or be asked for it: no NUL characters, no lone surrogates."""
    return _UNSTORABLE.search(value) is None


def did_you_mean(word: str, known: Iterable[str]) -> str | None:
    """A hint for a misspelt word, when one of the known words is close to it."""
    if len(word) > _LONGEST_COMPARED:
        # Close to none, and to find that out would take as long as it is.
        return None
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=0.6)
    return f"did you mean {close[0]!r}?" if close else None
