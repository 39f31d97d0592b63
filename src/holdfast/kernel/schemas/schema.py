"""JSON Schemas that tenants write, and values checked against them: the one home of both.

`JsonSchema` takes a schema once: it must be one (draft 2020-12), refer to nothing but itself, and stay within the
limits of what a check may cost. Values are then checked in a bounded number of steps; one that would need more is
refused like one that does not fit, and says so.

The library takes long to import; who rarely has a schema imports this module where one is met.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, Final

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError, best_match
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from holdfast.errors import CanonicalError
from holdfast.kernel.json import canonical_json, decode, exact
from holdfast.kernel.long_work import TooLong, must_be_short
from holdfast.kernel.schemas.keywords import BUDGET, Budget, BudgetSpent, Validator
from holdfast.kernel.schemas.walk import MOST_DEPTH, MOST_SUBSCHEMAS, BadSchema, walk

__all__ = ["MOST_FORM_STEPS", "MOST_STEPS", "JsonSchema", "SchemaProblem", "json_schema"]

MOST_STEPS: Final = 200_000
"""Steps that a check of one value may take: about a second at worst, in a thread (`kernel.aside`)."""
MOST_FORM_STEPS: Final = 5000
"""Steps for what a person fills in: it is checked again where a process goes on, which has no thread to do it in."""
_MOST_LEVELS: Final = 2 * MOST_DEPTH + 10
"""Levels of JSON; a subschema lies in its keyword and its name."""
_LONGEST: Final = 300
_KEPT: Final = 256
_MOST_AT_ONCE: Final = 50
"""Objects of a schema that is taken on the event loop: about 25 milliseconds."""
_META: Final = Draft202012Validator(Draft202012Validator.META_SCHEMA)


_CHOICES: Final = frozenset({"anyOf", "oneOf", "allOf", "not", "if", "dependentSchemas", "value"})


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """What a schema does not allow, and where in the value."""

    path: tuple[str | int, ...]
    message: str
    keyword: str = ""
    """The keyword of the schema that says so."""

    @property
    def whole(self) -> bool:
        """Whether it is about everything below its place: what is wrong there may be elsewhere."""
        return self.keyword in _CHOICES

    @property
    def dotted(self) -> str:
        """The place as it is written in errors, such as `lines.0.amount`."""
        return ".".join(map(str, self.path))


class JsonSchema:
    """A schema to check values against; raises `BadSchema` for one that is not taken."""

    def __init__(self, schema: Any, formats: FormatChecker | None = None) -> None:
        _check_extent(schema)
        wrong = best_match(_META.iter_errors(schema))
        if wrong is not None:
            path = tuple(wrong.absolute_path)
            raise BadSchema(path, _short(wrong.message), "see https://json-schema.org/draft/2020-12")
        found = walk(schema)
        self._weights: dict[int, int] = {}
        # Named dialects would bring the library's own keywords back.
        self._schema = self._copied(schema, found.seen.keys())
        resource = DRAFT202012.create_resource(self._schema)
        registry: Registry[Any] = Registry().with_resource(resource.id() or "", resource).crawl()
        self._validator = Validator(self._schema, registry=registry, format_checker=formats)

    def problems(self, value: Any, most: int = 20, steps: int = MOST_STEPS) -> list[SchemaProblem]:
        """What is wrong with a value: so much of it, in the order of its places."""
        found = [
            SchemaProblem(tuple(error.absolute_path), _short(error.message), str(error.validator))
            for error in self._checked(value, lambda errors: islice(errors, most), Budget(steps, self._weights))
        ]
        return sorted(found, key=lambda problem: list(map(str, problem.path)))

    def budget(self) -> Budget:
        """The steps for one check, or for several together."""
        return Budget(MOST_STEPS, self._weights)

    def problem(self, value: Any, steps: Budget | None = None) -> SchemaProblem | None:
        """What is most wrong with a value, or None."""

        def best(errors: Iterator[ValidationError]) -> Iterator[ValidationError]:
            found = best_match(islice(errors, 100))
            return iter(()) if found is None else iter((found,))

        return next(
            (
                SchemaProblem(tuple(each.absolute_path), _short(each.message))
                for each in self._checked(value, best, steps)
            ),
            None,
        )

    def _checked(self, value: Any, choose: Any, steps: Budget | None = None) -> list[ValidationError]:
        mine = BUDGET.set(steps or self.budget())
        try:
            return list(choose(self._validator.iter_errors(value)))
        except BudgetSpent:
            return [ValidationError("checking it takes too many steps: it is too large for its schema")]
        except RecursionError:
            return [ValidationError("it is nested too deeply for its schema")]
        except CanonicalError as error:
            return [ValidationError(error.message)]
        except Unresolvable as error:
            return [ValidationError(f"its schema refers to {error.ref!r}, which it does not hold")]
        finally:
            BUDGET.reset(mine)

    def _copied(self, value: Any, subschemas: Any) -> Any:
        """A copy of our own, whose identities stay."""
        if isinstance(value, Mapping):
            named = id(value) in subschemas
            return {
                key: self._copied(inner, subschemas) for key, inner in value.items() if not (named and key == "$schema")
            }
        if isinstance(value, list | tuple):
            copy = [self._copied(inner, subschemas) for inner in value]
            self._weights[id(copy)] = len(copy) + sum(self._weights.get(id(inner), 1) for inner in copy)
            return copy
        return value


def json_schema(schema: Any, formats: FormatChecker | None = None) -> JsonSchema:
    """The same, kept for the next who has such a schema."""
    try:
        text = canonical_json(exact(schema))
    except (CanonicalError, RecursionError) as error:
        raise BadSchema((), f"it cannot be read: {error}", "give a JSON Schema") from None
    return _kept(text, formats)


@lru_cache(_KEPT)
def _kept(text: bytes, formats: FormatChecker | None) -> JsonSchema:
    return JsonSchema(decode(text.decode()), formats)


def _check_extent(schema: Any) -> None:
    """Not too deep to be read, and not too much."""
    waiting, level, count = [schema], 0, 0
    while waiting:
        level += 1
        if level > _MOST_LEVELS:
            raise BadSchema((), f"it is nested in more than {MOST_DEPTH} levels", "give parts a name under $defs")
        inner: list[Any] = []
        for value in waiting:
            if isinstance(value, Mapping):
                count += 1
                inner.extend(value.values())
            elif isinstance(value, list | tuple):
                inner.extend(value)
        if count > _MOST_AT_ONCE and must_be_short():
            raise TooLong
        if count > 2 * MOST_SUBSCHEMAS:
            raise BadSchema((), f"it has more than {MOST_SUBSCHEMAS} subschemas", "describe less of it, or split it")
        waiting = inner


def _short(message: str) -> str:
    return message if len(message) <= _LONGEST else f"{message[:150]} … {message[-140:]}"
