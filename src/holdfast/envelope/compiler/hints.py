"""Hints: what somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Final

__all__ = ["did_you_mean"]

MAX_COMPARED: Final = 200
"""How many names are compared at most."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`Did you mean …?` when something known is close, or else a list of what is known."""
    names = sorted(known)
    # Comparing with thousands of names costs more than the hint is worth, above all when thousands are wrong.
    close = difflib.get_close_matches(name[:100], names, n=1) if len(names) <= MAX_COMPARED else []
    if close:
        return f"Did you mean {close[0]}?"
    if not names:
        return ""
    shown = ", ".join(names[:12])
    return f"Known are {shown}" + (", …" if len(names) > 12 else "")
