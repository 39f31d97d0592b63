"""Shapes of inputs and outputs: from pydantic models or other types, or from a JSON Schema as it is.

What a form should look like is told in the schema itself: `title` is the label, `description` the help, and the members
`x-widget`, `x-suggestions` and `x-advanced` say the rest. Widgets are `text`, `combobox`, `segmented`, `expression` and
`json`; a combobox with suggestions is an open list: it suggests values and takes any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from holdfast.actions.model import Shape
from holdfast.errors import InvalidInput
from holdfast.kernel.aside import aside
from holdfast.kernel.schemas import BadSchema, SchemaProblem, json_schema

__all__ = ["ModelShape", "SchemaShape", "Widget", "shape_of", "shown"]

Widget = Literal["text", "combobox", "segmented", "expression", "json"]


def shown(
    label: str,
    help: str = "",  # noqa: A002 - it is the help
    *,
    widget: Widget = "text",
    suggestions: str | None = None,
    advanced: bool = False,
    **more: Any,
) -> Any:
    """A pydantic `Field` for `Annotated` that says how a form shows it; `suggestions` names a source of values."""
    extra: dict[str, Any] = {"x-widget": widget}
    if suggestions is not None:
        extra["x-suggestions"] = suggestions
    if advanced:
        extra["x-advanced"] = True
    return Field(title=label, description=help or None, json_schema_extra=extra, **more)


class ModelShape(Shape):
    """A pydantic model, a dataclass, or any type pydantic knows."""

    def __init__(self, kind: Any) -> None:
        self._adapter: TypeAdapter[Any] = TypeAdapter(kind)
        self.schema = self._adapter.json_schema(by_alias=True)

    def read(self, field_name: str, value: Any) -> Any:
        try:
            return self._adapter.validate_python(value)
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = ".".join(map(str, first["loc"])) or field_name
            if first["type"] == "missing":
                raise InvalidInput(f"{where} is missing", hint="give it", field=where) from None
            message = first["msg"].removeprefix("Value error, ")
            raise InvalidInput(
                f"{where}: {message}", hint="`holdfast actions show` tells the input", field=where
            ) from None

    def problems(self, value: Any) -> Sequence[SchemaProblem]:
        try:
            self._adapter.validate_python(value)
        except ValidationError as error:
            return [
                SchemaProblem(
                    tuple(each["loc"]),
                    each["msg"].removeprefix("Value error, "),
                    "value" if each["type"] in ("value_error", "assertion_error") else each["type"],
                )
                for each in error.errors(include_url=False, include_input=False, include_context=False)
            ]
        return []

    def plain(self, value: Any) -> Any:
        # Through the adapter, so that what an action returns is what it said it would.
        checked = self._adapter.validate_python(value)
        return self._adapter.dump_python(checked, by_alias=True)


class SchemaShape(Shape):
    """A JSON Schema (draft 2020-12); values are plain JSON."""

    def __init__(self, schema: dict[str, Any]) -> None:
        try:
            self._json_schema = json_schema(schema)
        except BadSchema as error:
            raise InvalidInput(f"not a JSON Schema: {error.why}", hint=error.hint, field="schema") from None
        self.schema = schema

    def read(self, field_name: str, value: Any) -> Any:
        found = self._json_schema.problem(value)
        if found is not None:
            where = found.dotted or field_name
            raise InvalidInput(f"{where}: {found.message}", hint="`holdfast actions show` tells the input", field=where)
        return value

    def problems(self, value: Any) -> Sequence[SchemaProblem]:
        return self._json_schema.problems(value)

    async def taken(self, field_name: str, value: Any) -> Any:
        return await aside(lambda: self.read(field_name, value), value)

    def plain(self, value: Any) -> Any:
        return self.read("output", value)


def shape_of(kind: Any) -> Shape:
    """The shape of a type or of a JSON Schema; None means an object of any members."""
    if kind is None:
        return SchemaShape({"type": "object"})
    if isinstance(kind, dict):
        return SchemaShape(kind)
    return _shape_of_class(kind) if isinstance(kind, type) else ModelShape(kind)


@cache
def _shape_of_class(kind: type) -> ModelShape:
    """Made once for a class: its JSON Schema takes pydantic longer than all else that a registry does."""
    return ModelShape(kind)
