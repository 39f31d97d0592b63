"""E-mail through the operator's SMTP server: one message for each person, none twice if it can be helped.

SMTP knows no idempotency key. Each message has a `Message-ID` made from the effect's key and the address, the same for
every attempt, and an attempt that reached only some of the people leaves their addresses as evidence, so that the next
one writes to the others alone.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from email.errors import HeaderDefect, HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from uuid import UUID

import aiosmtplib

from holdfast.processes.effects.model import Delivery, Outgoing, Undelivered

__all__ = ["FindAddresses", "Mail", "MailServer", "Recipient"]

_SECURITY: Final = {"smtp": (False, False, 25), "smtp+starttls": (False, True, 587), "smtps": (True, False, 465)}


@dataclass(frozen=True, slots=True)
class Recipient:
    """Somebody who is to be told, and the address, if there is one."""

    name: str
    address: str | None


FindAddresses = Callable[[UUID, Sequence[Any]], Awaitable[list[Recipient]]]


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mail is handed in, and as whom. Never printed: it may hold a password."""

    host: str
    port: int
    user: str | None
    password: str | None
    tls: bool
    starttls: bool

    @classmethod
    def parse(cls, url: str) -> MailServer:
        """Read `smtp://host`, `smtp+starttls://user:password@host:587` or `smtps://…`; raises ValueError."""
        parts = urlsplit(url)
        if parts.scheme not in _SECURITY or not parts.hostname:
            raise ValueError("write it as smtp://host:25, smtp+starttls://user:password@host or smtps://…")
        tls, starttls, port = _SECURITY[parts.scheme]
        user = unquote(parts.username) if parts.username else None
        password = unquote(parts.password) if parts.password else None
        return cls(parts.hostname, parts.port or port, user, password, tls, starttls)

    def __repr__(self) -> str:
        return f"MailServer({self.host}:{self.port})"


class Mail:
    """Sends effects of the kind `email`."""

    def __init__(
        self, find: FindAddresses, *, server: MailServer | None, sender: str | None, timeout: float = 30.0
    ) -> None:
        self._find = find
        self._server = server
        self._sender = sender
        self._timeout = timeout

    async def send(self, effect: Outgoing) -> Delivery:
        """Hand one message for each person to the server."""
        if self._server is None or self._sender is None:
            raise Undelivered(
                "mail_not_set_up", "no mail server is set: HOLDFAST_SMTP_URL and HOLDFAST_MAIL_FROM", again=True
            )
        people = await self._find(effect.tenant, effect.payload.get("to", ()))
        accepted: dict[str, str] = dict((effect.earlier or {}).get("accepted", {}))
        evidence: dict[str, Any] = {
            "accepted": accepted,
            "without_address": [each.name for each in people if each.address is None],
        }
        addresses = sorted({each.address for each in people if each.address is not None})
        if not addresses:
            raise Undelivered(
                "nobody_to_tell", "none of the people has an e-mail address", again=False, evidence=evidence
            )
        refused: dict[str, str] = {}
        try:
            async with asyncio.timeout(self._timeout):
                await self._hand_in(effect, [each for each in addresses if each not in accepted], accepted, refused)
        except TimeoutError:
            raise Undelivered(
                "timed_out", f"the mail server took longer than {self._timeout:g} s", again=True, evidence=evidence
            ) from None
        except (aiosmtplib.SMTPException, OSError) as error:
            again = not isinstance(error, aiosmtplib.SMTPAuthenticationError) or error.code < 500
            raise Undelivered("mail_refused", _said(error), again=again, evidence=evidence) from None
        if refused:
            evidence["refused"] = refused
            raise Undelivered(
                "mail_refused",
                f"{len(refused)} of {len(addresses)} addresses were refused",
                again=True,
                evidence=evidence,
            )
        return Delivery(evidence)

    async def _hand_in(
        self, effect: Outgoing, addresses: Sequence[str], accepted: dict[str, str], refused: dict[str, str]
    ) -> None:
        server = self._server
        assert server is not None
        client = aiosmtplib.SMTP(
            hostname=server.host,
            port=server.port,
            username=server.user,
            password=server.password,
            use_tls=server.tls,
            start_tls=server.starttls,
            timeout=self._timeout,
        )
        async with client:
            for address in addresses:
                # What is wrong with one address, or what the server has against it, is no reason to leave out others.
                try:
                    mailbox = _mailbox(address)
                    message = self._message(effect, address, mailbox)
                    _, answer = await client.send_message(message, recipients=[mailbox.addr_spec])
                except aiosmtplib.SMTPRecipientsRefused as error:
                    refused[address] = _said(error.recipients[0])
                except (aiosmtplib.SMTPDataError, aiosmtplib.SMTPNotSupported) as error:
                    refused[address] = _said(error)
                except (ValueError, HeaderParseError, HeaderDefect) as error:
                    refused[address] = f"it is no address: {' '.join(str(error).split())}"
                else:
                    accepted[address] = answer

    def _message(self, effect: Outgoing, address: str, mailbox: Address) -> EmailMessage:
        assert self._sender is not None
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = mailbox
        message["Subject"] = " ".join(str(effect.payload.get("subject", "")).split())
        message["Date"] = format_datetime(effect.now)
        mark = hashlib.sha256(f"{effect.key}\n{address}".encode()).hexdigest()[:40]
        domain = self._sender.rpartition("@")[2].rstrip("> ")
        message["Message-ID"] = f"<{mark}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"
        message["Idempotency-Key"] = effect.key
        message.set_content(str(effect.payload.get("body", "")))
        return message


def _mailbox(address: str) -> Address:
    """One mailbox, whatever the address looks like: `a,b@example.org` is not two. Raises for what is none.

    A domain in letters of its own is written as servers take it.
    """
    name, _, domain = address.rpartition("@")
    wanted = f"{name}@{domain if domain.isascii() else domain.encode('idna').decode()}"
    mailbox = Address(addr_spec=wanted)
    if mailbox.addr_spec != wanted:
        raise ValueError(f"it would be read as {mailbox.addr_spec}")
    return mailbox


def _said(error: BaseException) -> str:
    """What the server said, without anything that we said to it."""
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {' '.join(str(error.message).split())}"
    return " ".join(str(error).split()) or type(error).__name__
