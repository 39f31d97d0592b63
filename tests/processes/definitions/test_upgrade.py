"""Upgrades: a worker of a newer version compiles anew what an older one published."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from holdfast.envelope import CURRENT_COMPILER_VERSION
from holdfast.errors import CompilerStale
from processes.shop import Shop, passing, ways

Superuser = psycopg.Connection[dict[str, Any]]


def compiled_by(superuser: Superuser, version: str) -> None:
    superuser.execute("ALTER TABLE holdfast.workflow_definitions DISABLE TRIGGER USER")
    superuser.execute(
        "UPDATE holdfast.workflow_definitions SET compiler_version = %s WHERE status = 'published'"
        " AND definition_kind = 'effective'",
        [version],
    )
    superuser.execute("ALTER TABLE holdfast.workflow_definitions ENABLE TRIGGER USER")


async def test_a_worker_that_starts_recompiles_what_an_older_compiler_made(shop: Shop, superuser: Superuser) -> None:
    await shop.publish(passing(edges=ways("in -> pass")))
    compiled_by(superuser, "0.9.12")
    shop.app.assembly.library.forget()
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.definitions.stale() == ["invoice"]
        with pytest.raises(CompilerStale):
            await hold.definitions.find("invoice")
    worker = shop.app.engine_worker()
    await worker.drain()
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.definitions.stale() == []
        made = await hold.definitions.find("invoice")
        assert made.compiler_version == CURRENT_COMPILER_VERSION
        listed = await hold.definitions.list(entity_type="invoice", kind="effective")
    document = await shop.invoice()
    await shop.submit(document)
    async with shop.app.tenant("acme") as hold:
        assert (await hold.documents.get(document.id)).doc_status == "active"
    await shop.app.engine_worker().drain()
    async with shop.app.tenant("acme", actor="ana") as hold:
        again = await hold.definitions.list(entity_type="invoice", kind="effective")
    assert len(again.items) == len(listed.items), "once is enough"


async def test_an_older_worker_leaves_alone_what_a_newer_compiler_made(shop: Shop, superuser: Superuser) -> None:
    await shop.publish(passing(edges=ways("in -> pass")))
    compiled_by(superuser, "99.10.0")
    shop.app.assembly.library.forget()
    await shop.app.engine_worker().drain()
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.definitions.stale() == ["invoice"]


async def test_what_cannot_be_compiled_here_stays_stale_and_keeps_no_other_from_it(
    shop: Shop, superuser: Superuser, caplog: pytest.LogCaptureFixture
) -> None:
    own = {
        "nodes": [{"id": "n", "type": "ask"}],
        "edges": ways("in -> n", "n -completed-> out"),
        "exit_edge_mode": "join",
    }
    await shop.automation("asking", own)
    await shop.publish(passing(edges=ways("in -> pass")))
    compiled_by(superuser, "0.1.0")
    shop.app.assembly.library.forget()
    shop.app.assembly.nodes._own.clear()
    await shop.app.engine_worker().drain()
    async with shop.app.tenant("acme", actor="ana") as hold:
        assert await hold.definitions.stale() == ["asking"]
    assert "asking of acme stays with its old compiler" in caplog.text
