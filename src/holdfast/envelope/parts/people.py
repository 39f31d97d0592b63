"""Configurations of the nodes that involve people: approval, task, notification."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, get_args

from pydantic import BeforeValidator, Field, create_model, model_validator

from holdfast.envelope.parts.fields import (
    Duration,
    Name,
    NodeConfig,
    Part,
    RoleName,
    Text,
    expression,
    field,
    template,
)
from holdfast.kernel.given import no_truth

__all__ = [
    "CHANNELS",
    "ApprovalConfig",
    "ByManager",
    "ByRole",
    "ByRule",
    "ByUser",
    "NotificationConfig",
    "People",
    "TaskConfig",
    "notification_through",
]


class ByUser(Part):
    """One named person."""

    kind: Literal["user"] = field("Kind", "A named person.", default="user")
    user: Text = field("Person", "The user's name or id.", widget="user", suggestions="users")


class ByRole(Part):
    """Anyone who holds a role."""

    kind: Literal["role"] = field("Kind", "Holders of a role.", default="role")
    role: RoleName = field("Role", "The role.", widget="role", suggestions="roles", examples=["finance_manager"])
    pick: Literal["everyone", "round_robin", "first_available"] = field(
        "Who is asked", "All holders, the next in turn, or the first who is available.", default="everyone"
    )


class ByManager(Part):
    """The manager of a person."""

    kind: Literal["manager"] = field("Kind", "Somebody's manager.", default="manager")
    of: str = expression(
        "Manager of",
        "An expression that gives the person.",
        gives="text",
        default="actor.user_id",
        examples=["entity.requested_by"],
    )


class ByRule(Part):
    """Whoever an expression names."""

    kind: Literal["rule"] = field("Kind", "Whoever an expression names.", default="rule")
    expression: str = expression(
        "People",
        "An expression that gives one user or a list of users.",
        gives="people",
        examples=["entity.owners"],
    )


class ByResolver(Part):
    """Whoever a function of the application names; it is called by a worker that has the application's code."""

    kind: Literal["resolver"] = field("Kind", "Whoever a function of the application names.", default="resolver")
    resolver: Name = field("Resolver", "The name under which it is registered.", examples=["on_call"])


People = Annotated[ByUser | ByRole | ByManager | ByRule, Field(discriminator="kind")]
Asked = Annotated[ByUser | ByRole | ByManager | ByRule | ByResolver, Field(discriminator="kind")]
"""Who can be asked: also those whom only code knows."""


class ApprovalConfig(NodeConfig):
    """People decide on the document as it stands; the decision is bound to its version and content."""

    title: str | None = template(
        "Title",
        "What the approver sees first; by default the step's name.",
        default=None,
        examples=["Invoice {entity.number}"],
    )
    instructions: str | None = template("Instructions", "What to look at before deciding.", default=None)
    approvers: list[Asked] = field("Approvers", "Who is asked.", factory=list, max_length=50)
    chain: Text | None = field(
        "Approval chain",
        "The name of an approval chain, instead of approvers listed here.",
        default=None,
        widget="chain",
        suggestions="chains",
    )
    required: Annotated[Literal["any", "all"] | Annotated[int, Field(ge=1, le=50)], BeforeValidator(no_truth)] = field(
        "Approvals required", "One of them, all of them, or this many.", default="any"
    )
    requester_may_approve: bool = field(
        "Requester may approve",
        "Whether those who made, edited or submitted the document may also approve.",
        default=False,
    )
    may_decide_in_parallel: bool = field(
        "May decide in parallel",
        "Whether somebody who decides in a parallel branch may decide here as well; both steps must allow it.",
        default=False,
    )
    may_delegate: bool = field("May delegate", "Whether an approver may name someone else.", default=True)
    remind_every: Duration | None = field("Remind every", "How often to remind.", default=None, examples=["24h"])
    timeout: Duration | None = field(
        "Timeout", "After this time the outcome is `timeout`.", default=None, examples=["72h"]
    )

    @model_validator(mode="after")
    def _one_source_of_approvers(self) -> ApprovalConfig:
        if bool(self.approvers) == (self.chain is not None):
            raise ValueError("give either approvers or a chain")
        return self

    def outcomes(self) -> tuple[str, ...]:
        return ("approved", "rejected", *(("timeout",) if self.timeout else ()), "error")

    def waits(self) -> bool:
        return True


class TaskConfig(NodeConfig):
    """A person fills in a form."""

    title: str = template("Title", "What the person sees first.")
    instructions: str | None = template("Instructions", "What to do.", default=None)
    assignees: list[Asked] = field("Assignees", "Who may do it.", min_length=1, max_length=50)
    form: dict[str, Any] = field(
        "Form",
        "A JSON Schema (2020-12) of the answer.",
        factory=lambda: {"type": "object", "properties": {}},
        widget="schema",
        extra={"x-holds": "schema"},
    )
    answers: list[Name] = field(
        "Answers",
        "The buttons under the form; each is an outcome.",
        factory=lambda: ["completed"],
        min_length=1,
    )
    save_as: Name | None = field("Save as", "The context variable that takes the answer.", default=None)
    timeout: Duration | None = field(
        "Timeout", "After this time the outcome is `timeout`.", default=None, examples=["72h"]
    )

    def outcomes(self) -> tuple[str, ...]:
        return (*self.answers, *(("timeout",) if self.timeout else ()), "error")

    def waits(self) -> bool:
        return True


def _one_of(known: tuple[str, ...]) -> BeforeValidator:
    """Says of a channel that is none what there are, and where another would come from."""

    def check(value: object) -> object:
        if value not in known:
            raise ValueError(
                f"there is no channel {value!r}; there are {', '.join(known)}, "
                "and what the application of HOLDFAST_APP registers with @app.effect"
            )
        return value

    return BeforeValidator(check)


Channel = Literal["email", "in_app", "sms"]
CHANNELS: Final[tuple[str, ...]] = get_args(Channel)


class NotificationConfig(NodeConfig):
    """A message to people, sent by the effects worker; the process does not wait for it unless asked to."""

    channel: Annotated[Channel, _one_of(CHANNELS)] = field("Channel", "How it is sent.", default="in_app")
    to: list[People] = field("To", "Who receives it.", min_length=1, max_length=50)
    subject: str = template("Subject", "The subject line.", max_length=500)
    body: str = template("Body", "The text.", default="", max_length=10_000)
    wait: bool = field("Wait", "Whether the process waits until it is sent.", default=False)

    def waits(self) -> bool:
        return self.wait


def notification_through(channels: Iterable[str]) -> type[NotificationConfig]:
    """The configuration of notifications that go through further channels as well: an application's own."""
    return _notification_through(tuple(sorted({*CHANNELS, *channels})))


@lru_cache(maxsize=64)
def _notification_through(known: tuple[str, ...]) -> type[NotificationConfig]:
    channel: Any = Annotated[Literal[known], _one_of(known)]
    return create_model(
        "NotificationConfig",
        __base__=NotificationConfig,
        __doc__=NotificationConfig.__doc__,
        channel=(channel, field("Channel", "How it is sent.", default="in_app")),
    )
