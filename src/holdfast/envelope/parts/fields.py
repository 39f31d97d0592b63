"""Fields of node configurations: what a form shows, and what the compiler checks inside the value.

Each configuration field carries a title, a description and an `x-widget` for the console's forms. Where the
value is an expression, a template string or a payload template, `x-holds` says so, and for an expression
`x-type` says which type it must give. The compiler reads the same marks, so a form and a compile never
disagree on what a field holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from holdfast.envelope.durations import DURATION_PATTERN, parse_duration
from holdfast.errors import InvalidInput
from holdfast.kernel.cron import Cron
from holdfast.kernel.given import no_truth

__all__ = [
    "CronLine",
    "Duration",
    "Name",
    "NodeConfig",
    "Part",
    "RoleName",
    "Text",
    "Whole",
    "expression",
    "field",
    "payload",
    "template",
]


class Part(BaseModel):
    """A frozen value with no unknown fields: the shape of everything an author writes."""

    model_config = ConfigDict(frozen=True, extra="forbid", protected_namespaces=())


class NodeConfig(Part):
    """What a node of one type is configured with. Subclass it to define a node type of your own.

    For example:

        class CheckStock(NodeConfig):
            warehouse: str

        @app.node("check_stock", config=CheckStock)
        async def check_stock(ask: Ask) -> Answer:
            return Answer(result={"left": await count(ask.node.config["warehouse"])})
    """

    def outcomes(self) -> tuple[str, ...]:
        """Every outcome a node so configured can give."""
        return ("completed", "error")

    def must_handle(self) -> tuple[str, ...]:
        """The outcomes for which an edge must leave the node. Others, when they happen, fail the step."""
        return tuple(outcome for outcome in self.outcomes() if outcome != "error")

    def waits(self) -> bool:
        """Whether a token rests at the node until something happens outside the process."""
        return False


def _is_duration(text: str) -> str:
    parse_duration(text)
    return text


def _is_cron(text: str) -> str:
    try:
        Cron.parse(text)
    except InvalidInput as error:
        # What pydantic takes for a problem of the field.
        raise ValueError(f"{error.message}: {error.hint}") from None
    return text


Duration = Annotated[str, StringConstraints(pattern=DURATION_PATTERN, min_length=2), AfterValidator(_is_duration)]
CronLine = Annotated[str, StringConstraints(max_length=100), AfterValidator(_is_cron)]
Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$", max_length=64)]
RoleName = Annotated[str, StringConstraints(min_length=1, max_length=128)]
Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Whole = Annotated[int, BeforeValidator(no_truth)]


def field(
    title: str,
    description: str,
    *,
    default: Any = ...,
    factory: Any = None,
    widget: str | None = None,
    suggestions: str | None = None,
    examples: Sequence[Any] | None = None,
    extra: dict[str, Any] | None = None,
    **constraints: Any,
) -> Any:
    """A configuration field with what its form needs; `suggestions` names a source of values."""
    marks: dict[str, Any] = dict(extra or {})
    if suggestions is not None:
        marks["x-suggestions"] = suggestions
    if widget is not None:
        marks["x-widget"] = widget
    given = {"default_factory": factory} if factory is not None else {"default": default}
    return Field(
        title=title,
        description=description,
        examples=None if examples is None else list(examples),
        json_schema_extra=marks or None,
        **given,
        **constraints,
    )


def expression(title: str, description: str, *, gives: str, **options: Any) -> Any:
    """A field that holds an expression giving `gives`: boolean, list, text, date-time, people (one text or
    several) or any.
    """
    marks = {"x-holds": "expression", "x-type": gives}
    return field(title, description, widget="expression", extra=marks, **options)


def template(title: str, description: str, **options: Any) -> Any:
    """A field that holds a template string such as `delivery:pod:{entity.shipment_id}`."""
    return field(title, description, widget="template", extra={"x-holds": "template"}, **options)


def payload(title: str, description: str, **options: Any) -> Any:
    """A field that holds JSON in which `{"$expr": "…"}` stands for the value of an expression."""
    return field(title, description, widget="payload", extra={"x-holds": "payload"}, **options)
