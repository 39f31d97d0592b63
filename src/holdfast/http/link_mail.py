"""Mails the links that sign people in: at once, in the background, a bounded number at a time.

They are no effects: those are stored until they are sent, and a link's secret is stored nowhere. What is not sent is
asked for again.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from typing import Final

import aiosmtplib

from holdfast.app import Holdfast
from holdfast.effects.mail import MailServer
from holdfast.errors import HoldfastError
from holdfast.kernel.actor import Actor

__all__ = ["LinkMail"]

_log = logging.getLogger(__name__)
_AT_ONCE: Final = 20
_SECONDS: Final = 30.0
_SUBJECTS: Final = {
    "en": "Sign in to {tenant}",
    "de": "Anmelden bei {tenant}",
    "es": "Iniciar sesión en {tenant}",
    "fr": "Se connecter à {tenant}",
    "it": "Accedi a {tenant}",
    "nl": "Aanmelden bij {tenant}",
    "pl": "Logowanie do {tenant}",
    "pt": "Entrar em {tenant}",
}
_TEXTS: Final = {
    "en": (
        "Open this address and confirm to sign in as {user}. It works once, for 15 minutes:",
        "If you did not ask for it, do nothing: without it, nobody gets in.",
    ),
    "de": (
        "Öffnen Sie diese Adresse und bestätigen Sie, um sich als {user} anzumelden. Sie gilt einmal und 15 Minuten:",
        "Wenn Sie nicht darum gebeten haben, tun Sie nichts: Ohne sie kommt niemand hinein.",
    ),
    "es": (
        "Abra esta dirección y confirme para iniciar sesión como {user}. Vale una sola vez, durante 15 minutos:",
        "Si no la ha pedido, no haga nada: sin ella no entra nadie.",
    ),
    "fr": (
        "Ouvrez cette adresse et confirmez pour vous connecter en tant que {user}. Elle vaut une fois, 15 minutes :",
        "Si vous ne l’avez pas demandée, ne faites rien : sans elle, personne n’entre.",
    ),
    "it": (
        "Apra questo indirizzo e confermi per accedere come {user}. Vale una volta sola, per 15 minuti:",
        "Se non l’ha chiesto, non faccia nulla: senza, non entra nessuno.",
    ),
    "nl": (
        "Open dit adres en bevestig om u aan te melden als {user}. Het werkt één keer, gedurende 15 minuten:",
        "Hebt u er niet om gevraagd, doe dan niets: zonder dit adres komt niemand binnen.",
    ),
    "pl": (
        "Proszę otworzyć ten adres i potwierdzić, aby zalogować się jako {user}. Działa raz, przez 15 minut:",
        "Kto o niego nie prosił, nie musi nic robić: bez niego nikt nie wejdzie.",
    ),
    "pt": (
        "Abra este endereço e confirme para entrar como {user}. Vale uma vez, durante 15 minutos:",
        "Se não o pediu, não faça nada: sem ele, ninguém entra.",
    ),
}
"""Before and after the address, in the languages of the console."""


class LinkMail:
    """How one server mails links."""

    def __init__(self, app: Holdfast, server: MailServer, sender: str, public_url: str) -> None:
        self._app = app
        self._server = server
        self._sender = sender
        self._public_url = public_url
        self._sending: set[asyncio.Task[None]] = set()

    @classmethod
    def of(cls, app: Holdfast) -> LinkMail | None:
        """That of an application; None when its settings lack what it takes."""
        known = app.settings
        if known.smtp_url is None or known.mail_from is None or known.public_url is None:
            return None
        return cls(app, MailServer.parse(known.smtp_url.get_secret_value()), known.mail_from, known.public_url)

    def send_later(self, tenant: str, address: str, language: str = "en") -> None:
        """Find out who it is and mail them a link, after the answer: how long it takes is nobody's to see."""
        if len(self._sending) >= _AT_ONCE:
            _log.warning("too many sign-in links are being mailed: one was not")
            return
        task = self._app.do_beside(self._send(tenant, address, language))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, tenant: str, to: str, language: str) -> None:
        try:
            async with self._app.tenant(tenant, actor=Actor.system("sign-in")) as hold:
                link = await hold.sign_ins.make_link(to)
                name = hold.tenant.name
            if link is None:
                return
            spoken = language if language in _TEXTS else "en"
            message = EmailMessage()
            message["From"], message["To"] = self._sender, link.address
            message["Subject"] = _SUBJECTS[spoken].format(tenant=name)
            message["Date"] = format_datetime(datetime.now(UTC))
            message["Message-ID"] = make_msgid(domain=self._sender.rpartition("@")[2].rstrip(">") or None)
            # In the fragment: no server on the way, and none that logs addresses, is told of it.
            address = f"{self._public_url}/#sign-in={link.secret}"
            before, after = _TEXTS[spoken]
            text = f"{before.format(user=link.user)}\n\n{address}\n\n{after}\n"
            message.set_content(text, cte="quoted-printable")
            known = self._server
            async with asyncio.timeout(_SECONDS):
                await aiosmtplib.send(
                    message,
                    hostname=known.host,
                    port=known.port,
                    username=known.user,
                    password=known.password,
                    use_tls=known.tls,
                    start_tls=known.starttls,
                )
        except HoldfastError as error:
            _log.info("a sign-in link was not made: %s", error.code)
        except (aiosmtplib.SMTPException, OSError, ValueError) as error:
            _log.warning("a sign-in link could not be mailed: %s", type(error).__name__)
