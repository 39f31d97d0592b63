"""Effects: what processes send to the outside. Written by steps, sent by workers, each kind by a sender of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, Protocol
from uuid import UUID

from holdfast.effects.api import Effects, NewEffect, enqueue, withdraw
from holdfast.effects.guard import Allowed
from holdfast.effects.in_app import InApp, Notification, Notifications
from holdfast.effects.mail import FindAddresses, Mail, MailServer
from holdfast.effects.model import (
    Closing,
    Delivery,
    EffectInfo,
    Outgoing,
    Recipient,
    Sender,
    Undelivered,
    check_kind,
)
from holdfast.effects.recipients import find_recipients, transaction_of
from holdfast.effects.secrets import SecretInfo, Secrets, check_secret_use, rewrap_secrets, secret_reader
from holdfast.effects.webhook import Webhooks
from holdfast.effects.worker import Confirm, EffectsWorker
from holdfast.envelope.tokens import Settled
from holdfast.errors import NotFound
from holdfast.kernel.clock import Clock
from holdfast.kernel.sealing import IN_CLEAR, Sealing
from holdfast.postgres.database import Database
from holdfast.postgres.tenant import TenantTx

if TYPE_CHECKING:
    from holdfast.kernel.keyring import Keyring

__all__ = [
    "Confirm",
    "Delivery",
    "EffectInfo",
    "Effects",
    "EffectsWorker",
    "NewEffect",
    "Notification",
    "Notifications",
    "Outgoing",
    "Recipient",
    "SecretInfo",
    "Secrets",
    "Sender",
    "SendingFunction",
    "Undelivered",
    "addressed",
    "check_kind",
    "check_secret_use",
    "confirming",
    "enqueue",
    "rewrap_secrets",
    "standard_senders",
    "withdraw",
]


class EnginePort(Protocol):
    """Whoever lets processes go on."""

    async def happen(self, tx: TenantTx, instance_id: UUID, happening: Settled, /) -> object: ...


class SendingFunction:
    """A function as the sender of a kind of the user's own."""

    def __init__(self, function: Callable[[Outgoing], Awaitable[Mapping[str, Any] | None]]) -> None:
        self._function = function

    async def send(self, effect: Outgoing) -> Delivery:
        """Call the function; what it returns is the evidence."""
        return Delivery(await self._function(effect) or {})


def confirming(engine: EnginePort) -> Confirm:
    """What a worker tells the engine: the step that waits for the effect ends with its evidence, or with `error`."""

    async def confirm(
        tx: TenantTx,
        effect: Outgoing,
        outcome: Literal["completed", "error"],
        evidence: Mapping[str, Any],
        error: Mapping[str, Any] | None,
    ) -> None:
        settled = Settled(effect.token_id, outcome, result=dict(evidence), error=error, key=effect.step_key)
        # Nobody waits any more when the instance is gone; what was sent was sent all the same.
        with contextlib.suppress(NotFound):
            await engine.happen(tx, effect.instance_id, settled)

    return confirm


def standard_senders(
    database: Database, clock: Clock, keyring: Callable[[], Keyring], sealing: Sealing = IN_CLEAR
) -> Mapping[str, Sender]:
    """A sender for each kind that the product sends itself and that is set up; all else is for applications to add."""
    settings = database.settings
    senders: dict[str, Sender] = {
        "webhook": Webhooks(
            secret_reader(database, keyring),
            allowed=Allowed.parse(settings.effects_allowed_networks),
            timeout=settings.effects_timeout,
            response_limit=settings.effects_response_limit,
        ),
        "in_app": InApp(database, clock, sealing),
    }
    if settings.smtp_url is not None and settings.mail_from is not None:
        senders["email"] = Mail(
            _finder(database, clock),
            server=MailServer.parse(settings.smtp_url.get_secret_value()),
            sender=settings.mail_from,
            timeout=settings.effects_timeout,
        )
    return senders


def addressed(senders: Mapping[str, Sender], database: Database, clock: Clock) -> Mapping[str, Sender]:
    """An application's own senders, each told whom it is to tell: the people behind users, roles and managers."""
    find = _finder(database, clock)
    return {kind: _Addressed(sender, find) for kind, sender in senders.items()}


class _Addressed:
    def __init__(self, sender: Sender, find: FindAddresses) -> None:
        self._sender = sender
        self._find = find

    async def send(self, effect: Outgoing) -> Delivery:
        if "to" not in effect.payload:
            return await self._sender.send(effect)
        people = await self._find(effect.tenant, effect.payload["to"])
        return await self._sender.send(replace(effect, people=tuple(people)))

    async def aclose(self) -> None:
        if isinstance(self._sender, Closing):
            await self._sender.aclose()


def _finder(database: Database, clock: Clock) -> FindAddresses:
    async def find(tenant: UUID, to: Sequence[Any]) -> list[Recipient]:
        async with transaction_of(database, tenant, clock) as tx:
            return await find_recipients(tx, to)

    return find
