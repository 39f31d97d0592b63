"""What is generated from the server's description is of the description that the server has now."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast
from holdfast.http import build
from holdfast.http.demonstration import Demonstration

ROOT = Path(__file__).parent.parent.parent
STORED = ROOT / "web" / "openapi.json"
CLIENT = ROOT / "clients" / "typescript"


async def nobody(*_: Any) -> str:
    return ""


def test_the_stored_description_is_the_servers() -> None:
    # As JSON has it: 1.0 is 1 there.
    told = json.loads(json.dumps(build(Holdfast(), demo=Demonstration("demo", [], nobody)).openapi()))
    stored = json.loads(STORED.read_text(encoding="utf-8"))
    changed = [
        path for path in {*told["paths"], *stored["paths"]} if told["paths"].get(path) != stored["paths"].get(path)
    ]
    assert changed == [], "run `npm run api` in web and `npm run generate` in clients/typescript"
    assert told == stored


@pytest.mark.skipif(
    shutil.which("node") is None or not (CLIENT / "node_modules").exists(), reason="needs npm ci in clients/typescript"
)
def test_the_typescript_client_is_made_from_it(tmp_path: Path) -> None:
    made = tmp_path / "schema.ts"
    options = ["--default-non-nullable=false", "--output", str(made)]
    command = ["node_modules/.bin/openapi-typescript", str(STORED), *options]
    subprocess.run(command, cwd=CLIENT, check=True, capture_output=True, timeout=120)
    assert made.read_text() == (CLIENT / "src" / "schema.ts").read_text(), "run `npm run generate` there"
