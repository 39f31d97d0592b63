"""The files that make the schema, as they come with the code.

`migrations/` holds tables: numbered files, one a slice, applied in order and once. `functions/` holds what can be said
again: functions, views, and the triggers of a table (`on_‹table›.sql`), one definition a file, applied anew whenever
its text changes. So the true definition of anything is one file, and its history is git's.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import LiteralString

from holdfast.errors import MigrationError

__all__ = ["Migration", "Repeatable", "fingerprint", "migrations", "repeatables"]

_NUMBERED = re.compile(r"(?P<version>\d{4})_(?P<name>[a-z0-9_]+)\.sql")
_NO_TRANSACTION = "-- holdfast: no-transaction"


@dataclass(frozen=True, slots=True)
class Migration:
    """A numbered file."""

    version: int
    name: str
    sql: LiteralString
    checksum: str
    in_transaction: bool

    def __str__(self) -> str:
        return f"{self.version:04}_{self.name}"


@dataclass(frozen=True, slots=True)
class Repeatable:
    """A file of `functions/`: a function or view that has its name, or all triggers of the table that it names."""

    path: str
    """`‹slice›/‹name›`."""
    sql: LiteralString
    checksum: str

    def __str__(self) -> str:
        return self.path

    @property
    def slice(self) -> str:
        return self.path.partition("/")[0]

    @property
    def table(self) -> str | None:
        """The table whose triggers these are."""
        name = self.path.partition("/")[2]
        return name.removeprefix("on_") if name.startswith("on_") else None


@cache
def migrations() -> tuple[Migration, ...]:
    """The numbered files of this version of the code, in order."""
    found = []
    for entry in (files("holdfast.postgres") / "migrations").iterdir():
        match = _NUMBERED.fullmatch(entry.name)
        if match is None:
            continue
        text = entry.read_text(encoding="utf-8")
        in_transaction = not text.startswith(_NO_TRANSACTION)
        found.append(Migration(int(match["version"]), match["name"], text, _checksum(text), in_transaction))
    found.sort(key=lambda migration: migration.version)
    versions = [migration.version for migration in found]
    if versions != list(range(1, len(versions) + 1)):
        raise MigrationError(f"the migration files are not numbered without gaps: {versions}")
    return tuple(found)


@cache
def repeatables() -> tuple[Repeatable, ...]:
    """The files of `functions/` in the order in which they can be applied: triggers need their functions."""
    found = []
    for folder in (files("holdfast.postgres") / "functions").iterdir():
        if not folder.is_dir():
            continue
        for entry in folder.iterdir():
            if entry.name.endswith(".sql"):
                text = entry.read_text(encoding="utf-8")
                path = f"{folder.name}/{entry.name.removesuffix('.sql')}"
                found.append(Repeatable(path, text, _checksum(text)))
    return tuple(sorted(found, key=lambda file: (file.table is not None, file.path)))


def fingerprint(numbered: Iterable[Migration], repeated: Iterable[Repeatable]) -> str:
    """One name for a whole schema; the query `fingerprint` makes that of a database."""
    functions = sorted(repeated, key=lambda file: file.path)
    checksums = [*(file.checksum for file in numbered), *(file.checksum for file in functions)]
    return _checksum("".join(checksums))


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
