"""What somebody gives us as JSON: unknown members are refused, and true is no number.

pydantic takes `true` for 1 and `false` for 0, because Python does. Nobody who writes JSON means that: it is a mistake,
and one that would pass silently. Models that are read from outside derive from `Given`.
"""

from __future__ import annotations

from decimal import Decimal
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

__all__ = ["Given", "no_truth"]

_MOST_UNKNOWN = 20
_NUMBERS = frozenset({int, float, Decimal})


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
    def _truth_is_no_number(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, bool) and info.field_name is not None:
            kinds = _kinds(cls.model_fields[info.field_name].annotation)
            if kinds & _NUMBERS and not kinds & {bool, Any}:
                return no_truth(value)
        return value


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
