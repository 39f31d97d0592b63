"""Hints: what somebody probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

__all__ = ["did_you_mean"]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """`Did you mean …?` when something known is close, or else a list of what is known."""
    names = sorted(known)
    close = difflib.get_close_matches(name[:200], names, n=1)
    if close:
        return f"Did you mean {close[0]}?"
    if not names:
        return ""
    shown = ", ".join(names[:12])
    return f"Known are {shown}" + (", …" if len(names) > 12 else "")
