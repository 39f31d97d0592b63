"""Configurations of the nodes that steer: condition, rule, script, parallel split and join, and the waits."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from holdfast.envelope.parts.fields import (
    CronLine,
    Duration,
    Name,
    NodeConfig,
    Text,
    Whole,
    expression,
    field,
    template,
)

__all__ = [
    "ConditionConfig",
    "ParallelJoinConfig",
    "ParallelSplitConfig",
    "RuleConfig",
    "ScriptConfig",
    "WaitEventConfig",
    "WaitTimerConfig",
]


class ConditionConfig(NodeConfig):
    """A choice: with an expression the outcomes are `true` and `false`; without, the edges' conditions
    decide.
    """

    expression: str | None = expression(
        "Expression",
        "What must hold. Leave empty to put the conditions on the edges.",
        gives="boolean",
        default=None,
        examples=["entity.grand_total > 10000"],
    )

    def outcomes(self) -> tuple[str, ...]:
        return ("true", "false") if self.expression is not None else ("completed",)


class RuleConfig(NodeConfig):
    """A rule registered under a name decides."""

    rule: Text = field("Rule", "The registered rule's name.", widget="rule", suggestions="rules")

    def outcomes(self) -> tuple[str, ...]:
        return ("matched", "not_matched", "error")


class ScriptConfig(NodeConfig):
    """Sets context variables from expressions."""

    assign: dict[Name, str] = expression(
        "Assign",
        "Context variable to expression, all evaluated before any is set.",
        gives="any",
        min_length=1,
        max_length=50,
        examples=[{"credit_ok": "entity.credit_available >= entity.grand_total"}],
    )


class ParallelSplitConfig(NodeConfig):
    """One token becomes one for each edge that leaves here and whose guard holds."""

    def outcomes(self) -> tuple[str, ...]:
        return ("completed",)


class ParallelJoinConfig(NodeConfig):
    """The tokens of one split become one again."""

    mode: Literal["all", "any", "n_of_m"] = field(
        "Mode",
        "Wait for every branch, for the first, or for `n` of them; the others are cancelled.",
        default="all",
    )
    n: Annotated[Whole, Field(ge=1, le=1000)] | None = field(
        "Branches needed", "For `n_of_m`: how many branches must arrive.", default=None
    )
    first_rejection_ends: bool = field(
        "First rejection ends it",
        "Whether a branch that arrives with a rejection lets the process go on at once; whoever is still asked in the "
        "others is asked no longer.",
        default=False,
    )

    @model_validator(mode="after")
    def _n_belongs_to_n_of_m(self) -> ParallelJoinConfig:
        if (self.mode == "n_of_m") != (self.n is not None):
            raise ValueError("n is needed for n_of_m and for no other mode")
        if self.first_rejection_ends and self.mode == "any":
            raise ValueError("first_rejection_ends is for joins that wait for several branches; any waits for one")
        return self

    def outcomes(self) -> tuple[str, ...]:
        return ("completed",)


class WaitTimerConfig(NodeConfig):
    """Waits for a time: a duration, a moment given by an expression, or the next moment of a schedule."""

    duration: Duration | None = field("For", "How long.", default=None, examples=["24h"])
    until: str | None = expression(
        "Until", "The moment.", gives="date-time", default=None, examples=["entity.due_date"]
    )
    cron: CronLine | None = field(
        "Schedule", "The next moment of a cron line, in UTC.", default=None, examples=["0 6 1 * *"]
    )

    @model_validator(mode="after")
    def _one_kind_of_time(self) -> WaitTimerConfig:
        if sum(value is not None for value in (self.duration, self.until, self.cron)) != 1:
            raise ValueError("give exactly one of duration, until and cron")
        return self

    def waits(self) -> bool:
        return True


class WaitEventConfig(NodeConfig):
    """Waits for an event with a key, for at most `timeout`."""

    event_key: str = template(
        "Event key",
        "The key the event must carry.",
        examples=["delivery:pod:{entity.shipment_id}"],
        max_length=500,
    )
    accepts: str | None = expression(
        "Accepts",
        "What must hold of the event's `payload`; other events are left for other waits.",
        gives="boolean",
        default=None,
        examples=['payload.status == "delivered"'],
    )
    save_as: Name | None = field("Save as", "The context variable that takes the payload.", default=None)
    timeout: Duration | None = field(
        "Timeout", "After this time the outcome is `timeout`.", default=None, examples=["72h"]
    )

    def outcomes(self) -> tuple[str, ...]:
        return ("completed", *(("timeout",) if self.timeout else ()), "error")

    def waits(self) -> bool:
        return True
