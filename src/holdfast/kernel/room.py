"""Room: how many values and characters something may still make.

Values refer to each other, so a few lines that name one list twenty times, and that one twenty times again, make what
no memory holds as soon as somebody writes it down. It is counted here as it would be written, and no further than there
is room: what does not fit any more costs no more than what does.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from decimal import Decimal
from typing import Any

__all__ = ["Room"]


class Room:
    """So many values, and so many characters in them, that can still be taken."""

    __slots__ = ("characters", "values")

    def __init__(self, values: int, characters: int) -> None:
        self.values = values
        self.characters = characters

    def take(self, value: Any) -> bool:
        """Take what a value needs; whether there was room for it."""
        waiting = [value]
        while waiting:
            each = waiting.pop()
            self.values -= 1
            if isinstance(each, str):
                self.characters -= len(each)
            elif isinstance(each, Mapping):
                for name in each:
                    self.characters -= len(name) if isinstance(name, str) else 20
                waiting.extend(each.values())
            elif isinstance(each, list | tuple | AbstractSet):
                waiting.extend(each)
            elif isinstance(each, int):
                self.characters -= each.bit_length() // 3
            elif isinstance(each, Decimal):
                self.characters -= len(each.as_tuple().digits)
            if self.values < 0 or self.characters < 0:
                return False
        return True
