"""The secrets of a tenant: what webhooks are signed with. Written and replaced, never read back.

The database holds ciphertext alone, in an envelope of the installation's keyring. A secret is for the hosts that were
named when it was written; that list, the tenant and the name are part of what is authenticated, so that a row that is
copied, renamed or given other hosts does not open. Only a worker opens one, for the effect in its hands that names it,
and only for one of those hosts.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit
from uuid import UUID

from holdfast.audit import record
from holdfast.audit.reads import record_read
from holdfast.documents.usage import refuse_while_used
from holdfast.effects.model import Outgoing
from holdfast.errors import InvalidInput, NotFound
from holdfast.kernel.json import canonical_json
from holdfast.kernel.names import check_name
from holdfast.kernel.webhooks import signing_key
from holdfast.postgres.database import Database
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

if TYPE_CHECKING:
    from holdfast.kernel.keyring import Keyring

__all__ = [
    "SecretInfo",
    "Secrets",
    "SigningSecret",
    "check_secret_use",
    "normal_host",
    "rewrap_secrets",
    "secret_reader",
]

_SQL = queries("effects")
_MOST_HOSTS: Final = 50
_HOST: Final = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*")


@dataclass(frozen=True, slots=True)
class SecretInfo:
    """A secret by name, with the hosts it is for; nobody can read it back."""

    name: str
    hosts: list[str]
    key_id: str
    updated_at: datetime
    updated_by: str


@dataclass(frozen=True, slots=True)
class SigningSecret:
    """A secret in the hands of whoever signs with it."""

    name: str
    hosts: tuple[str, ...]
    key: bytes

    def __repr__(self) -> str:
        return f"SigningSecret({self.name!r})"


class Secrets:
    """The secrets of one tenant, `hold.secrets`."""

    def __init__(self, tx: TenantTx, keyring: Callable[[], Keyring]) -> None:
        self._tx = tx
        self._keyring = keyring

    async def set(self, name: str, secret: str, *, hosts: Sequence[str]) -> None:
        """Keep a secret that webhooks to some hosts are signed with, `whsec_…`. It can be replaced, never read."""
        self._tx.require("secrets:write")
        check_name("name", name)
        signing_key(secret)
        allowed = _checked_hosts(hosts)
        sealed = self._keyring().wrap(secret.encode(), _context(self._tx.tenant.id, name, allowed))
        await self._tx.run(
            _SQL["write_secret"],
            name=name,
            hosts=allowed,
            key_id=sealed.key_id,
            wrapped_key=sealed.wrapped_key,
            ciphertext=sealed.ciphertext,
            actor=str(self._tx.actor),
        )
        await record(self._tx, "access", self._tx.tenant.id, "secret.set", {"name": name, "hosts": allowed})
        await self._tx.run(_SQL["retry_waiting_effects"])

    async def list(self) -> Sequence[SecretInfo]:
        """The names of the tenant's secrets, and what they are for."""
        self._tx.require("secrets:read")
        await record_read(self._tx, self._tx.tenant.id, "secrets.listed")
        return [SecretInfo(**row) for row in await self._tx.rows(_SQL["list_secrets"])]

    async def delete(self, name: str, *, anyway: bool = False) -> None:
        """Forget a secret. Webhooks that name it wait until there is one again.

        While steps in force name it, `StillUsed` is raised, unless it shall be done `anyway`.
        """
        self._tx.require("secrets:write")
        if not anyway:
            await refuse_while_used(self._tx, "secret", name)
        if not await self._tx.run(_SQL["delete_secret"], name=name):
            raise NotFound(f"there is no secret {name!r}")
        await record(self._tx, "access", self._tx.tenant.id, "secret.deleted", {"name": name})


async def check_secret_use(tx: TenantTx, name: str, url: str) -> None:
    """Refuse a URL whose host the secret is not for. What cannot be known yet is checked when it is sent."""
    host = _host_of(url)
    row = await tx.row(_SQL["hosts_of_secret"], name=name)
    if host is not None and row is not None and host not in row["hosts"]:
        raise InvalidInput(
            f"the secret {name!r} is not for {host}",
            hint="it signs for the hosts that were named when it was set; whoever may write secrets can set it anew",
            field="secret",
        )


def secret_reader(database: Database, keyring: Callable[[], Keyring]) -> Callable[[Outgoing], Any]:
    """How a worker gets the secret that the effect in its hands names; None when there is none."""

    async def read(effect: Outgoing) -> SigningSecret | None:
        values = {"tenant": effect.tenant, "created_at": effect.created_at, "id": effect.id, "epoch": effect.epoch}
        async with database.connection() as connection:
            row = await (await connection.execute(_SQL["read_secret"], values)).fetchone()
        if row is None:
            return None
        name, hosts = row[0], tuple(row[1])
        plain = keyring().unwrap(_wrapped(row[2:]), _context(effect.tenant, name, hosts))
        return SigningSecret(name, hosts, signing_key(plain.decode()))

    return read


async def rewrap_secrets(database: Database, keyring: Keyring) -> int:
    """Put the secrets of all tenants under the current key; how many were under another.

    Each is moved by itself: what cannot be opened stops it, and what was moved before stays moved.
    """
    moved = 0
    async with database.connection() as connection:
        rows = await (
            await connection.execute(_SQL["secrets_under_other_keys"], {"key_id": keyring.current})
        ).fetchall()
        for tenant, name, hosts, *columns in rows:
            old = _wrapped(columns)
            new = keyring.rewrap(old, _context(tenant, name, hosts))
            values = {"tenant": tenant, "name": name, "was": old.wrapped_key, "key_id": new.key_id}
            values["wrapped_key"] = new.wrapped_key
            done = await (await connection.execute(_SQL["rewrap_secret"], values)).fetchone()
            moved += bool(done and done[0])
    return moved


def _wrapped(columns: Sequence[Any]) -> Any:
    from holdfast.kernel.keyring import Wrapped

    return Wrapped(columns[0], bytes(columns[1]), bytes(columns[2]))


def _context(tenant: UUID, name: str, hosts: Sequence[str]) -> str:
    return canonical_json(["secret", str(tenant), name, sorted(hosts)]).decode()


def _checked_hosts(hosts: Sequence[str]) -> list[str]:
    if isinstance(hosts, str) or not 1 <= len(hosts) <= _MOST_HOSTS:
        raise InvalidInput(
            "a secret needs the hosts it is for", hint=f'name 1 to {_MOST_HOSTS} hosts: ["erp.example"]', field="hosts"
        )
    found: set[str] = set()
    for given in hosts:
        host = normal_host(given) if isinstance(given, str) else ""
        if len(host) > 253 or not (_HOST.fullmatch(host) or _is_address(host)):
            raise InvalidInput(
                f"{given!r} is not the name of a host", hint="write it without scheme, port and path", field="hosts"
            )
        found.add(host)
    return sorted(found)


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def normal_host(host: str) -> str:
    """A host as it is compared: lower case, in ASCII, without the dot at the end."""
    host = host.lower().rstrip(".").removeprefix("[").removesuffix("]")
    try:
        return host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError:
        return ""


def _host_of(url: str) -> str | None:
    """The host of a URL, or of a template of one; None when it depends on what the template reads."""
    authority = re.split(r"[/?#]", url.partition("://")[2], maxsplit=1)[0]
    if "{" in authority or not authority or "{" in url.partition("://")[0]:
        return None
    try:
        return normal_host(urlsplit(f"https://{authority}").hostname or "")
    except ValueError:
        return None
