"""Edit windows: what may happen to a document while its process stands at a node.

`editable` < `amend_only` < `locked`, from loose to strict. A patch may move a window to the right, never to
the left.
"""

from __future__ import annotations

from typing import Final, Literal

__all__ = ["EDIT_WINDOWS", "EditWindow", "is_looser", "strictest"]

EditWindow = Literal["editable", "amend_only", "locked"]

EDIT_WINDOWS: Final[tuple[EditWindow, ...]] = ("editable", "amend_only", "locked")
"""From the loosest to the strictest."""


def is_looser(window: EditWindow, than: EditWindow) -> bool:
    """Whether `window` allows an edit that `than` forbids."""
    return EDIT_WINDOWS.index(window) < EDIT_WINDOWS.index(than)


def strictest(first: EditWindow, second: EditWindow) -> EditWindow:
    """The stricter of two windows."""
    return second if is_looser(first, second) else first
