"""Effects as actions: `http.request` and `notify`. What leaves the database is written as an effect and sent by a
worker after the transaction is committed, never in it; the answer of the call names the effect.

A step that must wait until its request is answered is a `webhook_out`, or a `notification` with `wait`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit
from uuid import UUID

from pydantic import BaseModel, field_validator, model_validator

from holdfast.actions import ActionRegistry, Call, shown
from holdfast.effects.payloads import stored_payload
from holdfast.effects.secrets import check_secret_use
from holdfast.envelope.tokens.keys import effect_key
from holdfast.errors import InvalidInput
from holdfast.kernel.given import Given
from holdfast.kernel.ids import uuid7
from holdfast.kernel.json import encode_canonical, plain
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["register_effects"]

_SQL = queries("effects")
_LIMIT = 1024 * 1024


class Request(Given):
    """An HTTP request to send."""

    url: Annotated[str, shown("URL", "http or https", widget="expression", max_length=2000)]
    method: Annotated[Literal["POST", "PUT", "PATCH", "DELETE", "GET"], shown("Method", widget="segmented")] = "POST"
    headers: Annotated[dict[str, str], shown("Headers", "no secrets here", widget="json", default_factory=dict)]
    body: Annotated[Any, shown("Body", "any JSON value", widget="json")] = None
    secret: Annotated[str | None, shown("Signing secret", "the name of a secret of the tenant", advanced=True)] = None
    max_attempts: Annotated[int | None, shown("Attempts", "before it is a dead letter", advanced=True, ge=1, le=50)] = (
        None
    )

    @field_validator("url")
    @classmethod
    def _is_a_web_address(cls, value: str) -> str:
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("not an address that begins with http:// or https://")
        if parts.username or parts.password:
            raise ValueError("holds a user name; name a secret instead")
        return value


class Message(Given):
    """A message to people."""

    users: Annotated[list[str], shown("To people", "by name", default_factory=list, max_length=50)]
    roles: Annotated[list[str], shown("To roles", "everybody who has one", default_factory=list, max_length=50)]
    managers_of: Annotated[
        list[str], shown("To managers of", "people, by name", advanced=True, default_factory=list, max_length=50)
    ]
    subject: Annotated[str, shown("Subject", widget="expression", min_length=1, max_length=500)]
    body: Annotated[str, shown("Text", widget="expression", max_length=10_000)] = ""
    channel: Annotated[
        str,
        shown("Channel", "in_app, email, or one of the application's", suggestions="effects.channels", max_length=63),
    ] = "in_app"

    @model_validator(mode="after")
    def _is_to_somebody(self) -> Message:
        if not (self.users or self.roles or self.managers_of):
            raise ValueError("it is to nobody: name users, roles or managers_of")
        return self


class Queued(BaseModel):
    """The effect that a worker sends."""

    effect_id: UUID


def register_effects(
    registry: ActionRegistry, channels: Callable[[], Sequence[str]], *, max_attempts: int, sealing: Sealing = IN_CLEAR
) -> None:
    """Register the actions of effects; `channels` tells through which a message can go, now."""

    async def request(call: Call, wanted: Request) -> Any:
        """Send an HTTP request after this transaction is committed; it is tried again until it arrives."""
        given = plain(wanted)
        if wanted.secret is not None:
            await check_secret_use(call.tx, wanted.secret, wanted.url)
        return await _enqueue(call, "webhook", given, given["max_attempts"] or max_attempts, sealing)

    async def notify(call: Call, wanted: Message) -> Any:
        """Send people a message after this transaction is committed."""
        known = channels()
        if wanted.channel not in known:
            raise InvalidInput(
                f"there is no channel {wanted.channel!r}; there are {', '.join(known)}",
                hint=f"register yours with @app.effect({wanted.channel!r}), in the application of HOLDFAST_APP",
                field="channel",
            )
        to = [
            *({"kind": "user", "user": name} for name in wanted.users),
            *({"kind": "role", "role": name} for name in wanted.roles),
            *({"kind": "manager", "of": name} for name in wanted.managers_of),
        ]
        payload = {"to": to, "subject": wanted.subject, "body": wanted.body}
        return await _enqueue(call, wanted.channel, payload, max_attempts, sealing)

    async def offered(_: TenantTx, __: str | None, prefix: str) -> Sequence[str]:
        return [name for name in channels() if name.startswith(prefix)]

    registry.suggests("effects.channels", in_use=offered, permission="effects:write")
    registry.add(
        "http.request",
        request,
        input=Request,
        output=Queued,
        permission="effects:write",
        label="Send an HTTP request",
        group="Messages",
    )
    registry.add(
        "notify", notify, input=Message, output=Queued, permission="effects:write", label="Notify", group="Messages"
    )


async def _enqueue(
    call: Call, kind: str, payload: dict[str, Any], max_attempts: int, sealing: Sealing
) -> dict[str, Any]:
    """Write the effect. It needs no receipt of its own: an action that is done once writes it once."""
    tx: TenantTx = call.tx
    made = uuid7()
    await tx.run(
        _SQL["enqueue_called_effect"],
        id=made,
        instance=call.instance_id or call.run_id or call.id,
        step=_step(call),
        step_key=f"action:{call.id}",
        node=f"action:{call.action}",
        kind=kind,
        payload=stored_payload(sealing, tx.tenant.id, encode_canonical("input", payload, limit=_LIMIT)),
        key=effect_key(str(call.id), kind, payload),
        max_attempts=max_attempts,
        actor=str(tx.actor),
    )
    await tx.run(_SQL["tell_effects"])
    return {"effect_id": made}


def _step(call: Call) -> UUID:
    try:
        return UUID(call.step) if call.step else call.id
    except ValueError:
        return call.id
