"""Configurations of the nodes that do something: action, webhook, run, session, and for_each with a body."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from holdfast.envelope.parts.fields import (
    Duration,
    Name,
    NodeConfig,
    Text,
    Whole,
    expression,
    field,
    payload,
    template,
)
from holdfast.envelope.parts.graph import BodyPatch

__all__ = ["ActionConfig", "ForEachConfig", "RunConfig", "SessionConfig", "WebhookOutConfig"]


def _save_as() -> Any:
    return field("Save as", "The context variable that takes the result.", default=None)


def _timeout() -> Any:
    return field("Timeout", "After this time the outcome is `timeout`.", default=None, examples=["30m"])


class ActionConfig(NodeConfig):
    """Calls a registered action in the process's own transaction."""

    action: Text = field(
        "Action", "The registered action.", widget="action", suggestions="actions", examples=["invoice.post"]
    )
    payload: dict[str, Any] = payload(
        "Input", "The action's input.", factory=dict, examples=[{"amount": {"$expr": "entity.grand_total"}}]
    )
    save_as: Name | None = _save_as()
    key: str | None = template(
        "Idempotency key",
        "Two calls with one key have one effect; by default the step's own key.",
        default=None,
    )


class WebhookOutConfig(NodeConfig):
    """Sends an HTTP request through the effects outbox and, by default, waits until it is confirmed."""

    url: str = template("URL", "Where to.", max_length=2000, examples=["https://erp.example/invoices/{entity.number}"])
    method: Literal["POST", "PUT", "PATCH", "DELETE", "GET"] = field("Method", "The HTTP method.", default="POST")
    headers: dict[str, str] = template(
        "Headers", "Header to template. Secrets are named in `secret`, never written here.", factory=dict
    )
    body: Any = payload("Body", "The JSON body; by default the document.", default=None)
    secret: Text | None = field(
        "Signing secret",
        "The name of the secret that signs the request.",
        default=None,
        widget="secret",
        suggestions="secrets",
    )
    wait: bool = field("Wait", "Whether the process waits until the request is confirmed.", default=True)
    max_attempts: Annotated[Whole, Field(ge=1, le=50)] | None = field(
        "Attempts", "How often to try before the outcome is `error`; by default as the installation says.", default=None
    )
    save_as: Name | None = _save_as()

    def waits(self) -> bool:
        return self.wait


class RunConfig(NodeConfig):
    """Enqueues a run and waits for its result."""

    run_type: Text = field(
        "Run type", "The type of the run.", suggestions="runs.types", examples=["billing.invoice_charge.v1"]
    )
    payload: dict[str, Any] = payload("Payload", "The run's payload.", factory=dict)
    key: str | None = template("Idempotency key", "By default the step's own key.", default=None)
    max_attempts: Annotated[Whole, Field(ge=1, le=100)] | None = field(
        "Attempts", "By default what the handler says.", default=None
    )
    save_as: Name | None = _save_as()
    timeout: Duration | None = _timeout()

    def outcomes(self) -> tuple[str, ...]:
        return ("completed", *(("timeout",) if self.timeout else ()), "error")

    def waits(self) -> bool:
        return True


class SessionConfig(NodeConfig):
    """Starts a session of a registered LangGraph definition and waits for its end."""

    definition: Text = field(
        "Definition",
        "The registered session definition.",
        widget="session-definition",
        suggestions="sessions.definitions",
    )
    input: dict[str, Any] = payload("Input", "The session's first input.", factory=dict)
    save_as: Name | None = _save_as()
    timeout: Duration | None = _timeout()

    def outcomes(self) -> tuple[str, ...]:
        return ("completed", *(("timeout",) if self.timeout else ()), "error")

    def waits(self) -> bool:
        return True


class ForEachConfig(NodeConfig):
    """Runs its body once for every item of a list, with the item as `item`; completes when every item has."""

    items: str = expression("Items", "The list.", gives="list", examples=["entity.lines"])
    body: BodyPatch = field("Body", "What to do with one item: a small patch of its own.", widget="graph")
    mode: Literal["sequential", "parallel"] = field(
        "Mode", "One item after another, or all at once.", default="sequential"
    )
    on_error: Literal["stop", "continue"] = field(
        "When an item fails",
        "Stop with the outcome `error`, cancelling the others; or go on with the rest and still complete.",
        default="stop",
    )
    max_items: Annotated[Whole, Field(ge=1, le=100_000)] = field(
        "At most", "A longer list gives the outcome `error`.", default=1000
    )
    save_as: Name | None = field(
        "Save as", "The context variable that takes the results: for each item its outcome and variables.", default=None
    )

    def waits(self) -> bool:
        return True
