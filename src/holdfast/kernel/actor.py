"""Who acts, and what they may do.

A permission is `area:verb`. A role is a named set of permissions; the six built-in roles are defined here, in code, so
that a new release can give them a new permission; a tenant may add roles of its own. An `Actor` carries the permissions
it ended up with, so a check is a set look-up and needs no database.

An `Actor` is the one record of who acts: which person or program, through which token and who made that, on whose
behalf, since when. It is made at sign-in and carried along, through everything that follows later (`to_json`). What is
done later is done with the rights they had then and still have (`limited_to_then`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal
from uuid import UUID

from holdfast.errors import Forbidden, InvalidInput
from holdfast.kernel.json import dump
from holdfast.kernel.names import check_name, did_you_mean

__all__ = [
    "BUILT_IN_ROLES",
    "PERMISSIONS",
    "SYSTEM",
    "Actor",
    "UsedToken",
    "check_permissions",
    "declare_permission",
    "is_application_permission",
    "is_permission",
    "known_permissions",
]

PERMISSIONS: Final[Mapping[str, str]] = {
    "tenant:read": "see the tenant's name and settings",
    "tenant:write": "change the tenant's name and settings",
    "users:read": "see users and roles",
    "users:write": "add, change and deactivate users; define roles; grant those that one may grant",
    "tokens:own": "make, see and end API tokens of one's own",
    "tokens:read": "see the API tokens of every user",
    "tokens:write": "make API tokens for service accounts; end those of every user",
    "audit:read": "read the audit trail and verify it",
    "runs:read": "see runs, their steps and events",
    "runs:write": "enqueue runs and cancel one's own",
    "runs:operate": "retry, cancel, delete and pause runs",
    "schedules:read": "see schedules",
    "schedules:write": "create, change and pause schedules",
    "outbox:read": "see outbox events",
    "outbox:write": "publish outbox events",
    "outbox:operate": "replay and skip outbox events",
    "effects:read": "see effects",
    "effects:write": "send webhooks and messages",
    "effects:operate": "replay effects",
    "secrets:read": "see the names of secrets and the hosts they are for",
    "secrets:write": "set and delete secrets",
    "data:read": "read keys and links",
    "data:write": "write keys and links",
    "data:operate": "give namespaces schemas and quotas, import data",
    "documents:read": "read documents and their versions",
    "documents:write": "create, change and amend documents",
    "processes:read": "see definitions, instances and steps",
    "processes:start": "start process instances",
    "processes:approve": "decide approvals and complete tasks",
    "processes:remark": "add remarks to what happened to instances",
    "processes:design": "write definitions and propose them",
    "processes:publish": "publish definitions; change approval chains, rules and triggers",
    "processes:run_as_system": "publish definitions with steps that run as the system, whatever anybody may do",
    "processes:operate": "pause, resume, cancel, repair and migrate instances, replay events of the engine inbox",
    "sessions:read": "see sessions and their messages",
    "sessions:write": "start sessions, answer prompts, cancel",
    "sessions:operate": "edit state, fork and delete sessions",
    "actions:call": "call actions (each also needs its own permission)",
}
"""Every permission there is, with what it allows."""

_READ: Final = frozenset(name for name in PERMISSIONS if name.endswith(":read"))
_VIEW: Final = (_READ - {"tokens:read", "audit:read", "secrets:read"}) | {"tokens:own"}
_AUTHOR: Final = _VIEW | {
    "secrets:read",
    "runs:write",
    "schedules:write",
    "outbox:write",
    "effects:write",
    "data:write",
    "documents:write",
    "processes:start",
    "processes:remark",
    "sessions:write",
    "actions:call",
}
# Whoever designs decides how it is decided on what others make, and makes nothing that is decided on.
_DESIGN: Final = _VIEW | {"secrets:read", "processes:design", "processes:publish"}
# Approvers read what they made and are asked about, and what else is made from documents as little as those.
_ASKED: Final = _VIEW - {"documents:read", "runs:read", "effects:read", "outbox:read"}
_APPROVE: Final = _ASKED | {
    "documents:write",
    "processes:start",
    "processes:approve",
    "processes:remark",
    "sessions:write",
}
_OPERATE: Final = (
    _READ
    | {"tokens:own"}
    | {name for name in PERMISSIONS if name.endswith(":operate")}
    | {"runs:write", "schedules:write", "outbox:write", "effects:write", "data:write", "sessions:write"}
    | {"actions:call", "processes:remark"}
)

BUILT_IN_ROLES: Final[Mapping[str, frozenset[str]]] = {
    "viewer": _VIEW,
    "author": _AUTHOR,
    "designer": _DESIGN,
    "approver": _APPROVE,
    "operator": _OPERATE,
    "admin": frozenset(PERMISSIONS),
}
"""The roles every tenant has. Their permissions live here, not in the database."""


@dataclass(frozen=True, slots=True)
class UsedToken:
    """The API token through which somebody acts: which one, who made it, what it carries (None: all its user may)."""

    id: UUID
    made_by: str
    scopes: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody, or something, acting in one tenant.

    For example:

        async with app.tenant("acme", actor="ana") as hold:
            ana: Actor = hold.actor
    """

    kind: Literal["user", "service", "system"]
    name: str
    roles: frozenset[str] = frozenset()
    permissions: frozenset[str] = field(default=frozenset(), repr=False)
    token: UsedToken | None = None
    on_behalf_of: str | None = None
    """For whom, when it is not for themselves: whom a decision stands in for, or who started what goes on by itself."""
    since: datetime | None = None
    """When they signed in."""

    @classmethod
    def system(cls, name: str = "system") -> Actor:
        """Trusted code acting on its own behalf, with every permission; the name is what the audit trail shows."""
        return cls("system", check_name("actor", name), frozenset(), frozenset(PERMISSIONS))

    def may(self, permission: str) -> bool:
        """Whether the actor has a permission. Trusted code has those of applications, too."""
        return permission in self.permissions or (self.kind == "system" and is_application_permission(permission))

    def require(self, permission: str) -> None:
        """Raise `Forbidden` unless the actor has the permission."""
        if self.may(permission):
            return
        known = known_permissions()
        if permission not in known:
            raise InvalidInput(
                f"there is no permission {permission!r}",
                hint=did_you_mean(permission, known),
                field="permission",
            )
        raise Forbidden(
            f"{self} may not {known[permission]}",
            hint=f"ask an administrator for a role with the permission {permission}",
            permission=permission,
        )

    def require_giving(self, permission: str) -> None:
        """Raise `Forbidden` unless the actor may give a permission to others: one they have.

        What an application's permissions are for is not the administrator's business, but who holds them is.
        """
        if not ("admin" in self.roles and is_application_permission(permission)):
            self.require(permission)

    def limited_to(self, scopes: Iterable[str] | None) -> Actor:
        """The same actor through a credential that carries only some permissions; None leaves them all."""
        if scopes is None:
            return self
        return replace(self, permissions=self.permissions & frozenset(scopes))

    def limited_to_then(self, then: Actor) -> Actor:
        """As who acted then, with the rights that both have: those they had then, and still have now.

        `self` is who they are now. Trusted code has what it has; there is nobody whose rights could have changed.
        """
        if then.kind == "system":
            return then
        return replace(then, roles=self.roles & then.roles, permissions=self.permissions & then.permissions)

    @property
    def party(self) -> dict[str, Any] | None:
        """What the audit trail tells of who acts beside their name: the token, on whose behalf. None: nothing more."""
        told = {name: value for name, value in self.to_json().items() if name in ("token", "on_behalf_of", "since")}
        return told if self.token is not None or self.on_behalf_of is not None else None

    @property
    def carried(self) -> str | None:
        """As it is stored beside what goes on later; None for trusted code, of whom there is nothing to remember."""
        return None if self.kind == "system" and self.on_behalf_of is None else dump(self.to_json())

    def for_somebody(self, told: Mapping[str, Any] | None) -> Actor:
        """The same actor on behalf of who was carried along, unless it says for whom already."""
        if told is None or self.on_behalf_of is not None or (self.kind, self.name) == (told["kind"], told["name"]):
            return self
        return replace(self, on_behalf_of=f"{told['kind']}:{told['name']}")

    def to_json(self) -> dict[str, Any]:
        """To be carried along. Members that say nothing are left out."""
        told: dict[str, Any] = {"kind": self.kind, "name": self.name}
        if self.kind != "system":
            told |= {"roles": sorted(self.roles), "permissions": sorted(self.permissions)}
        if self.token is not None:
            told["token"] = {"id": str(self.token.id), "made_by": self.token.made_by}
            if self.token.scopes is not None:
                told["token"]["scopes"] = sorted(self.token.scopes)
        if self.on_behalf_of is not None:
            told["on_behalf_of"] = self.on_behalf_of
        if self.since is not None:
            told["since"] = self.since.isoformat().replace("+00:00", "Z")
        return told

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> Actor:
        """Who was carried along, with the rights they had then."""
        if told["kind"] == "system":
            return replace(cls.system(told["name"]), on_behalf_of=told.get("on_behalf_of"))
        token: Mapping[str, Any] | None = told.get("token")
        since: str | None = told.get("since")
        scopes = None if token is None else token.get("scopes")
        return cls(
            "service" if told["kind"] == "service" else "user",
            told["name"],
            frozenset(told.get("roles", ())),
            frozenset(told.get("permissions", ())),
            None
            if token is None
            else UsedToken(UUID(token["id"]), token["made_by"], None if scopes is None else frozenset(scopes)),
            told.get("on_behalf_of"),
            None if since is None else datetime.fromisoformat(since),
        )

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


