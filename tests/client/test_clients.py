"""The clients against a running server: the same models and errors, with await and without, and in TypeScript."""

from __future__ import annotations

import asyncio
import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import httpx
import pytest

from data.serving import serving
from holdfast import Client, Holdfast, HoldfastError, InvalidInput, NotFound, NotSignedIn, RevisionMismatch, SyncClient
from holdfast.client import asynchronous, synchronous
from operate.crew import TYPE, ended, failed_runs, working

ROOT = Path(__file__).parent.parent.parent
TYPESCRIPT = ROOT / "clients" / "typescript"


async def test_a_program_elsewhere_does_what_hold_does(app: Holdfast) -> None:
    async with serving(app) as signed_in:
        url, token = str(signed_in.base_url).partition("/v1")[0], signed_in.headers["Authorization"].split()[1]
        async with Client(url, "acme", token=token) as client:
            assert (await client.me()).name == "ana"
            made = await client.runs.enqueue(TYPE, {"total": Decimal("0.10")}, key="order-7", max_attempts=1)
            again = await client.runs.enqueue(TYPE, {"total": Decimal("0.10")}, key="order-7", max_attempts=1)
            assert (made.created, again.created, again.id) == (True, False, made.id)
            found = await client.runs.get(made.id)
            assert (found.run.status, found.run.payload) == ("pending", {"total": Decimal("0.10")})
            assert [run.id async for run in client.runs.every(key="order-7", limit=1)] == [made.id]
            assert (await client.runs.cancel(made.id, reason="a test")).status == "cancelled"
            with pytest.raises(NotFound) as missing:
                await client.runs.get(client_id := made.id.__class__(int=1))
            assert missing.value.details["run"] == str(client_id)
            with pytest.raises(InvalidInput) as wrong:
                await client.runs.list(status="odd")
            assert wrong.value.details["http_status"] == 422
            first = await client.data.set("n", "a/b", {"deep": 1.5}, if_revision=0)
            assert (await client.data.get("n", "a/b")).value == {"deep": Decimal("1.5")}
            with pytest.raises(RevisionMismatch):
                await client.data.set("n", "a/b", 2, if_revision=0)
            await client.data.delete("n", "a/b", revision=first.revision)
            assert {each.queue for each in (await client.health()).queues} >= {"runs", "engine"}
            assert await client.request("GET", "/schedules") == {"items": [], "next_cursor": None}
        async with Client(url, "acme", token="wrong") as nobody:
            with pytest.raises(NotSignedIn):
                await nobody.me()


async def test_operations_are_followed_from_elsewhere(app: Holdfast) -> None:
    await failed_runs(app, 3)
    async with serving(app) as signed_in:
        url, token = str(signed_in.base_url).partition("/v1")[0], signed_in.headers["Authorization"].split()[1]
        async with Client(url, "acme", token=token) as client:
            assert (await client.operations.count("runs.retry", {"type": TYPE})).count == 3
            made = await client.operations.start("runs.retry", {"type": TYPE})
            async with working(app):
                await ended(app, made.id)
            done = await client.operations.get(made.id)
            assert (done.status, done.succeeded) == ("completed", 3)
            assert len((await client.operations.items(made.id)).items) == 3


