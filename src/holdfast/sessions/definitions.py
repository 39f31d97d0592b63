"""The registry of graphs, `app.session_definitions`: which there are, for all tenants, managed by administrators.

A definition is checked before it is stored and by the database again. Each change makes a revision; revisions are kept,
and a session stays with the one it was started of.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, LiteralString

from psycopg.rows import dict_row
from psycopg.types.json import Jsonb

from holdfast.errors import AlreadyExists, Conflict, DefinitionError, NotFound
from holdfast.kernel.clock import Clock
from holdfast.kernel.json import dump
from holdfast.kernel.names import did_you_mean
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import Row
from holdfast.sessions.model import DefinitionVersion, SessionDefinition, Source
from holdfast.sessions.schemas import check_schema

__all__ = ["MEMBERS", "SCHEMA", "Definitions", "broken_definition", "check_spec", "no_definition"]

_SQL = queries("sessions")
_NAME = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?")
_IMAGE = re.compile(r"[a-zA-Z0-9._-]+(/[a-zA-Z0-9._-]+)*:[a-zA-Z0-9._-]+")
_VERSION = re.compile(r"v[0-9]+\.[0-9]+\.[0-9]+")
_POLICIES = ("reject", "enqueue", "interrupt")

SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["name", "displayName", "containerImage", "inputSchema"],
    "properties": {
        "name": {"type": "string", "maxLength": 63, "pattern": f"^{_NAME.pattern}$"},
        "displayName": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": ["string", "null"], "maxLength": 500},
        "containerImage": {"type": "string", "maxLength": 500, "pattern": f"^{_IMAGE.pattern}$"},
        "inputSchema": {"type": "object", "description": "a JSON Schema of what sessions are started with"},
        "version": {"type": ["string", "null"], "pattern": f"^{_VERSION.pattern}$"},
        "tags": {"type": ["array", "null"], "items": {"type": "string", "minLength": 1, "maxLength": 63}},
        "concurrentInput": {"enum": [*_POLICIES, None]},
        "timeoutSeconds": {"type": ["number", "null"], "exclusiveMinimum": 0, "maximum": 3660 * 86400},
    },
}
"""What a definition may be, for descriptions of the interface; `check_spec` says what is wrong with one."""
MEMBERS = tuple(SCHEMA["properties"])
"""The members of a definition, named as in the custom resource."""


class Definitions:
    """The definitions of the installation. The application must be open."""

    def __init__(self, database: Database, clock: Clock, allowed_registries: Sequence[str]) -> None:
        self._database = database
        self._clock = clock
        self._registries = tuple(allowed_registries)

    async def register(
        self, spec: Mapping[str, Any], *, source: Source = "registry", replace: bool = False
    ) -> SessionDefinition:
        """Add a definition. A name that exists is refused, unless `replace`: then it gets a new revision."""
        checked = check_spec(spec, self._registries, image_needed=source != "code")
        name = checked.pop("name")
        row = await self._row(
            _SQL["register_definition"], name=name, spec=Jsonb(checked, dumps=dump), source=source, replace=replace
        )
        if row is None or row["revision"] is None:
            raise AlreadyExists(
                f"there is already a definition {name!r}", hint="replace it, or choose another name", name=name
            )
        return await self.get(name)

    async def get(self, name: str) -> SessionDefinition:
        """One definition."""
        rows = await self._all(_SQL["definitions"], name=name, tag=None)
        if not rows:
            raise no_definition(
                name, [row["name"] for row in await self._all(_SQL["definitions"], name=None, tag=None)]
            )
        return SessionDefinition(**rows[0])

    async def versions(self, name: str) -> list[DefinitionVersion]:
        """Every revision there ever was."""
        return [DefinitionVersion(**row) for row in await self._all(_SQL["definition_versions"], name=name)]

    async def deprecate(self, name: str, reason: str | None = None) -> SessionDefinition:
        """Mark a definition as not recommended; sessions can still be started of it."""
        return await self._set_phase(name, "Deprecated", reason)

    async def activate(self, name: str) -> SessionDefinition:
        """Recommend it again."""
        return await self._set_phase(name, "Active", None)

    async def mark_broken(self, name: str, reason: str) -> SessionDefinition:
        """Its image cannot be pulled, or something else keeps its sessions from starting."""
        return await self._set_phase(name, "Error", reason)

    async def delete(self, name: str) -> None:
        """Remove a definition without active sessions; its revisions stay for the sessions that were."""
        row = await self._row(_SQL["delete_definition"], name=name)
        if row is None or not row["done"]:
            raise no_definition(name, [])

    async def _set_phase(self, name: str, phase: str, reason: str | None) -> SessionDefinition:
        row = await self._row(_SQL["set_definition_phase"], name=name, phase=phase, reason=reason)
        if row is None or not row["done"]:
            raise no_definition(name, [])
        return await self.get(name)

    async def _row(self, query: LiteralString, **values: Any) -> Row | None:
        rows = await self._all(query, **values)
        return rows[0] if rows else None

    async def _all(self, query: LiteralString, **values: Any) -> list[Row]:
        async with self._database.connection() as connection:
            cursor = connection.cursor(row_factory=dict_row)
            await cursor.execute(query, values | {"now": self._clock.now()})
            return await cursor.fetchall()

    async def list(self, *, tag: str | None = None) -> list[SessionDefinition]:
        """All definitions by name, or those with a tag."""
        return [SessionDefinition(**row) for row in await self._all(_SQL["definitions"], name=None, tag=tag)]


def no_definition(name: str, known: list[str]) -> NotFound:
    """The answer to a name nobody registered."""
    hint = did_you_mean(name, known) or "`holdfast session-definitions list` shows them"
    return NotFound(f"workflow not found: {name!r}", hint=hint, workflow=name)


def broken_definition(name: str) -> Conflict:
    """The answer to a name whose sessions cannot start."""
    return Conflict(f"the workflow {name!r} is in phase Error", hint="an administrator must register it again")


def check_spec(spec: Mapping[str, Any], registries: Sequence[str], *, image_needed: bool) -> dict[str, Any]:
    """The members that are given, each checked; `DefinitionError` names the first that is wrong."""
    for member in spec:
        if member not in MEMBERS:
            raise _wrong(member, f"there is no member {member!r}", did_you_mean(member, MEMBERS))
    found = {member: spec[member] for member in MEMBERS if spec.get(member) is not None}
    name = _text(found, "name", 63)
    if not _NAME.fullmatch(name):
        raise _wrong("name", f"name {name!r} is not valid", "use lower-case letters, digits and inner hyphens")
    _text(found, "displayName", 100)
    if found.get("description"):
        _text(found, "description", 500)
    if "containerImage" in found:
        _check_image(_text(found, "containerImage", 500), registries)
    elif image_needed:
        raise _wrong("containerImage", "containerImage is missing", "name the image that executes the graph")
    if "inputSchema" not in found:
        raise _wrong("inputSchema", "inputSchema is missing", 'give {"type": "object"} to accept any')
    check_schema("inputSchema", found["inputSchema"])
    if "version" in found and not _VERSION.fullmatch(_text(found, "version", 100)):
        raise _wrong("version", f"version {found['version']!r} is not valid", "write it as v1.2.3")
    tags = found.get("tags", [])
    if not isinstance(tags, list) or not all(isinstance(tag, str) and 1 <= len(tag) <= 63 for tag in tags):
        raise _wrong("tags", "tags are not a list of texts", "give texts of at most 63 characters")
    if found.get("concurrentInput", "reject") not in _POLICIES:
        raise _wrong("concurrentInput", "concurrentInput is unknown", f"use one of {', '.join(_POLICIES)}")
    timeout = found.get("timeoutSeconds", 1)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= 3660 * 86400:
        raise _wrong("timeoutSeconds", f"timeoutSeconds is {timeout!r}", "give seconds, at most ten years")
    return found


def _check_image(image: str, registries: Sequence[str]) -> None:
    if not _IMAGE.fullmatch(image):
        raise _wrong(
            "containerImage",
            f"containerImage {image!r} is not an image with a tag",
            "such as quay.io/acme/graph:v1.0.0",
        )
    if not any(image.startswith(f"{registry.rstrip('/')}/") for registry in registries):
        allowed = ", ".join(registries) or "none"
        raise _wrong(
            "containerImage",
            f"containerImage {image!r} is not from an allowed registry",
            f"allowed: {allowed}; HOLDFAST_ALLOWED_REGISTRIES sets them",
        )


def _text(found: Mapping[str, Any], member: str, maximum: int) -> str:
    value = found.get(member)
    if not isinstance(value, str) or not value.strip():
        raise _wrong(member, f"{member} is missing", "give it some text")
    if len(value) > maximum:
        raise _wrong(member, f"{member} has {len(value)} characters", f"the limit is {maximum}")
    if any(character == "\0" or 0xD800 <= ord(character) <= 0xDFFF for character in value):
        raise _wrong(member, f"{member} holds a character that cannot be stored", "remove it")
    return value


def _wrong(member: str, message: str, hint: str | None) -> DefinitionError:
    return DefinitionError(message, hint=hint, field=member)
