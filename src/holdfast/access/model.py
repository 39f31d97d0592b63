"""Who may do what, as values: tenants, users, roles and tokens."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

__all__ = ["NewToken", "Role", "TenantInfo", "Token", "User"]


@dataclass(frozen=True, slots=True)
class Role:
    """A named set of permissions; `users` counts who has it, and who has one of `grantable_by` may grant it."""

    name: str
    permissions: list[str]
    description: str
    built_in: bool
    users: int
    grantable_by: list[str] = field(default_factory=lambda: ["admin"])


@dataclass(frozen=True, slots=True)
class TenantInfo:
    """A tenant as people see it."""

    tenant: UUID
    slug: str
    name: str
    settings: dict[str, Any]
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Token:
    """What is known of a token once its secret was shown. One made with another (`parent_id`) ends with it."""

    token_id: UUID
    user: str
    name: str
    scopes: list[str] | None
    created_at: datetime
    created_by: str
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None
    parent_id: UUID | None = None
    in_force: bool = True


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token just created, with the only copy of its secret."""

    token: Token
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class User:
    """Somebody who can act in the tenant: a person or, as a kind of its own, a program (`service`)."""

    user_id: UUID
    name: str
    kind: Literal["user", "service"]
    display_name: str
    email: str | None
    created_at: datetime
    deactivated_at: datetime | None
    roles: list[str]
    requested_roles: list[str] = field(default_factory=list)
    """Roles that one person has asked for; another has to grant them (four eyes)."""

    @property
    def active(self) -> bool:
        return self.deactivated_at is None