async def test_the_same_without_an_event_loop(app: Holdfast) -> None:
    def work(url: str, token: str) -> None:
        with SyncClient(url, "acme", token=token) as client:
            made = client.runs.enqueue(TYPE, {"n": 1})
            assert client.runs.get(made.id).run.status == "pending"
            assert [run.id for run in client.runs.every(limit=1)] == [made.id]
            with pytest.raises(NotFound):
                client.data.get("n", "k")

    async with serving(app) as signed_in:
        url, token = str(signed_in.base_url).partition("/v1")[0], signed_in.headers["Authorization"].split()[1]
        await asyncio.to_thread(work, url, token)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (httpx.Response(307, headers={"Location": "https://elsewhere.test/"}), "https://elsewhere.test/"),
        (httpx.Response(200, html="<p>Sign in first</p>"), "check the address"),
        (httpx.Response(304), "check the address"),
        (httpx.Response(502, html="<p>Bad gateway</p>"), None),
    ],
)
async def test_what_answers_in_our_place_is_an_error_and_no_answer(answer: httpx.Response, hint: str | None) -> None:
    async with Client("http://a.test", "acme", token="x", transport=httpx.MockTransport(lambda _: answer)) as client:
        with pytest.raises(HoldfastError) as found:
            await client.me()
        assert found.value.details["http_status"] == answer.status_code
        assert hint is None or hint in str(found.value.hint)


def test_the_synchronous_client_is_made_from_the_other(tmp_path: Path) -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        formatted = importlib.import_module("sync_client").formatted
    finally:
        sys.path.pop(0)
    source = Path(asynchronous.__file__ or "").read_text()
    made = formatted(source, tmp_path / "synchronous.py")
    assert made == Path(synchronous.__file__ or "").read_text(), "run scripts/sync_client.py"


@pytest.mark.skipif(
    shutil.which("node") is None or not (TYPESCRIPT / "node_modules").exists(),
    reason="needs npm ci there",
)
async def test_the_typescript_client_does_it_too(app: Holdfast) -> None:
    async with serving(app) as signed_in:
        url, token = str(signed_in.base_url).partition("/v1")[0], signed_in.headers["Authorization"].split()[1]
        # Twice: who tries it on a server of theirs may well try it again.
        command = f"{TYPESCRIPT}/node_modules/.bin/tsc && node --test test/ && node --test test/"
        done = await asyncio.to_thread(
            subprocess.run,
            ["bash", "-c", command],
            cwd=TYPESCRIPT,
            env=os.environ | {"HOLDFAST_URL": url, "HOLDFAST_TOKEN": token},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr


PRELUDE = """
import { createHoldfast, data, every, Problem } from "holdfast-client";
declare const token: string;
declare const entry: { revision: number };
const path = { tenant: "acme" };
"""


@pytest.mark.skipif(
    shutil.which("node") is None or not (TYPESCRIPT / "node_modules").exists(),
    reason="needs npm ci there",
)
async def test_what_the_docs_show_in_typescript_has_the_types_that_it_needs(tmp_path: Path) -> None:
    shown = re.findall(r"```ts\n(.*?)```", (ROOT / "docs" / "clients.md").read_text(encoding="utf-8"), re.DOTALL)
    assert len(shown) >= 5
    client = 'const client = createHoldfast("https://holdfast.example", { token });'
    for number, text in enumerate(shown):
        imports = re.findall(r"^import .*lossless.*$", text, re.MULTILINE)
        body = re.sub(r"^import .*\n", "", text, flags=re.MULTILINE)
        prelude = "\n".join([*imports, PRELUDE, *([] if "const client" in body else [client])])
        (tmp_path / f"block{number}.ts").write_text(f"{prelude}\n{body}", encoding="utf-8")
    options = json.loads((TYPESCRIPT / "tsconfig.json").read_text(encoding="utf-8"))["compilerOptions"]
    del options["rootDir"], options["outDir"]
    packages = {"holdfast-client": "src/index.ts", "lossless-json": "node_modules/lossless-json/lib/types/index.d.ts"}
    options |= {"noEmit": True, "typeRoots": [str(TYPESCRIPT / "node_modules" / "@types")], "declaration": False}
    options |= {"paths": {name: [str(TYPESCRIPT / where)] for name, where in packages.items()}}
    (tmp_path / "tsconfig.json").write_text(json.dumps({"compilerOptions": options}), encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    command = [str(TYPESCRIPT / "node_modules" / ".bin" / "tsc"), "-p", str(tmp_path)]
    done = await asyncio.to_thread(subprocess.run, command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
