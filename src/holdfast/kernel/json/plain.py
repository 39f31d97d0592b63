"""Python's values in JSON's own types: the one place that knows models, dataclasses, enums, dates and ids.

Numbers stay exact: integers of any size and `Decimal` as they are, a float at the shortest decimal that means it.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, Any
from uuid import UUID

from holdfast.errors import CanonicalError
from holdfast.kernel.json.numbers import check_whole
from holdfast.kernel.json.parser import MAX_DEPTH

if TYPE_CHECKING:
    from pydantic import BaseModel

__all__ = ["in_words", "plain", "spelled"]


def plain(value: Any) -> Any:
    """A value in JSON's own types, numbers exact; raises `CanonicalError` for what has none."""
    return spelled(value, _exact)


def spelled(value: Any, number: Callable[[Any], Any], words: Callable[[Any], Any] | None = None, depth: int = 0) -> Any:
    """The same, with `number` deciding what becomes of an int, a float or a Decimal, and `words` of what is no JSON."""
    if isinstance(value, Enum):
        return spelled(value.value, number, words, depth + 1)
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, int | float | Decimal):
        return number(value)
    if depth > MAX_DEPTH:
        raise CanonicalError(f"it is nested more than {MAX_DEPTH} levels deep, or contains itself")
    if isinstance(value, Mapping):
        return {key: spelled(inner, number, words, depth + 1) for key, inner in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray | memoryview):
        return [spelled(inner, number, words, depth + 1) for inner in value]
    try:
        known = (words or in_words)(value)
    except TypeError as error:
        raise CanonicalError(str(error)) from None
    return spelled(known, number, words, depth + 1)


def in_words(value: Any) -> Any:
    """A value that JSON has no word for, in words it has, one level of it; `TypeError` if there are none."""
    # Whoever has a model has imported pydantic; nobody else needs to wait for it.
    pydantic = sys.modules.get("pydantic")
    if pydantic is not None and isinstance(value, pydantic.BaseModel):
        return _of_model(value)
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    if isinstance(value, Enum):
        return value.value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {entry.name: getattr(value, entry.name) for entry in dataclasses.fields(value)}
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, set | frozenset):
        return sorted(value)
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} is not JSON")


def _exact(value: Any) -> int | Decimal:
    if isinstance(value, float):
        # repr() is the shortest text that means this float: 0.1 is 0.1.
        return Decimal(float.__repr__(value))
    if isinstance(value, int):
        check_whole(value)
    return value  # type: ignore[no-any-return]  # an int or a Decimal


def _of_model(model: BaseModel) -> Any:
    """A model as its author has it written, by its aliases, but for decimals: pydantic would make texts of them."""
    written = model.model_dump(mode="json", by_alias=True)
    if not _may_hold_decimals(type(model)):
        return written
    return _with_decimals(written, model.model_dump(by_alias=True))


@cache
def _may_hold_decimals(kind: type[BaseModel]) -> bool:
    shape = repr(kind.__pydantic_core_schema__)
    # A field of any type, one that is not declared, or a serializer may have one too.
    return any(word in shape for word in ("'decimal'", "'any'", "'allow'", "'function-"))


def _with_decimals(written: Any, kept: Any) -> Any:
    if isinstance(kept, Decimal):
        return kept if written == str(kept) else written
    if isinstance(written, dict) and isinstance(kept, Mapping) and len(written) == len(kept):
        return {
            key: _with_decimals(inner, own) for (key, inner), own in zip(written.items(), kept.values(), strict=True)
        }
    if isinstance(written, list) and isinstance(kept, list | tuple) and len(written) == len(kept):
        return [_with_decimals(inner, own) for inner, own in zip(written, kept, strict=True)]
    return written
