"""The demo: a company worth looking at, made once, and made anew when somebody asks for it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from holdfast import Holdfast, demo
from holdfast.errors import Conflict, InvalidInput
from holdfast.settings import Settings

pytestmark = pytest.mark.skipif(bool(os.environ.get("TEST_DSN")), reason="it is about the embedded server")


@pytest.fixture
def directory() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="holdfast-demo-"))
    path.chmod(0o711)
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
async def seeded(directory: Path) -> AsyncIterator[Holdfast]:
    async with Holdfast(data_dir=directory) as app:
        assert await demo.seed(app)
        yield app


async def test_it_is_a_company_with_weeks_of_work_behind_it_and_some_before_it(seeded: Holdfast) -> None:
    async with seeded.tenant(demo.TENANT, actor=demo.ADMIN) as hold:
        kinds = ("invoice", "purchase_order", "expense")
        documents = [each for kind in kinds for each in (await hold.documents.list(kind, limit=200)).items]
        assert len(documents) >= 40
        assert {each.doc_status for each in documents} == {"draft", "submitted", "active", "amended", "cancelled"}
        ages = [datetime.now(UTC) - each.created_at for each in documents]
        assert max(ages) > timedelta(days=35)
        assert min(ages) < timedelta(hours=5)
        requests = [
            request for document in documents for request in (await hold.approvals.list(document_id=document.id)).items
        ]
        statuses = Counter(request.status for request in requests)
        assert statuses["open"] >= 12
        assert statuses["voided"] >= 1
        stuck = [each.why for each in await hold.processes.repair.stuck()]
        assert "nobody who is asked can answer 'Expense EX-0007'" in stuck
        # Told with the times it is said to have had, and whole.
        assert not (await hold.audit.verify()).breaks
        assert await hold.data.get("sync-cursor", "erp") is not None
    waiting = {}
    for name in ("ben", "mira", "cora"):
        async with seeded.tenant(demo.TENANT, actor=name) as hold:
            waiting[name] = await hold.inbox.counts()
    assert all(counts.overdue >= 1 and counts.done >= 3 for counts in waiting.values())
    assert waiting["mira"].mine == 1
    assert waiting["mira"].delegated >= 1


async def test_made_again_it_is_left_as_people_left_it(seeded: Holdfast) -> None:
    async with seeded.tenant(demo.TENANT) as hold:
        before = (await hold.audit.verify()).events
    assert not await demo.seed(seeded)
    async with seeded.tenant(demo.TENANT) as hold:
        assert (await hold.audit.verify()).events == before


async def test_beside_others_nothing_has_another_time_than_now(directory: Path) -> None:
    began = datetime.now(UTC)
    async with Holdfast(data_dir=directory) as app:
        await app.tenants.create("acme")
        assert await demo.seed(app)
        async with app.tenant(demo.TENANT) as hold:
            found = (await hold.documents.list("invoice", limit=200)).items
    assert found
    assert all(document.created_at >= began - timedelta(seconds=5) for document in found)


async def test_a_reset_forgets_the_demo_and_never_anybody_else(directory: Path) -> None:
    settings = Settings.load(data_dir=directory)
    async with Holdfast(settings) as app:
        await app.tenants.create(demo.TENANT)
        await app.tenants.create("acme")
    with pytest.raises(Conflict, match="acme"):
        await demo.reset(settings)
    with pytest.raises(InvalidInput, match="of your own"):
        await demo.reset(Settings.load(dsn="postgresql://elsewhere/holdfast"))
    async with Holdfast(settings) as app:
        assert {tenant.slug for tenant in await app.tenants.list()} == {demo.TENANT, "acme"}


async def test_after_a_reset_it_is_made_anew(directory: Path) -> None:
    settings = Settings.load(data_dir=directory)
    async with Holdfast(settings) as app:
        await app.tenants.create(demo.TENANT)
    await demo.reset(settings)
    async with Holdfast(settings) as app:
        assert await app.tenants.list() == []
        assert await demo.seed(app)
