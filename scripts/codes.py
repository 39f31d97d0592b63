"""Writes every code that the server tells and the console says in words: `web/src/i18n/codes.json`.

`python scripts/codes.py` renews it; a test of the console compares it with the words of each language, and one of the
server with what the server declares.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from holdfast import PERMISSIONS, Holdfast, errors
from holdfast.envelope import PROBLEM_CODES
from holdfast.envelope.parts import STANDARD
from holdfast.envelope.tokens import FAILURE_CODES, REASON_CODES, REFUSAL_CODES, WAIT_CODES
from holdfast.people.reasons import WHY_CODES
from holdfast.processes.repair import STUCK_CODES

FILE = Path(__file__).parents[1] / "web/src/i18n/codes.json"


def codes() -> Mapping[str, Sequence[str]]:
    """Each kind of code, in order."""
    app = Holdfast()
    found = {
        "errors": (getattr(errors, name).code for name in errors.__all__),
        "problems": PROBLEM_CODES,
        "waits": WAIT_CODES,
        "reasons": REASON_CODES,
        "refusals": REFUSAL_CODES,
        "failures": FAILURE_CODES,
        "why": WHY_CODES,
        "stuck": STUCK_CODES,
        "node_types": STANDARD,
        "actions": (action.name for action in app.actions),
        "permissions": PERMISSIONS,
    }
    return {kind: sorted(each) for kind, each in found.items()}


def text() -> str:
    """What the file says."""
    return json.dumps(codes(), indent=2) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
