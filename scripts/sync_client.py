"""Makes `src/holdfast/client/synchronous.py` from `asynchronous.py`: the same client without `await`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent.parent / "src" / "holdfast" / "client"
_WORDS = (
    (r"async with Client\(", "with SyncClient("),
    (r"`async with`", "`with`"),
    (r"\basync (def|with|for) ", r"\1 "),
    (r"\bawait ", ""),
    (r"\bAsyncIterator\b", "Iterator"),
    (r"\bAsyncBaseTransport\b", "BaseTransport"),
    (r"\bAsyncClient\b", "Client"),
    (r"\b__aenter__\b", "__enter__"),
    (r"\b__aexit__\b", "__exit__"),
    (r"\baclose\b", "close"),
    (r"(?<![.\w])Client\b", "SyncClient"),
)


def synchronous(source: str) -> str:
    """The same module without waiting."""
    title = (
        "`SyncClient`: `Client` for programs without an event loop. Made by `scripts/sync_client.py`; change the other."
    )
    _, _, rest = source.partition("\n\n    async with")
    text = f'"""{title}\n\n    async with{rest}'
    text = text.replace(" `synchronous.py` is made from this file by `scripts/sync_client.py`.", "")
    text = text.replace("`synchronous.py` is made from this file by `scripts/sync_client.py`.\n", "")
    for pattern, word in _WORDS:
        text = re.sub(pattern, word, text)
    return text.replace("`SyncClient`: `SyncClient`", "`SyncClient`: `Client`")


def formatted(source: str, target: Path) -> str:
    """What is written to a file, in the house's form."""
    target.write_text(synchronous(source))
    settings = ["--config", str(HERE.parent.parent.parent / "pyproject.toml")]
    for command in (["format", "-q"], ["check", "--fix", "--unsafe-fixes", "-q"], ["format", "-q"]):
        subprocess.run([sys.executable, "-m", "ruff", *command, *settings, str(target)], check=True)
    return target.read_text()


if __name__ == "__main__":
    formatted((HERE / "asynchronous.py").read_text(), HERE / "synchronous.py")
