"""The keywords of draft 2020-12, each at a price: a check of a value takes so many steps and no more.

A step is a keyword applied to a value, and more where it looks at many members or a long text; so the same value and
schema always cost the same, on any machine. The library's keywords are used as they are, but for those whose cost
somebody else would choose: patterns (a linear engine), `uniqueItems` and the unevaluated ones (not every pair), and
`multipleOf` (exact, whatever the number).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextvars import ContextVar
from decimal import Decimal
from typing import Any, Final

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from holdfast.kernel.json import canonical_json, exact
from holdfast.kernel.long_work import TooLong, breathe, must_be_short
from holdfast.kernel.schemas.patterns import pattern

__all__ = ["BUDGET", "Budget", "BudgetSpent", "Validator", "is_multiple"]

_MOST_AT_ONCE: Final = 2500
"""Steps that are taken on the event loop: about 12 milliseconds."""
_STRETCH: Final = 500
"""Steps between two pauses elsewhere."""

Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]


class BudgetSpent(Exception):
    """All steps are taken."""


class Budget:
    """The steps that are left of one check.

    Where others wait for the end of it, a few of them: what needs more is then begun anew where nobody waits.
    """

    __slots__ = ("_pause_at", "_short", "left", "weights")

    def __init__(self, steps: int, weights: Mapping[int, int]) -> None:
        self._short = must_be_short() and steps > _MOST_AT_ONCE
        self.left = _MOST_AT_ONCE if self._short else steps
        self._pause_at = self.left - _STRETCH
        self.weights = weights
        """How many values the lists of a schema hold in all, by their identity."""

    def take(self, steps: int) -> None:
        self.left -= steps
        if self.left < 0:
            raise TooLong if self._short else BudgetSpent
        if self.left < self._pause_at:
            self._pause_at = self.left - _STRETCH
            breathe()


BUDGET: ContextVar[Budget] = ContextVar("holdfast-schema-budget")


def _priced(keyword: Keyword) -> Keyword:
    """The keyword, with the steps it takes."""

    def applied(validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        budget = BUDGET.get()
        steps = 1
        if isinstance(instance, dict | list):
            steps += len(instance) // 8
        elif isinstance(instance, str):
            steps += len(instance) // 512
        if isinstance(value, dict | list):
            steps += budget.weights.get(id(value), len(value)) // 8
        budget.take(steps)
        for error in keyword(validator, value, instance, schema) or ():
            # The text of an error holds the value it is about, however large that is.
            budget.take(1 + len(error.message) // 64)
            yield error

    return applied


def _matches(text: str, name: str) -> bool:
    found = pattern(text)
    BUDGET.get().take(found.cost(name))
    return found.found_in(name)


def _pattern(validator: Any, wanted: str, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _matches(wanted, instance):
        yield ValidationError(f"{instance!r} does not match {wanted!r}")


def _pattern_properties(validator: Any, patterns: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if isinstance(instance, dict):
        for text, subschema in patterns.items():
            for name, member in instance.items():
                if _matches(text, name):
                    yield from validator.descend(member, subschema, path=name, schema_path=text)


def _additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    named, patterns = schema.get("properties", {}), schema.get("patternProperties", {})
    extra = [name for name in instance if name not in named and not any(_matches(text, name) for text in patterns)]
    if isinstance(allowed, dict):
        for name in extra:
            yield from validator.descend(instance[name], allowed, path=name)
    elif not allowed and extra:
        if patterns:
            verb = "does" if len(extra) == 1 else "do"
            of = ", ".join(map(repr, sorted(patterns)))
            yield ValidationError(f"{_listed(extra)} {verb} not match any of the regexes: {of}")
        else:
            yield ValidationError(f"Additional properties are not allowed ({_listed(extra)} {_was(extra)} unexpected)")


def _multiple_of(validator: Any, divisor: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "number") and not is_multiple(instance, divisor):
        yield ValidationError(f"{instance!r} is not a multiple of {divisor}")


def is_multiple(number: float | Decimal, divisor: float | Decimal) -> bool:
    """Whether one number is a whole multiple of another: exactly, as they are written."""
    (digits, exponent), (of, to) = _scaled(number), _scaled(divisor)
    if digits == 0:
        return True
    if exponent >= to:
        return digits * pow(10, exponent - to, of) % of == 0
    # A number of so many digits ends in fewer zeros.
    missing = to - exponent
    return missing <= len(str(digits)) and digits % (of * 10**missing) == 0


def _scaled(number: float | Decimal) -> tuple[int, int]:
    """A number as digits and a power of ten."""
    if isinstance(number, int):
        return abs(number), 0
    exact = number if isinstance(number, Decimal) else Decimal(repr(number))
    _, digits, exponent = exact.as_tuple()
    assert isinstance(exponent, int), "JSON has no NaN"
    return int("".join(map(str, digits))), exponent


def _unique_items(validator: Any, wanted: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if wanted and isinstance(instance, list):
        seen = set()
        for item in instance:
            text = canonical_json(exact(item))
            BUDGET.get().take(1 + len(text) // 64)
            seen.add(text)
        if len(seen) < len(instance):
            yield ValidationError(f"{instance!r} has non-unique elements")


def _unevaluated_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    without = {key: value for key, value in schema.items() if key != "unevaluatedProperties"}
    known = _evaluated(validator, instance, without)
    extra = [name for name in instance if name not in known]
    if allowed is False and extra:
        yield ValidationError(f"Unevaluated properties are not allowed ({_listed(extra)} {_was(extra)} unexpected)")
    elif allowed is not False:
        for name in extra:
            yield from validator.descend(instance[name], allowed, path=name)


def _unevaluated_items(validator: Any, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not isinstance(instance, list):
        return
    without = {key: value for key, value in schema.items() if key != "unevaluatedItems"}
    known = _evaluated(validator, instance, without)
    extra = [number for number in range(len(instance)) if number not in known]
    if allowed is False and extra:
        items = [instance[number] for number in extra]
        yield ValidationError(f"Unevaluated items are not allowed ({_listed(items)} {_was(items)} unexpected)")
    elif allowed is not False:
        for number in extra:
            yield from validator.descend(instance[number], allowed, path=number)


def _evaluated(validator: Any, instance: Any, schema: Any) -> set[Any]:
    """The members or elements that a schema, or one it combines, has an opinion on."""
    if not isinstance(schema, dict):
        return set()
    BUDGET.get().take(1 + len(instance) // 8)
    known = _own_members(instance, schema) if isinstance(instance, dict) else _own_elements(validator, instance, schema)
    for keyword in ("$ref", "$dynamicRef"):
        if keyword in schema:
            found = validator._resolver.lookup(schema[keyword])  # noqa: SLF001 - as the library's own keywords do
            inner = validator.evolve(schema=found.contents, _resolver=found.resolver)
            known |= _evaluated(inner, instance, found.contents)
    combined = [each for word in ("allOf", "anyOf", "oneOf") for each in schema.get(word, ())]
    combined += [each for name, each in schema.get("dependentSchemas", {}).items() if name in instance]
    for each in combined:
        if _holds(validator, instance, each):
            known |= _evaluated(validator, instance, each)
    if "if" in schema:
        chosen = "then" if _holds(validator, instance, schema["if"]) else "else"
        if chosen == "then":
            known |= _evaluated(validator, instance, schema["if"])
        known |= _evaluated(validator, instance, schema.get(chosen))
    return known


def _own_members(instance: dict[str, Any], schema: Mapping[str, Any]) -> set[str]:
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return set(instance)
    patterns = schema.get("patternProperties", {})
    named = schema.get("properties", {})
    return {name for name in instance if name in named or any(_matches(text, name) for text in patterns)}


def _own_elements(validator: Any, instance: list[Any], schema: Mapping[str, Any]) -> set[int]:
    if "items" in schema or "unevaluatedItems" in schema:
        return set(range(len(instance)))
    known = set(range(len(schema.get("prefixItems", ()))))
    if "contains" in schema:
        known |= {number for number, each in enumerate(instance) if _holds(validator, each, schema["contains"])}
    return known


def _holds(validator: Any, instance: Any, schema: Any) -> bool:
    return next(validator.descend(instance, schema), None) is None


def _listed(values: list[Any]) -> str:
    return ", ".join(map(repr, sorted(values, key=str)))


def _was(values: list[Any]) -> str:
    return "was" if len(values) == 1 else "were"


_OURS: Final[dict[str, Keyword]] = {
    "additionalProperties": _additional_properties,
    "multipleOf": _multiple_of,
    "pattern": _pattern,
    "patternProperties": _pattern_properties,
    "unevaluatedItems": _unevaluated_items,
    "unevaluatedProperties": _unevaluated_properties,
    "uniqueItems": _unique_items,
}

_THEIRS: Final[dict[str, Any]] = dict(Draft202012Validator.VALIDATORS)
Validator: Final[Any] = extend(  # type: ignore[no-untyped-call]  # its stubs leave it so
    Draft202012Validator, {name: _priced(_OURS.get(name, keyword)) for name, keyword in _THEIRS.items()}
)
"""Draft 2020-12, within a budget."""
