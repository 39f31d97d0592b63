"""The server does what its OpenAPI description says: schemathesis asks every operation with data it makes up.

Whatever is sent, right or wrong, the answer has a status that the description names, the content type, the headers and
the shape it gives for it, and is never a failure of ours; what the description does not allow is refused. A real server
with a company's work in it, and most requests are for what is there, with the versions that it has: one that is refused
at the door shows little.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import httpx
import pytest
from psycopg import AsyncConnection

from harness.described import Addresses, schemathesis_settings
from harness.served import serving
from holdfast import Holdfast, demo
from holdfast.access.installation import InstallationTokens

CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_headers_conformance",
    "response_schema_conformance",
    "negative_data_rejection",
    "missing_required_header",
    "ignored_auth",
)
STREAMS = r"/live$|/data/watch$|/sessions/.*/events$"
"""They go on until somebody leaves; their tests read them."""
PARTS = {
    "a to m": r"^(?!/v1/[^/]+/[n-z])(?!/v1/installation)",
    "n to z": r"^/v1/\{tenant\}/(?!tokens|sign-ins|users|roles)[n-z]",
    # By itself: whoever asks may well be taken their own token.
    "people": r"^/v1/\{tenant\}/(tokens|sign-ins|users|roles)",
    "installation": r"^/v1/installation",
}
"""So that they can run beside each other; together they are every path."""
IMAGE = {"displayName": "Helper", "containerImage": "quay.io/acme/helper:v1.0.0", "inputSchema": {"type": "object"}}
EXAMPLES = int(os.environ.get("DESCRIPTION_EXAMPLES", "6"))
PHASES = os.environ.get("DESCRIPTION_PHASES", "fuzzing")
"""More is asked when somebody wants to wait for it: `DESCRIPTION_EXAMPLES=100 DESCRIPTION_PHASES=coverage,fuzzing`."""
COMMON: dict[str, list[Any]] = {
    "header.If-Match": ['"1"', '"2"', "*", "3", 'W/"1"'],
    "query.entity_type": ["invoice", "purchase_order"],
    "query.namespace": ["sync-cursor", "n"],
    "query.key": ["erp", "k"],
    "body.entity_type": ["invoice", "purchase_order"],
    "body.namespace": ["n"],
    "body.workflow_id": ["invoice"],
    "body.transition": ["submit", "cancel"],
    "body.entity_version": [1, 2],
    "body.delegate": ["mira"],
    "body.to": ["mira"],
    "body.type": ["demo.x.v1"],
    "body.cron": ["0 0 * * *"],
    "body.workflow": ["asks"],
    "path.source": ["users", "roles"],
}
CONFIG = """
[checks.missing_required_header]
expected-statuses = [401, 404, 422, 428]

