"""The console's files are sent compressed and kept; one that is not there is said to be missing."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from holdfast.http.console import add_console

SCRIPT = "console.log('hello');\n" * 500


@pytest.fixture
def client(tmp_path: Path) -> TestClient:
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>holdfast</title>" + " " * 2000)
    (tmp_path / "assets" / "index-abc.js").write_text(SCRIPT)
    (tmp_path / "assets" / "font-abc.woff2").write_bytes(b"\0" * 3000)
    server = FastAPI()
    add_console(server, tmp_path)
    return TestClient(server)


def test_texts_are_compressed_for_whoever_takes_it(client: TestClient) -> None:
    plain = client.get("/assets/index-abc.js", headers={"Accept-Encoding": "identity"})
    small = client.get("/assets/index-abc.js", headers={"Accept-Encoding": "br, gzip"})
    assert plain.text == small.text == SCRIPT
    assert "content-encoding" not in plain.headers
    assert small.headers["content-encoding"] == "gzip"
    assert int(small.headers["content-length"]) == len(gzip.compress(SCRIPT.encode(), 9, mtime=0))
    for answer in (plain, small):
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert "javascript" in answer.headers["content-type"]
    assert client.head("/assets/index-abc.js").status_code == 200
    assert "content-encoding" not in client.get("/assets/font-abc.woff2").headers


def test_a_file_that_was_renewed_is_sent_anew(client: TestClient, tmp_path: Path) -> None:
    assert "holdfast" in client.get("/").text
    (tmp_path / "index.html").write_text("<!doctype html><title>renewed</title>")
    assert "renewed" in client.get("/").text
    assert client.get("/").headers["cache-control"] == "no-cache"


def test_an_asset_that_is_not_there_is_404_and_a_page_is_the_console(client: TestClient) -> None:
    missing = client.get("/assets/index-old.js")
    assert (missing.status_code, missing.json()["code"]) == (404, "not_found")
    assert client.get("/assets/").status_code == 404
    assert client.get("/assets/../../secret").status_code in (200, 404)
    assert client.get("/t/acme/inbox").status_code == 200
    assert client.get("/v1/nothing").status_code == 404