SYSTEM: Final = Actor.system()
"""The default actor of Python code that names none."""


_DECLARED: dict[str, str] = {}
_APPLICATION: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+")


def declare_permission(name: str, allows: str) -> None:
    """Add a permission of the application's own, such as `invoice.post`; roles give it, and only roles."""
    if not _APPLICATION.fullmatch(name) or len(name) > 128:
        raise InvalidInput(
            f"{name!r} is not a name for a permission",
            hint="use dotted lower-case names, such as invoice.post",
            field="name",
        )
    _DECLARED[name] = allows


def is_application_permission(name: str) -> bool:
    """Whether a permission is an application's, known here or not: holdfast's own have a colon in their names."""
    return _APPLICATION.fullmatch(name) is not None


def is_permission(name: str) -> bool:
    """Whether a stored permission still means something: one of holdfast's, or any application's."""
    return name in PERMISSIONS or is_application_permission(name)


def known_permissions() -> dict[str, str]:
    """Every permission with what it allows: holdfast's own, and what the application of this program declared."""
    return {**PERMISSIONS, **_DECLARED}


def check_permissions(field_name: str, permissions: Iterable[str]) -> frozenset[str]:
    """The permissions as a set, or an error that names the first unknown one."""
    if isinstance(permissions, str):
        raise InvalidInput(f"{field_name} is one string", hint="give a list of permissions", field=field_name)
    wanted = frozenset(permissions)
    known = known_permissions()
    for permission in sorted(map(str, wanted)):
        if permission not in known:
            raise InvalidInput(
                f"{field_name} names the unknown permission {permission!r}",
                hint=did_you_mean(permission, known) or "see `holdfast permissions`",
                field=field_name,
            )
    return wanted
