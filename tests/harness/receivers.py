"""Receivers on loopback for tests of effects: an HTTP server that answers as told, an SMTP server that keeps mail."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Self

__all__ = ["CERTIFICATE", "HttpReceiver", "MailReceiver", "Received", "answer"]

CERTIFICATE = Path(__file__).with_name("localhost.pem")
"""A certificate for `localhost` that nobody signed but itself, with its key; good for tests only."""


@dataclass(frozen=True)
class Received:
    """One request as it came."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[[Received, asyncio.StreamWriter], Awaitable[None]]


async def answer(
    writer: asyncio.StreamWriter, status: int, body: bytes = b"{}", headers: dict[str, str] | None = None
) -> None:
    """Write one whole answer."""
    lines = [f"HTTP/1.1 {status} Told", f"content-length: {len(body)}", "content-type: application/json"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    await writer.drain()


class _Server:
    """A server on a free port of loopback that closes with everything it began."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0, ssl=self._tls)
        self.port = int(self._server.sockets[0].getsockname()[1])
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.transport.abort()
            self._tasks.discard(task)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        raise NotImplementedError


class HttpReceiver(_Server):
    """Keeps every request, and answers with what `answers` says: a status, or a function that writes."""

    def __init__(self, *answers: int | Answer, tls: ssl.SSLContext | None = None) -> None:
        super().__init__(tls)
        self.requests: list[Received] = []
        self._answers = list(answers) or [200]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        method, path, _ = head[0].split(" ", 2)
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:] if line)}
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        request = Received(method, path, headers, body)
        self.requests.append(request)
        # The last answer is given for ever.
        told = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(told, int):
            await answer(writer, told)
        else:
            await told(request, writer)


@dataclass
class Mailbox:
    """What one SMTP session handed in so far."""

    recipients: list[str] = field(default_factory=list)


class MailReceiver(_Server):
    """An SMTP server that keeps mail, refuses addresses it is told to refuse, and drops the line when told so."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[tuple[list[str], EmailMessage]] = []
        self.refused: set[str] = set()
        self.deferred: set[str] = set()
        self.answers: dict[str, str] = {}
        """What to say to a command, instead of what would be said; `HELLO` is the greeting."""
        self.drop_after: int | None = None

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async def say(line: str) -> None:
            writer.write(f"{line}\r\n".encode())
            await writer.drain()

        await say(self.answers.get("HELLO", "220 sink ready"))
        box = Mailbox()
        while line := (await reader.readline()).decode().strip():
            verb = line.upper()
            if (told := self.answers.get(verb[:4])) is not None:
                await say(told)
            elif verb.startswith(("EHLO", "HELO")):
                await say("250 sink")
            elif verb.startswith("MAIL FROM"):
                box = Mailbox()
                await say("250 ok")
            elif verb.startswith("RCPT TO"):
                address = line[line.index("<") + 1 : line.index(">")]
                if address in self.refused:
                    await say("550 no such mailbox")
                elif address in self.deferred:
                    await say("450 come again later")
                else:
                    box.recipients.append(address)
                    await say("250 ok")
            elif verb == "DATA":
                if self.drop_after is not None and len(self.messages) >= self.drop_after:
                    return
                await say("354 go on")
                raw = (await reader.readuntil(b"\r\n.\r\n"))[:-3]
                parsed = message_from_bytes(raw, policy=policy.default)
                assert isinstance(parsed, EmailMessage)
                self.messages.append((box.recipients, parsed))
                await say("250 kept")
            elif verb == "QUIT":
                await say("221 bye")
                return
            else:
                await say("250 ok")
