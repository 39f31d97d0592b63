"""Believable content for a first look: a small company with its people, roles, credentials and runs.

Seeding again adds only what is missing, so it can run at every start.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from holdfast.app import Holdfast
from holdfast.errors import AlreadyExists, NotFound
from holdfast.runs import Retry, Run

__all__ = ["ADMIN", "TENANT", "application", "seed", "sign_in"]

TENANT: Final = "northwind"
ADMIN: Final = "ana"
_SIGN_IN: Final = "sign-in printed by holdfast up"

_PEOPLE: Final = (
    (ADMIN, "Ana Duarte", "ana@northwind.example", "user", ("admin",)),
    ("ben", "Ben Okafor", "ben@northwind.example", "user", ("approver", "finance")),
    ("chloe", "Chloé Martin", "chloe@northwind.example", "user", ("author",)),
    ("otto", "Otto Lindqvist", "otto@northwind.example", "user", ("operator",)),
    ("vera", "Vera Novák", "vera@northwind.example", "user", ("viewer",)),
    ("erp-sync", "ERP synchronisation", None, "service", ("author",)),
)
_FINANCE: Final = ("audit:read", "documents:read", "documents:write", "processes:approve", "processes:read")


async def seed(app: Holdfast) -> None:
    """Create the demo tenant and whatever of its content is missing."""
    with suppress(AlreadyExists):
        await app.tenants.create(TENANT, name="Northwind Traders")
    async with app.tenant(TENANT) as hold:
        if "finance" not in {role.name for role in await hold.roles.list()}:
            await hold.roles.define("finance", _FINANCE, description="Sees and approves whatever has an amount")
        for name, display_name, email, kind, roles in _PEOPLE:
            try:
                await hold.users.get(name)
            except NotFound:
                await hold.users.create(
                    name,
                    display_name=display_name,
                    email=email,
                    kind="service" if kind == "service" else "user",
                    roles=roles,
                )
                if kind == "service":
                    await hold.tokens.create(name, "nightly import", scopes=["data:read", "data:write"])
    await _seed_runs(app)


def application() -> Holdfast:
    """The demo's application, with its handlers: what `holdfast up` runs as its worker."""
    app = Holdfast()

    @app.handler("demo.invoice_email.v1")
    async def send_invoice(run: Run, invoice: dict[str, Any]) -> dict[str, Any]:
        return {"sent_to": invoice["email"], "attempt": run.attempt}

    @app.handler("demo.bank_import.v1", retry=Retry(max_attempts=2, base=2))
    async def import_statement(run: Run, statement: dict[str, Any]) -> dict[str, Any]:
        if statement.get("broken"):
            raise ValueError(f"line {statement['broken']} of the statement has no amount")
        return {"lines": statement["lines"]}

    return app


async def _seed_runs(app: Holdfast) -> None:
    async with app.tenant(TENANT, actor=ADMIN) as hold:
        for number in range(1, 6):
            invoice = {"number": f"2026-{number:04}", "email": f"customer{number}@example.org"}
            await hold.runs.enqueue("demo.invoice_email.v1", invoice, key=f"demo-invoice-{number}")
        await hold.runs.enqueue("demo.bank_import.v1", {"lines": 212}, key="demo-statement-1", priority=5)
        await hold.runs.enqueue("demo.bank_import.v1", {"lines": 7, "broken": 3}, key="demo-statement-2")
        await hold.runs.enqueue("demo.bank_import.v1", {"lines": 90}, key="demo-statement-3", delay=timedelta(days=1))


async def sign_in(app: Holdfast) -> str:
    """A fresh credential for the demo's administrator; the ones printed earlier end."""
    async with app.tenant(TENANT) as hold:
        for token in await hold.tokens.list(user=ADMIN):
            if token.name == _SIGN_IN and token.revoked_at is None:
                await hold.tokens.revoke(token.token_id)
        return (await hold.tokens.create(ADMIN, _SIGN_IN, lifetime=timedelta(hours=12))).secret
