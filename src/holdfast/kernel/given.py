"""What somebody gives us as JSON: unknown members are refused, true is no number, and a number is no time.

pydantic takes `true` for 1 and `false` for 0, because Python does, 1 and `"yes"` for true, and numbers for seconds
since 1970. Nobody who writes JSON means that: it is a mistake, and one that would pass silently. Models that are read
from outside derive from `Given`; a time outside of them is a `Moment`.
"""

from __future__ import annotations

import re
from datetime import datetime
from decimal import Decimal
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

__all__ = ["Given", "Moment", "no_truth"]

_MOST_UNKNOWN = 20
_NUMBERS = frozenset({int, float, Decimal})
_MOMENTS = frozenset({datetime, AwareDatetime})
_ONLY_TRUTH = frozenset({bool, type(None)})
_SECONDS = re.compile(r"\s*[+-]?[0-9_.]+([eE][+-]?[0-9]+)?\s*")


def _written_out(value: Any) -> Any:
    """A time, and no number of seconds."""
    if isinstance(value, int | float | Decimal) or (isinstance(value, str) and _SECONDS.fullmatch(value)):
        raise PydanticCustomError("moment", "write the time out, with its zone, such as 2026-06-04T12:00:00Z")
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_written_out)]
"""A time with its zone, written out."""


class Given(BaseModel):
    """A model of what comes from outside; a misspelt member never passes silently, nor does a truth for a number."""

    model_config = ConfigDict(extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _hardly_unknown_members(cls, value: Any) -> Any:
        # One error for all of them: each by its name takes a thousand times as long as to read it.
        if isinstance(value, dict) and len(value) > len(cls.model_fields) + _MOST_UNKNOWN:
            known = ", ".join(field.alias or name for name, field in cls.model_fields.items())
            raise PydanticCustomError(
                "too_many_members", "it has {count} members; known are {known}", {"count": len(value), "known": known}
            )
        return value

    @field_validator("*", mode="before")
    @classmethod
    def _is_what_it_says(cls, value: Any, info: ValidationInfo) -> Any:
        if info.field_name is None or not isinstance(value, bool | int | float | Decimal | str):
            return value
        kinds = _kinds(cls.model_fields[info.field_name].annotation)
        if isinstance(value, bool):
            return no_truth(value) if kinds & _NUMBERS and not kinds & {bool, Any} else value
        if bool in kinds and kinds <= _ONLY_TRUTH:
            raise PydanticCustomError("truth", "say true or false")
        return _written_out(value) if kinds & _MOMENTS and not kinds & {str, Any, *_NUMBERS} else value


def no_truth(value: Any) -> Any:
    """For a `BeforeValidator` of one number, where the model as a whole is none of ours, or has a discriminator."""
    if isinstance(value, bool):
        raise PydanticCustomError("truth_for_number", "true and false are not numbers")
    return value


def _kinds(annotation: Any) -> set[Any]:
    """The types that a value may be of, one by one."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _kinds(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return set().union(*map(_kinds, get_args(annotation)))
    return {annotation if origin is None else origin}
