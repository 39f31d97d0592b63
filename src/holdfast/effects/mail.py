"""E-mail through the operator's SMTP server: one message for each person, none twice if it can be helped.

SMTP knows no idempotency key. Each message has a `Message-ID` made from the effect's key and the address, the same for
every attempt, and an attempt that reached only some of the people leaves their addresses as evidence, so that the next
one writes to the others alone.

What a server says of one address or one message (5xx) is for good. What it says of us, what it puts off (4xx), and a
server that does not answer, is tried again: an operator mends it, or time does.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from email.errors import HeaderDefect, HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Any, Final
from urllib.parse import unquote, urlsplit
from uuid import UUID

import aiosmtplib

from holdfast.effects.model import Delivery, Outgoing, Recipient, Undelivered

__all__ = ["FindAddresses", "Mail", "MailServer", "Recipient"]

_SECURITY: Final = {"smtp": (False, False, 25), "smtp+starttls": (False, True, 587), "smtps": (True, False, 465)}


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

    def __init__(self, find: FindAddresses, *, server: MailServer, sender: str, timeout: float = 30.0) -> None:
        self._find = find
        self._server = server
        self._sender = sender
        self._timeout = timeout

    async def send(self, effect: Outgoing) -> Delivery:
        """Hand one message for each person to the server."""
        people = await self._find(effect.tenant, effect.payload.get("to", ()))
        earlier = effect.earlier or {}
        accepted: dict[str, str] = dict(earlier.get("accepted", {}))
        # Who was refused for good is not asked for again, unless an operator replays it: then it begins anew.
        refused: dict[str, str] = dict(earlier.get("refused", {})) if effect.attempt > 1 else {}
        deferred: dict[str, str] = {}
        evidence: dict[str, Any] = {
            "accepted": accepted,
            "without_address": [each.name for each in people if each.address is None],
        }
        addresses = sorted({each.address for each in people if each.address is not None})
        if not addresses:
            raise Undelivered(
                "nobody_to_tell", "none of the people has an e-mail address", again=False, evidence=evidence
            )
        left = [each for each in addresses if each not in accepted and each not in refused]
        try:
            if left:
                async with asyncio.timeout(self._timeout):
                    await self._hand_in(effect, left, accepted, refused, deferred)
        except TimeoutError:
            raise Undelivered(
                "timed_out", f"the mail server took longer than {self._timeout:g} s", again=True, evidence=evidence
            ) from None
        except (aiosmtplib.SMTPException, OSError) as error:
            if refused:
                evidence["refused"] = refused
            code, message = _trouble(error, self._server)
            raise Undelivered(code, message, again=True, evidence=evidence) from None
        if refused:
            evidence["refused"] = refused
        if deferred:
            evidence["deferred"] = deferred
            message = f"{len(deferred)} of {len(addresses)} addresses were put off: {_first(deferred)}"
            raise Undelivered("mail_deferred", message, again=True, evidence=evidence)
        if refused:
            message = f"{len(refused)} of {len(addresses)} addresses were refused: {_first(refused)}"
            raise Undelivered("mail_refused", message, again=False, evidence=evidence)
        return Delivery(evidence)

    async def _hand_in(
        self,
        effect: Outgoing,
        addresses: Sequence[str],
        accepted: dict[str, str],
        refused: dict[str, str],
        deferred: dict[str, str],
    ) -> None:
        server = self._server
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
                    first = error.recipients[0]
                    (refused if first.code >= 500 else deferred)[address] = _said(first)
                except aiosmtplib.SMTPDataError as error:
                    (refused if error.code >= 500 else deferred)[address] = _said(error)
                except aiosmtplib.SMTPNotSupported as error:
                    refused[address] = _said(error)
                except (ValueError, HeaderParseError, HeaderDefect) as error:
                    refused[address] = f"it is no address: {' '.join(str(error).split())}"
                else:
                    accepted[address] = answer

    def _message(self, effect: Outgoing, address: str, mailbox: Address) -> EmailMessage:
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


def _trouble(error: Exception, server: MailServer) -> tuple[str, str]:
    """What is wrong with the server, or between it and us: nothing that another attempt could not find mended."""
    if not isinstance(error, aiosmtplib.SMTPResponseException | aiosmtplib.SMTPNotSupported):
        return "mail_unreachable", f"no mail server answers at {server.host}:{server.port}: {_said(error)}"
    if isinstance(error, aiosmtplib.SMTPResponseException) and error.code < 500:
        return "mail_deferred", f"the mail server says later: {_said(error)}"
    return "mail_not_allowed", f"the mail server takes no mail from us: {_said(error)}"


def _first(answers: Mapping[str, str]) -> str:
    address, answer = next(iter(answers.items()))
    return f"{address}, {answer}"


def _said(error: BaseException) -> str:
    """What the server said, without anything that we said to it."""
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return f"{error.code} {' '.join(str(error.message).split())}"
    return " ".join(str(error).split()) or type(error).__name__
