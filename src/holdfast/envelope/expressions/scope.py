"""What an expression may read: the seven roots and their types.

A scope is made from a contract's JSON Schema and handed to the checker, the compiler and the editor's
completion. A root without a schema is open: any field may be read from it, and a field that turns out to be
absent fails the evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from holdfast.envelope.expressions.kinds import ANY, INSTANT, OPEN_OBJECT, Type
from holdfast.envelope.expressions.schema import type_of_schema
from holdfast.errors import ExpressionError

__all__ = ["ACTOR_SCHEMA", "ROOTS", "Scope"]

ROOTS: Final = ("entity", "actor", "org", "now", "context", "payload", "item")
"""Every name an expression may begin a path with."""

ROOT_NOTES: Final = {
    "entity": "the document",
    "actor": "the person or service acting",
    "org": "the organisation's configuration",
    "now": "the time of the evaluation",
    "context": "variables of the process",
    "payload": "the event or request that arrived",
    "item": "the current element of a for_each",
}

ACTOR_SCHEMA: Final[Mapping[str, Any]] = {
    "type": "object",
    "required": ["user_id", "roles"],
    "properties": {
        "user_id": {"type": "string"},
        "roles": {"type": "array", "items": {"type": "string"}},
        "name": {"type": "string"},
        "email": {"type": "string"},
        "kind": {"type": "string"},
        "permissions": {"type": "array", "items": {"type": "string"}},
    },
}
"""What is known of every actor, unless the scope is given another schema."""

Shape = Mapping[str, Any] | Type | None


@dataclass(frozen=True, slots=True)
class Scope:
    """The types of the roots. A root that is not in `roots` cannot be read here."""

    roots: Mapping[str, Type]

    @classmethod
    def of(
        cls,
        entity: Shape = None,
        *,
        actor: Shape = ACTOR_SCHEMA,
        org: Shape = None,
        context: Shape = None,
        payload: Shape = None,
        item: Shape = None,
    ) -> Scope:
        """A scope from JSON Schemas (or types); None leaves a root open."""
        shapes: dict[str, Shape] = {
            "entity": entity,
            "actor": actor,
            "org": org,
            "now": INSTANT,
            "context": context,
            "payload": payload,
            "item": item,
        }
        return cls({name: _typed(name, shape) for name, shape in shapes.items()})

    def without(self, *names: str) -> Scope:
        """The same scope where these roots cannot be read, such as `item` outside a for_each."""
        return Scope({name: each for name, each in self.roots.items() if name not in names})

    def having(self, name: str, shape: Shape) -> Scope:
        """The same scope where one root has another type, such as `item` inside a for_each over typed lines."""
        return Scope({**self.roots, name: _typed(name, shape)})


def _typed(name: str, shape: Shape) -> Type:
    if name not in ROOTS:
        raise ExpressionError(
            f"there is no root {name!r}", hint=f"The roots are {', '.join(ROOTS)}", code="unknown_root"
        )
    if shape is None:
        return OPEN_OBJECT if name != "item" else ANY
    return shape if isinstance(shape, Type) else type_of_schema(shape)
