"""The console has words for what the server tells as codes; the list it is compared with is the server's own."""

from __future__ import annotations

import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_consoles_list_of_codes_is_the_servers() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "codes.py"))
    assert script["FILE"].read_text(encoding="utf-8") == script["text"](), "run `python scripts/codes.py`"
