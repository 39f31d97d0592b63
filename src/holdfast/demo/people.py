"""Who works at the demo's company, and being one of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from holdfast.app import Holdfast
from holdfast.kernel.actor import Actor

__all__ = ["ADMIN", "PEOPLE", "ROLES", "ROLE_PERMISSIONS", "TENANT", "Person", "sign_in", "switch"]

TENANT: Final = "northwind"
ADMIN: Final = "ana"
_SIGN_IN: Final = "sign-in printed by holdfast up"
_SWITCHER: Final = Actor.system("demo-switch")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody of the demo. Those with a title are who one can be in it."""

    name: str
    display_name: str
    email: str | None
    roles: tuple[str, ...]
    title: str = ""
    kind: Literal["user", "service"] = "user"


PEOPLE: Final = (
    Person(ADMIN, "Ana Duarte", "ana@northwind.example", ("admin",), "Administrator"),
    Person("chloe", "Chloé Martin", "chloe@northwind.example", ("author",), "Requester"),
    Person("ben", "Ben Okafor", "ben@northwind.example", ("approver", "finance"), "Finance manager"),
    Person("cora", "Cora Haddad", "cora@northwind.example", ("approver", "cfo", "finance"), "CFO"),
    Person("mira", "Mira Halloran", "mira@northwind.example", ("approver", "finance"), "Accountant"),
    Person("paulo", "Paulo Reis", "paulo@northwind.example", ("author",)),
    Person("henrik", "Henrik Dahl", "henrik@northwind.example", ("approver", "head_of_sales")),
    Person("otto", "Otto Lindqvist", "otto@northwind.example", ("operator",), "Operator"),
    Person("vera", "Vera Novák", "vera@northwind.example", ("viewer",), "Viewer"),
    Person("erp-sync", "ERP synchronisation", None, ("author",), kind="service"),
)
ROLES: Final = {
    "finance": "Sees and approves whatever has an amount",
    "head_of_sales": "Approves travel that is expensive",
    "cfo": "Approves what is too large for finance alone",
}
ROLE_PERMISSIONS: Final = ("audit:read", "documents:read", "documents:write", "processes:approve", "processes:read")


async def sign_in(app: Holdfast, *, ends_others: bool = True) -> str:
    """A fresh credential for the demo's administrator; the ones printed earlier end, unless they are still in use."""
    async with app.tenant(TENANT) as hold:
        for token in await hold.tokens.list(user=ADMIN) if ends_others else ():
            if token.name == _SIGN_IN and token.revoked_at is None:
                await hold.tokens.revoke(token.token_id)
        return (await hold.tokens.create(ADMIN, _SIGN_IN, lifetime=timedelta(hours=12))).secret


async def switch(app: Holdfast, actor: Actor, user: str) -> str:
    """A credential to be somebody else of the demo, that ends with the one that was printed."""
    assert actor.token is not None
    async with app.tenant(TENANT, actor=_SWITCHER) as hold:
        own = next(token for token in await hold.tokens.list() if token.token_id == actor.token.id)
        # Always of the printed one: switching for long does not make a long chain.
        first = own.parent_id if own.created_by == str(_SWITCHER) and own.parent_id else own.token_id
        name = f"switched to by {actor.name} in the demo"
        return (await hold.tokens.create(user, name, lifetime=timedelta(hours=12), ends_with=first)).secret
