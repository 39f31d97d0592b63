"""The content of a document: read exactly, checked against its contract, measured and hashed.

Nothing gets into a document that could not be hashed the same everywhere (`kernel.json`), that Postgres could not
store, or that is larger than the limit. Every problem is reported at once, each with its path.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Any, Final

from pydantic import BaseModel

from holdfast.envelope import Contract
from holdfast.errors import DocumentTooLarge, InvalidDocument, InvalidInput
from holdfast.kernel.json import canonical_hash, canonical_json
from holdfast.kernel.schemas import PLAIN_FORMATS, JsonSchema

__all__ = ["Content", "nested_differences", "read_content", "with_changes"]

_SHOWN_PROBLEMS: Final = 50
_MOST_PROBLEMS: Final = 1000


@dataclass(frozen=True, slots=True)
class Content:
    """Checked content: its values, its canonical text and its hash."""

    data: Mapping[str, Any]
    text: str
    hash: str


def read_content(given: Any, contract: Contract, *, limit: int) -> Content:
    """Check what somebody sent: a mapping, or an instance of the pydantic model the contract was made from."""
    data = _object(given)
    raw = canonical_json(data)
    if len(raw) > limit:
        raise DocumentTooLarge(
            f"the {contract.entity_type} has {len(raw)} bytes, the limit is {limit}",
            hint="store large data elsewhere and refer to it, or raise HOLDFAST_DOCUMENT_LIMIT",
            size=len(raw),
            limit=limit,
        )
    text = raw.decode()
    if "\\u0000" in text and "\x00" in _strings(data):
        raise InvalidInput("data holds a NUL character, which Postgres cannot store", hint="remove it", field="data")
    _check_schema(data, contract)
    return Content(data, text, canonical_hash(data))


def with_changes(data: Mapping[str, Any], changes: Mapping[str, Any], remove: Sequence[str]) -> dict[str, Any]:
    """The content with some top-level fields set and some taken away."""
    both = set(changes) & set(remove)
    if both:
        raise InvalidInput(f"{min(both)!r} is both set and removed", hint="do one of the two", field=min(both))
    kept = {name: value for name, value in data.items() if name not in set(remove)}
    return {**kept, **_object(changes)}


def nested_differences(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Every place in which two contents differ, such as `lines[2].amount`, with what stood there and what stands there.

    What was added or removed as a whole is one difference. Lists are compared place by place.
    """
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for name in sorted({*before, *after}):
            here = f"{path}.{name}" if path else str(name)
            yield from nested_differences(before.get(name), after.get(name), here)
    elif isinstance(before, list) and isinstance(after, list):
        for index in range(max(len(before), len(after))):
            old = before[index] if index < len(before) else None
            new = after[index] if index < len(after) else None
            yield from nested_differences(old, new, f"{path}[{index}]")
    elif canonical_json(before) != canonical_json(after):
        yield path, before, after


def _object(given: Any) -> dict[str, Any]:
    value = _plain(given)
    if not isinstance(value, dict):
        raise InvalidInput(
            f"data is a {type(given).__name__}", hint="give an object of fields, or a pydantic model", field="data"
        )
    return value


def _plain(value: Any) -> Any:
    """JSON values only; a decimal without a fraction becomes the integer it is, as schemas mean it."""
    if isinstance(value, BaseModel):
        return _plain(value.model_dump(mode="json", by_alias=True))
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Decimal) and value.is_finite() and value == value.to_integral_value():
        exponent = value.as_tuple().exponent
        return int(value) if isinstance(exponent, int) and exponent <= 100 else value
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value


def _strings(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return "".join(_strings(part) for pair in value.items() for part in pair)
    if isinstance(value, list):
        return "".join(map(_strings, value))
    return ""


def _check_schema(data: Mapping[str, Any], contract: Contract) -> None:
    found = _schema(contract).problems(data, most=_MOST_PROBLEMS)
    if not found:
        return
    problems = [{"path": each.dotted, "message": each.message} for each in found[:_SHOWN_PROBLEMS]]
    first = problems[0]
    where = f"{first['path']}: " if first["path"] else ""
    more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
    raise InvalidDocument(
        f"this is no {contract.entity_type}: {where}{first['message']}{more}",
        hint=f"see the contract of {contract.entity_type}, version {contract.version}",
        problems=problems,
        field=first["path"] or None,
    )


def _schema(contract: Contract) -> JsonSchema:
    known = _SCHEMAS.get(contract.fingerprint)
    if known is None:
        if len(_SCHEMAS) >= _KEPT_SCHEMAS:
            _SCHEMAS.clear()
        known = _SCHEMAS[contract.fingerprint] = JsonSchema(contract.document, PLAIN_FORMATS)
    return known


_SCHEMAS: Final[dict[str, JsonSchema]] = {}
_KEPT_SCHEMAS: Final = 256
