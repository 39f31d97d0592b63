"""The console has words for what the server tells as codes; the list it is compared with is the server's own."""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_consoles_list_of_codes_is_the_servers() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "codes.py"))
    assert script["FILE"].read_text(encoding="utf-8") == script["text"](), "run `python scripts/codes.py`"


def test_every_event_of_the_trail_has_a_sentence() -> None:
    in_python = re.compile(r'\brecord\(\s*[^"]*"[a-z]+",[^"]*"([a-z_]+\.[a-z_]+)"')
    in_sql = re.compile(r"INSERT INTO holdfast\.workflow_event_[a-z]+ \([^)]*\)[^;]*?'([a-z_]+\.[a-z_]+)'")
    source = ROOT / "src" / "holdfast"
    written = {found for path in source.rglob("*.py") for found in in_python.findall(path.read_text())}
    functions = source / "postgres" / "functions"
    written |= {found for path in functions.rglob("*.sql") for found in in_sql.findall(path.read_text())}
    assert len(written) > 60
    words = json.loads((ROOT / "web/src/i18n/locales/en/event.json").read_text())
    assert {event for event in written if event.replace(".", "_") not in words} == set()
