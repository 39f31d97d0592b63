"""JSON Schema for what tenants describe: taken within limits, checked within a budget."""

from __future__ import annotations

from holdfast.kernel.schemas.formats import FORMATS, PLAIN_FORMATS
from holdfast.kernel.schemas.keywords import Budget
from holdfast.kernel.schemas.patterns import BadPattern, Pattern, pattern
from holdfast.kernel.schemas.schema import MOST_FORM_STEPS, MOST_STEPS, JsonSchema, SchemaProblem, json_schema
from holdfast.kernel.schemas.walk import MOST_AT_ONE_PLACE, MOST_DEPTH, MOST_SUBSCHEMAS, BadSchema

__all__ = [
    "FORMATS",
    "MOST_AT_ONE_PLACE",
    "MOST_DEPTH",
    "MOST_FORM_STEPS",
    "MOST_STEPS",
    "MOST_SUBSCHEMAS",
    "PLAIN_FORMATS",
    "BadPattern",
    "BadSchema",
    "Budget",
    "JsonSchema",
    "Pattern",
    "SchemaProblem",
    "json_schema",
    "pattern",
]
