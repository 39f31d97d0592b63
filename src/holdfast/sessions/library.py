"""Which LangGraph is installed: one that loses what graphs ask is refused when a graph is registered.

Before 1.2.12 every interrupt fails; before 1.2.20 a node's second question comes under the id of its first, which has
been answered, and the session would wait for ever.
"""

from __future__ import annotations

import re
from importlib import metadata

from holdfast.errors import ExtraMissing

__all__ = ["OLDEST", "check_langgraph"]

OLDEST = (1, 2, 20)
_RELEASE = re.compile(r"(\d+)\.(\d+)(?:\.(\d+))?(?P<before>(?:a|b|rc|\.dev)\d+)?")


def check_langgraph() -> None:
    """Raise `ExtraMissing` when LangGraph is not there, or too old."""
    try:
        version = metadata.version("langgraph")
    except metadata.PackageNotFoundError as error:
        raise ExtraMissing("LangGraph is not installed", hint="pip install 'holdfast[langgraph]'") from error
    found = _RELEASE.match(version)
    if found is None:
        return
    release = tuple(int(part or 0) for part in found.groups()[:3])
    if release < OLDEST or (release == OLDEST and found["before"]):
        oldest = ".".join(map(str, OLDEST))
        raise ExtraMissing(
            f"LangGraph {version} loses what graphs ask: sessions need {oldest} or newer",
            hint="pip install -U 'holdfast[langgraph]'",
            installed=version,
        )
