"""Incidents: what went wrong, grouped by how, so that a thousand failures of one cause are one line.

Two errors are the same when they read the same once ids, numbers, quoted values and addresses are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, cast
from uuid import UUID

from holdfast.operate.model import Incident, Queue

__all__ = ["alike", "group"]

_UNSAID: Final = "no reason was given"
_UNSEEN: Final = "only those who may read its document are told why"
_VARYING: Final = (
    (re.compile(r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", re.IGNORECASE), "‹id›"),
    (re.compile(r"\b[0-9a-f]{32,64}\b", re.IGNORECASE), "‹id›"),
    (re.compile(r"""'[^'\n]{1,200}'|"[^"\n]{1,200}\""""), "‹value›"),
    (re.compile(r"\b\d+(?:[.:,]\d+)*\b"), "‹n›"),
)
_LONGEST: Final = 300


def alike(error: str | None) -> str:
    """What an error says, without what differs from one time to the next."""
    text = " ".join((error or _UNSAID).split())
    for pattern, word in _VARYING:
        text = pattern.sub(word, text)
    return text[:_LONGEST]


def group(queue: str, rows: Iterable[Mapping[str, Any]], seen: set[UUID] | None = None) -> list[Incident]:
    """Rows with `id`, `what`, `error`, `code`, `at` and `instance_id`, by how they went wrong; the most frequent first.

    With `seen`, errors of other instances are not told.
    """
    found: dict[tuple[str, str, str | None], list[Mapping[str, Any]]] = {}
    for row in rows:
        hidden = seen is not None and row["instance_id"] not in seen
        found.setdefault((row["what"], _UNSEEN if hidden else alike(row["error"]), row["code"]), []).append(row)
    incidents = [
        Incident(
            cast("Queue", queue),
            what,
            error,
            code,
            len(each),
            min(row["at"] for row in each),
            max(row["at"] for row in each),
            max(each, key=lambda row: row["at"])["id"],
            error == _UNSEEN,
        )
        for (what, error, code), each in found.items()
    ]
    return sorted(incidents, key=lambda each: (-each.count, each.what, each.error))
