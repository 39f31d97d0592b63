"""Where outputs go that are too large for the database: a directory, or a bucket of an S3-compatible store.

A session keeps a reference, the SHA-256 and the size of such an output. Whoever reads it gets what was written, or an
error: the hash is checked before anything is given away. An object is announced to the database before it is written,
and a run deletes it when nothing names it any more; so neither a crash nor a rollback leaves one behind for good.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any, BinaryIO, Protocol
from urllib.parse import parse_qsl, urlsplit
from uuid import UUID

from holdfast.errors import OperationalError
from holdfast.kernel.bucket import Bucket
from holdfast.runs.model import Run
from holdfast.runs.signals import Fail, Snooze

__all__ = ["Discarding", "Outputs", "open_outputs"]

_CHUNK = 1 << 20
_WAIT_SECONDS = 300
"""How long an object that cannot be deleted here is left to a process that can."""


class Place(Protocol):
    """Something that keeps bytes under names."""

    async def put(self, name: str, data: bytes) -> None: ...

    def get(self, name: str) -> AsyncIterator[bytes]: ...

    async def delete(self, name: str) -> None:
        """Delete it, if it is there."""
        ...


class Outputs:
    """The outputs of one installation. `root` is where they are, without any secret."""

    def __init__(self, root: str, place: Place) -> None:
        self.root = root.rstrip("/")
        self._place = place

    def reference(self, tenant: UUID, session: UUID, run: UUID, epoch: int) -> str:
        """Where an attempt writes its output: each has a place of its own, so that none changes another's."""
        return f"{self.root}/{tenant}/{session}/{run}-{epoch}.json"

    def has(self, reference: str, *, of: UUID | None = None) -> bool:
        """Whether a reference leads here; to an output of one tenant, if one is named."""
        root = self.root if of is None else f"{self.root}/{of}"
        return reference.startswith(f"{root}/") and ".." not in reference

    async def put(self, reference: str, data: bytes) -> None:
        await self._place.put(self._name(reference), data)

    async def fetch(self, reference: str, hash: str, into: BinaryIO) -> None:  # noqa: A002 - it is the hash
        """Write an output into a file, from its beginning, and check it. On an error the file is to be thrown away."""
        found = hashlib.sha256()
        async for chunk in self._place.get(self._name(reference)):
            found.update(chunk)
            await asyncio.to_thread(into.write, chunk)
        if found.hexdigest() != hash:
            raise OperationalError(
                f"the output at {reference} is not what the session wrote",
                hint="it was changed or cut off there; restore it",
                reference=reference,
            )
        into.seek(0)

    async def delete(self, reference: str) -> None:
        await self._place.delete(self._name(reference))

    def _name(self, reference: str) -> str:
        if not self.has(reference):
            raise OperationalError(
                f"the output is at {reference}, which is not in {self.root}",
                hint="let HOLDFAST_SESSION_OUTPUTS name the place where it is",
                reference=reference,
            )
        return reference.removeprefix(f"{self.root}/")


class Discarding:
    """Deletes objects that nothing names any more: the handler of `session.discard.v1` runs."""

    def __init__(self, outputs: Callable[[], Outputs | None]) -> None:
        self._outputs = outputs

    async def discard(self, run: Run, payload: dict[str, Any]) -> None:
        """Delete it; a process that cannot reach where it is leaves it to another."""
        outputs = self._outputs()
        if outputs is None or not outputs.has(payload["object"]):
            raise Snooze(_WAIT_SECONDS, "HOLDFAST_SESSION_OUTPUTS does not name the place of this output")
        if not outputs.has(payload["object"], of=run.tenant):
            raise Fail(f"{payload['object']} is no output of this tenant")
        await outputs.delete(payload["object"])


def open_outputs(where: str | None, key: str | None) -> Outputs | None:
    """What `HOLDFAST_SESSION_OUTPUTS` names; None when it is not set. Nothing is reached yet."""
    if where is None:
        return None
    parts = urlsplit(where)
    if parts.scheme == "s3":
        options = dict(parse_qsl(parts.query))
        root = f"s3://{parts.netloc}{parts.path}"
        return Outputs(root, Bucket(parts.netloc, parts.path, options, key, setting="HOLDFAST_SESSION_OUTPUTS"))
    directory = Path(parts.path if parts.scheme == "file" else where).absolute()
    return Outputs(directory.as_uri(), _Directory(directory))


class _Directory:
    """A directory, for one machine or on a shared disk."""

    def __init__(self, root: Path) -> None:
        self._root = root

    async def put(self, name: str, data: bytes) -> None:
        await asyncio.to_thread(self._refusing, self._write, self._root / name, data)

    async def get(self, name: str) -> AsyncIterator[bytes]:
        file = await asyncio.to_thread(self._refusing, (self._root / name).open, "rb")
        try:
            while chunk := await asyncio.to_thread(file.read, _CHUNK):
                yield chunk
        finally:
            file.close()

    async def delete(self, name: str) -> None:
        await asyncio.to_thread(self._refusing, self._remove, self._root / name)

    def _write(self, path: Path, data: bytes) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)

    def _remove(self, path: Path) -> None:
        for file in (path, path.with_suffix(".part")):
            file.unlink(missing_ok=True)
        for empty in (path.parent, path.parent.parent):
            try:
                empty.rmdir()
            except OSError:
                return

    def _refusing(self, work: Callable[..., Any], *given: Any) -> Any:
        try:
            return work(*given)
        except OSError as error:
            raise OperationalError(
                f"an output in {self._root} cannot be reached: {error.strerror or error}",
                hint="check HOLDFAST_SESSION_OUTPUTS, and that every server and worker has that directory",
            ) from error
