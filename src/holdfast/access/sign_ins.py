"""Signed-in browsers, `hold.sign_ins`: each has a secret of its own in a cookie, stored as SHA-256, and ends by itself.

A sign-in begins when an OpenID provider says who somebody is, or when they click a mailed link, which counts once and
for minutes. Its owner sees it and ends it, from anywhere. It ends with the person's access. To begin one is for trusted
code: the HTTP server, once it knows who is there.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from holdfast.access.actors import load_actor
from holdfast.access.token_form import digest_of, make_secret, tenant_in
from holdfast.access.users import Users
from holdfast.audit import record
from holdfast.errors import ActorNotFound, Conflict, Forbidden, InvalidInput, NotFound, NotSignedIn
from holdfast.kernel.ids import uuid7
from holdfast.kernel.names import check_name
from holdfast.postgres.queries import queries
from holdfast.postgres.tenant import TenantTx

__all__ = ["MailedLink", "Person", "SignIn", "SignIns"]

_SQL = queries("access")
_LINK_LIFETIME = timedelta(minutes=15)
_MOST_LINKS = 3
"""Links that somebody may have waiting in their post: a stranger who asks for more sends nothing."""


@dataclass(frozen=True, slots=True)
class SignIn:
    """A browser that is, or was, signed in."""

    sign_in_id: UUID
    user: str
    how: str
    origin: str | None
    created_at: datetime
    expires_at: datetime
    ended_at: datetime | None
    last_used_at: datetime | None
    in_force: bool


@dataclass(frozen=True, slots=True)
class Person:
    """Who somebody is to an OpenID provider, in our words. Roles are None when the provider does not say."""

    issuer: str
    subject: str
    name: str
    display_name: str | None = None
    email: str | None = None
    roles: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class MailedLink:
    """What is to be mailed, and to whom."""

    user: str
    address: str
    secret: str


class SignIns:
    """The signed-in browsers of one tenant."""

    def __init__(self, tx: TenantTx) -> None:
        self._tx = tx

    async def list(self, *, user: str | None = None) -> Sequence[SignIn]:
        """Sign-ins, newest first, those that are over too: one's own, or somebody's; `*` is everybody's."""
        wanted = user or self._tx.actor.name
        if wanted != self._tx.actor.name:
            self._tx.require("tokens:read")
        else:
            self._require_managing()
        return await self._read(None if wanted == "*" else wanted, None)

    async def end(self, sign_in_id: UUID) -> SignIn:
        """End a sign-in at once, one's own or somebody's. Ending it again changes nothing."""
        found = await self._find(sign_in_id)
        used = self._tx.actor.token
        if (self._tx.actor.kind, self._tx.actor.name) != ("user", found.user):
            self._tx.require("tokens:write")
        elif used is None or used.id != sign_in_id:
            self._require_managing()
        if await self._tx.run(_SQL["revoke_token"], token_id=sign_in_id):
            await record(self._tx, "access", sign_in_id, "sign_in.ended", {"user": found.user, "how": found.how})
        return await self._find(sign_in_id)

    # ------------------------------------------------------------------------------------------- for trusted code

    async def admit(self, person: Person, *, managed: Collection[str] = (), create: bool = False) -> str:
        """The user that somebody of an OpenID provider is; raises `NotSignedIn` when they are nobody here.

        Known by issuer and subject, which do not change. Who comes for the first time is the user of their name, unless
        somebody else came under that name before; or is added, with `create`. `managed` are the roles that the provider
        gives and takes.
        """
        self._require_trusted()
        users = Users(self._tx)
        known = await self._tx.row(_SQL["find_identity"], issuer=person.issuer, subject=person.subject)
        if known is None:
            name = await self._introduce(users, person, create=create)
        else:
            name = str(known["name"])
        await self._check_active(name)
        if person.roles is not None:
            await self._give(users, name, person.roles & set(managed), set(managed))
        return name

    async def begin(self, user: str, how: str, *, lifetime: timedelta, origin: str | None = None) -> str:
        """Sign somebody's browser in: the secret for its cookie."""
        self._require_trusted()
        await self._check_active(user)
        sign_in_id, secret = await self._add(user, "browser", how, lifetime, origin)
        await record(self._tx, "access", sign_in_id, "sign_in.began", {"user": user, "how": how})
        return secret

    async def make_link(self, address: str) -> MailedLink | None:
        """A link for the person with an e-mail address; None when there is none, or they have enough."""
        self._require_trusted()
        found = await self._tx.rows(_SQL["people_with_address"], email=address)
        if len(found) != 1:
            return None
        person = found[0]
        waiting = await self._tx.row(_SQL["open_links"], user_id=person["user_id"])
        if waiting is None or waiting["links"] >= _MOST_LINKS:
            return None
        _, secret = await self._add(person["name"], "link", "mail", _LINK_LIFETIME, None)
        return MailedLink(person["name"], person["email"], secret)

    async def use_link(self, secret: str) -> str:
        """Whose link it is; it counts once. Raises `NotSignedIn`."""
        self._require_trusted()
        row = None
        if tenant_in(secret) == self._tx.tenant.id:
            row = await self._tx.row(_SQL["use_link"], hash=digest_of(secret))
        if row is None:
            raise NotSignedIn("the link was used already, or has expired", hint="ask for another one")
        return str(row["name"])

    # ------------------------------------------------------------------------------------------------------ inside

    async def _introduce(self, users: Users, person: Person, *, create: bool) -> str:
        try:
            name = check_name("name", person.name)
        except InvalidInput:
            raise _nobody(person.name) from None
        try:
            user = await users.get(name)
        except NotFound:
            if not create:
                raise _nobody(name) from None
            user = await users.create(name, display_name=person.display_name, email=person.email)
        if user.kind != "user":
            raise _nobody(name)
        values = {"issuer": person.issuer, "subject": person.subject, "user_id": user.user_id}
        if not await self._tx.run(_SQL["add_identity"], **values):
            raise NotSignedIn(
                f"somebody else of that provider is the user {name!r} already",
                hint="an administrator has to give you a name of your own",
            )
        await record(self._tx, "access", user.user_id, "user.introduced", {"name": name, "issuer": person.issuer})
        return name

    async def _give(self, users: Users, name: str, wanted: frozenset[str], managed: set[str]) -> None:
        held = set((await users.get(name)).roles)
        for role in sorted(wanted - held):
            await users.grant(name, role)
        for role in sorted((held & managed) - wanted):
            try:
                await users.revoke(name, role)
            except Conflict:
                continue  # The last administrator stays one, whatever a provider says.

    async def _check_active(self, name: str) -> None:
        try:
            await load_actor(self._tx, name)
        except ActorNotFound:
            raise _nobody(name) from None

    async def _add(
        self, user: str, kind: Literal["browser", "link"], how: str, lifetime: timedelta, origin: str | None
    ) -> tuple[UUID, str]:
        owner = await self._tx.row(_SQL["load_actor"], name=user)
        assert owner is not None
        token_id, secret = uuid7(), make_secret(self._tx.tenant.id)
        await self._tx.run(
            _SQL["begin_sign_in"],
            token_id=token_id,
            user_id=owner["user_id"],
            how=how,
            hash=digest_of(secret),
            created_by=str(self._tx.actor),
            lifetime=lifetime,
            kind=kind,
            origin=None if origin is None else origin[:300],
        )
        return token_id, secret

    async def _read(self, user: str | None, sign_in_id: UUID | None) -> Sequence[SignIn]:
        rows = await self._tx.rows(_SQL["list_sign_ins"], user=user, sign_in_id=sign_in_id)
        return [SignIn(**row) for row in rows]

    async def _find(self, sign_in_id: UUID) -> SignIn:
        for found in await self._read(None, sign_in_id):
            if found.user == self._tx.actor.name or self._tx.actor.may("tokens:read"):
                return found
        raise NotFound(f"there is no sign-in {sign_in_id}", hint="`holdfast sign-ins list` shows them")

    def _require_managing(self) -> None:
        """A token that does not carry the managing of tokens has nothing to do with its owner's browsers either."""
        used = self._tx.actor.token
        if used is not None and used.scopes is not None:
            self._tx.require("tokens:own")

    def _require_trusted(self) -> None:
        if self._tx.actor.kind != "system":
            raise Forbidden("only the server itself signs people in", hint="sign in at the console")


def _nobody(name: str) -> NotSignedIn:
    return NotSignedIn(f"{name!r} is nobody here", hint="an administrator has to add you, or let you in again")
