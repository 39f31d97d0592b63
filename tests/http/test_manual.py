"""Help is served by the product itself: every page, and every link between them leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi import FastAPI
from httpx import ASGITransport, AsyncClient

from holdfast.http.manual import add_manual

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ["guide", "decisions", *sorted(page.stem for page in DOCS.glob("*.md") if page.stem != "README")]


@pytest.fixture
def client() -> AsyncClient:
    server = FastAPI()
    add_manual(server)
    return AsyncClient(transport=ASGITransport(app=server), base_url="http://test")


@pytest.mark.parametrize("name", PAGES)
async def test_every_page_is_there_and_its_links_lead_to_pages(client: AsyncClient, name: str) -> None:
    answer = await client.get(f"/docs/{name}")
    assert answer.status_code == 200
    assert "<h1>" in answer.text
    assert "script-src" not in answer.headers["Content-Security-Policy"]
    for link in set(re.findall(r'(?:href|src)="/docs/([a-z][^"#]*)["#]', answer.text)):
        assert (await client.get(f"/docs/{link}")).status_code == 200, link


async def test_nothing_else_is_read_and_no_markup_of_a_page_is_kept(tmp_path: Path) -> None:
    (tmp_path / "odd.md").write_text("# Odd\n\n<script>alert(1)</script>\n")
    (tmp_path.parent / "secret.md").write_text("# Secret\n")
    server = FastAPI()
    add_manual(server, tmp_path)
    async with AsyncClient(transport=ASGITransport(app=server), base_url="http://test") as client:
        assert "<script" not in (await client.get("/docs/odd")).text
        for name in ("../secret", "%2e%2e/secret", "odd.md", "images/../odd.md", "nothing"):
            assert (await client.get(f"/docs/{name}")).status_code == 404, name