"""
REACHED = {"a to m": 80, "n to z": 60, "people": 6, "installation": 10}
"""So many operations have done what they are for at least once."""


A, B = {"type": "a", "id": "1"}, {"type": "b", "id": "2"}
MORE: list[tuple[str, str, Any]] = [
    ("PUT", "data/entry?namespace=n&key=k", {"value": {"a": 1}}),
    ("PUT", "links", {"namespace": "n", "from": A, "to": B, "relation": "mirrors"}),
    ("PUT", "secrets/hook", {"secret": "whsec_" + "A" * 43 + "=", "hosts": ["hooks.test"]}),
    ("PUT", "inbox/views/mine", {"filters": {}}),
    ("PUT", "rules/never", {"entity_type": "invoice", "timing": "before", "effect": "note"}),
    ("PUT", "workflows/invoice/test-cases/empty", {"expect": {}, "document": {}}),
    ("POST", "delegations", {"delegator": "ben", "delegate": "cora", "ends_at": "2099-01-01T00:00:00Z"}),
    ("POST", "operations", {"kind": "runs.retry", "filter": {"prefix": "demo."}}),
    ("POST", "automations", {"name": "greet"}),
    ("POST", "definitions", {"entity_type": "expense"}),
    ("POST", "what-ifs", {"entity_type": "invoice", "patches": {}}),
    ("POST", "runs", {"type": "demo.x.v1"}),
    ("POST", "runs/pauses", {"prefix": "demo.paused."}),
    ("POST", "process-events", {"key": "unheard"}),
]
"""What the company of the demo lacks, so that there is one of most things."""


async def more(client: httpx.AsyncClient) -> None:
    for method, path, body in MORE:
        made = await client.request(method, f"/v1/{demo.TENANT}/{path}", json=body)
        assert made.is_success, (path, made.text)


async def a_session(app: Holdfast) -> None:
    """One that waits for a worker, where there are sessions at all."""
    graphs = pytest.importorskip("langgraph.graph")

    async def node(state: dict[str, Any]) -> dict[str, Any]:
        return state

    graph = graphs.StateGraph(dict)
    graph.add_node("node", node)
    graph.add_edge(graphs.START, "node")
    app.graph("asks", graph)
    async with app.tenant(demo.TENANT, actor=demo.ADMIN) as hold:
        await hold.sessions.start("asks", {"amount": 1}, name="s")


@pytest.mark.parametrize("part", PARTS)
async def test_every_answer_is_one_that_the_description_has(
    app: Holdfast, holdfast_dsn: str, tmp_path: Path, part: str
) -> None:
    assert await demo.seed(app)
    await a_session(app)
    async with app.tenant(demo.TENANT, actor=demo.ADMIN) as hold:
        await hold.outbox.publish("note.made", {"a": 1}, aggregate=("note", "1"))
    async with app.tenant(demo.TENANT) as hold:
        own = await hold.tokens.create(demo.ADMIN, "test")
        token, never = own.secret, frozenset({demo.ADMIN, str(own.token.token_id), "admin"})
    if part == "installation":
        async with await AsyncConnection.connect(holdfast_dsn, autocommit=True) as connection:
            token = (await InstallationTokens(connection).create("root", by="system:test")).secret
    config, told_at = tmp_path / "schemathesis.toml", tmp_path / "openapi.json"
    assert app.settings.keys is not None
    settings = dict.fromkeys(("RATE_TOKEN", "RATE_TENANT"), "0")
    settings |= dict.fromkeys(("SIGN_IN_FAILURES", "PROCESS_RATE"), "100000")
    settings |= {"KEYS": app.settings.keys.get_secret_value(), "ALLOWED_REGISTRIES": "quay.io/acme"}
    # Nobody is there to take the mail; whoever asks for it is answered all the same.
    settings |= {"SMTP_URL": "smtp://127.0.0.1:9", "MAIL_FROM": "us@hold.test", "PUBLIC_URL": "http://127.0.0.1"}
    with serving(holdfast_dsn, {}, **{f"HOLDFAST_{name}": value for name, value in settings.items()}) as server:
        url = f"http://127.0.0.1:{server.port}"
        # Asked for here: schemathesis gives a server ten seconds to make it, which a busy machine may exceed.
        async with httpx.AsyncClient(base_url=url, timeout=60) as client:
            told_at.write_bytes((await client.get("/openapi.json")).raise_for_status().content)
            client.headers["Authorization"] = f"Bearer {token}"
            if part == "installation":
                made = await client.post("/v1/installation/session-definitions", json={"name": "helper", **IMAGE})
                assert made.is_success, made.text
            else:
                await more(client)
            description: dict[str, Any] = json.loads(told_at.read_bytes())
            addresses = Addresses(client, description, never)
            paths = [path for path in description["paths"] if re.search(PARTS[part], path)]
            found = {path: await addresses.of(path, {"tenant": demo.TENANT}) for path in paths}
        config.write_text(CONFIG + schemathesis_settings(found, COMMON, demo.TENANT), encoding="utf-8")
        command = (
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config), "--no-color"),
            *("run", str(told_at), "--url", url, "--header", f"Authorization: Bearer {token}"),
            *("--checks", ",".join(CHECKS), "--phases", PHASES, "--max-examples", str(EXAMPLES), "--seed", "1"),
            *("--exclude-path-regex", STREAMS, "--include-path-regex", PARTS[part]),
            *("--request-timeout", "30", "--suppress-health-check", "all", "--continue-on-failure", "--no-shrink"),
            *("--report-ndjson-path", str(tmp_path / "report.ndjson")),
        )
        asked = await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=tmp_path
        )
        try:
            told, _ = await asyncio.wait_for(asked.communicate(), 300)
        finally:
            if asked.returncode is None:
                asked.kill()
    assert asked.returncode == 0, told.decode()[-20_000:]
    # What is refused whatever is sent is not asked at all.
    statuses = answered(tmp_path / "report.ndjson")
    reached = {name for name, each in statuses.items() if any(200 <= status < 300 for status in each)}
    assert len(reached) >= REACHED[part], sorted(statuses.keys() - reached)


def answered(report: Path) -> dict[str, set[int]]:
    """The statuses that each operation answered with."""
    found: dict[str, set[int]] = defaultdict(set)
    for line in report.read_text(encoding="utf-8").splitlines():
        recorder = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        for each in recorder.get("interactions", {}).values():
            found[recorder["label"]].add((each["response"] or {}).get("status_code", 0))
    return found
