"""The server does what its OpenAPI description says: schemathesis asks every operation with data it makes up.

Whatever is sent, the answer has a status that the description names, the content type and the shape it gives for it,
and is never a failure of ours. A real server, one token of an administrator, the same examples each time.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from harness.served import serving
from holdfast import Holdfast

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
STREAMS = r"/live$|/data/watch$|/sessions/.*/events$"
"""They go on until somebody leaves; their tests read them."""
PARTS = [r"^/v1/[^/]+/[n-z]", r"^(?!/v1/[^/]+/[n-z])"]
"""Two, so that they can run beside each other; together they are every path."""
CONFIG = """
[parameters]
"path.tenant" = "acme"
namespace = "n"
"header.If-Match" = "*"
"header.Idempotency-Key" = ""
"""


@pytest.mark.parametrize("part", PARTS)
async def test_every_answer_is_one_that_the_description_has(
    app: Holdfast, holdfast_dsn: str, tmp_path: Path, part: str
) -> None:
    async with app.tenant("acme") as hold:
        token = (await hold.tokens.create("ana", "test")).secret
        await hold.data.set("n", "k", {"a": 1})
        await hold.runs.enqueue("demo.x.v1", {"a": 1})
    config, description = tmp_path / "schemathesis.toml", tmp_path / "openapi.json"
    config.write_text(CONFIG, encoding="utf-8")
    with serving(holdfast_dsn, {}, HOLDFAST_SIGN_IN_FAILURES="100000") as server:
        url = f"http://127.0.0.1:{server.port}"
        # Asked for here: schemathesis gives a server ten seconds to make it, which a busy machine may exceed.
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            description.write_bytes((await client.get("/openapi.json")).raise_for_status().content)
        command = (
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "--no-color"),
            *("run", str(description), "--url", url, "--header", f"Authorization: Bearer {token}"),
            *("--checks", CHECKS, "--phases", "fuzzing", "--max-examples", "3", "--seed", "1"),
            *("--exclude-path-regex", STREAMS, "--include-path-regex", part),
            *("--request-timeout", "30", "--suppress-health-check", "all", "--continue-on-failure", "--no-shrink"),
        )
        asked = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path
        )
        try:
            told, _ = await asyncio.wait_for(asked.communicate(), 200)
        finally:
            if asked.returncode is None:
                asked.kill()
    assert asked.returncode == 0, told.decode()[-20_000:]
