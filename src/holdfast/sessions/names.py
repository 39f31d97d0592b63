"""Names of sessions: chosen by people, unique in a tenant, part of the thread's name."""

from __future__ import annotations

import re
import secrets

from holdfast.errors import InvalidInput

__all__ = ["check_session_name", "random_name"]

_NAME = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,126}[A-Za-z0-9])?")


def check_session_name(value: str) -> str:
    """1 to 128 letters, digits and . _ - inside."""
    if not isinstance(value, str) or not _NAME.fullmatch(value):
        raise InvalidInput(
            f"name {value!r} is not a valid session name",
            hint="use 1 to 128 letters, digits and . _ - , beginning and ending with a letter or digit",
            field="name",
        )
    return value


def random_name(workflow: str) -> str:
    """A name for a session that nobody named."""
    return f"{workflow}-{secrets.token_hex(5)}"
