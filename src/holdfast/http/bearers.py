"""Bearer tokens of the OpenID provider: who holds one is the person that the provider says.

Each is checked when it first comes, and the person admitted as at a sign-in; for an hour, or until it expires, it is
known by its hash, and then checked again: a key that the provider withdrew lets nobody in for longer. The person's
rights are those of now, each time: whoever is deactivated is out at once, token or not.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from hashlib import sha256
from typing import Final

from holdfast.app import Holdfast
from holdfast.errors import ActorNotFound, NotSignedIn, TenantNotFound
from holdfast.http.oidc import OpenIdProvider
from holdfast.kernel.actor import Actor

__all__ = ["OpenIdBearers"]

_MOST: Final = 10_000
_TRUST_SECONDS: Final = 3600.0


@dataclass(frozen=True, slots=True)
class _Bearer:
    tenant: str
    user: str
    since: datetime
    expires: float
    trusted_until: float


class OpenIdBearers:
    """What one server knows of them."""

    def __init__(self, app: Holdfast, provider: OpenIdProvider) -> None:
        self._app = app
        self._provider = provider
        self._known: OrderedDict[bytes, _Bearer] = OrderedDict()

    async def authenticate(self, token: str) -> tuple[str, Actor, float]:
        """The tenant, the actor and until when; raises `NotSignedIn`."""
        digest = sha256(token.encode()).digest()
        bearer = self._known.get(digest)
        if bearer is None or bearer.trusted_until <= time.time():
            admitted = await self._admit(token)
            bearer = admitted if bearer is None else replace(admitted, since=bearer.since)
            self._known[digest] = bearer
            if len(self._known) > _MOST:
                self._known.popitem(last=False)
        try:
            async with self._app.tenant(bearer.tenant, actor=bearer.user) as hold:
                return bearer.tenant, replace(hold.actor, since=bearer.since), bearer.expires
        except (ActorNotFound, TenantNotFound):
            raise NotSignedIn("the token's person may not act here any more") from None

    async def _admit(self, token: str) -> _Bearer:
        claims = await self._provider.claims_of_bearer(token)
        tenant, person = self._provider.person(claims)
        try:
            async with self._app.tenant(tenant, actor=Actor.system("sign-in")) as hold:
                user = await hold.sign_ins.admit(
                    person, managed=self._provider.managed_roles, create=self._app.settings.oidc_create_users
                )
        except TenantNotFound:
            raise NotSignedIn("the token is of no tenant that is here") from None
        expires = float(claims["exp"])
        return _Bearer(tenant, user, datetime.now(UTC), expires, min(expires, time.time() + _TRUST_SECONDS))
