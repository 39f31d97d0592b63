"""A relay to Postgres that resets a connection the way a server does that is killed: in the middle of what it says."""

from __future__ import annotations

import contextlib
import select
import socket
import struct
import tempfile
import threading
from pathlib import Path
from typing import Literal, Self

from psycopg.conninfo import conninfo_to_dict, make_conninfo

__all__ = ["ResettingRelay"]

_CRASH = b"S%b\0V%b\0C57P02\0Mterminating connection because of crash of another server process\0\0"
_LAST_WORDS = {
    "warning": (b"N", _CRASH % (b"WARNING", b"WARNING")),
    "error": (b"E", _CRASH % (b"FATAL", b"FATAL")),
}


class ResettingRelay:
    """Relays one connection. What is sent after `hold` stays unread, so that closing is a reset and no end."""

    def __init__(self, dsn: str, kind: Literal["unix", "tcp"]) -> None:
        self._known = conninfo_to_dict(dsn)
        self._directory = tempfile.TemporaryDirectory(prefix="holdfast-relay-")
        self._listener = socket.socket(socket.AF_UNIX if kind == "unix" else socket.AF_INET)
        if kind == "unix":
            where = {"host": self._directory.name, "port": "5432"}
            self._listener.bind(str(Path(self._directory.name) / ".s.PGSQL.5432"))
        else:
            self._listener.bind(("127.0.0.1", 0))
            where = {"host": "127.0.0.1", "port": str(self._listener.getsockname()[1])}
        self._listener.listen()
        self.dsn = make_conninfo(dsn, **where, sslmode="disable", gssencmode="disable")
        self._holding = threading.Event()
        self._client: socket.socket | None = None
        self._server = self._upstream()
        self._thread = threading.Thread(target=self._relay, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._holding.set()
        self._thread.join()
        for each in (self._listener, self._client, self._server):
            if each is not None:
                each.close()
        self._directory.cleanup()

    def hold(self) -> None:
        """Read nothing any more."""
        self._holding.set()
        self._thread.join()

    def reset(self, last_words: Literal["warning", "error"] = "warning") -> None:
        """Wait for something that nobody will read; then tell, as a dying server does, and reset the connection."""
        assert self._client is not None
        select.select([self._client], [], [], 10)
        kind, text = _LAST_WORDS[last_words]
        self._client.sendall(kind + struct.pack("!I", len(text) + 4) + text)
        self._client.close()

    def _upstream(self) -> socket.socket:
        host, port = str(self._known["host"]), int(self._known.get("port") or 5432)
        if not host.startswith("/"):
            return socket.create_connection((host, port))
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server

    def _relay(self) -> None:
        if not select.select([self._listener], [], [], 10)[0]:
            return
        self._client, _ = self._listener.accept()
        other = {self._client: self._server, self._server: self._client}
        with contextlib.suppress(OSError):
            while not self._holding.is_set():
                for ready in select.select(list(other), [], [], 0.02)[0]:
                    other[ready].sendall(ready.recv(65536))
