"""What all benchmarks understand alike: `--peers`."""

from __future__ import annotations

import os
from collections.abc import Collection

__all__ = ["peers"]


def peers(text: str, known: Collection[str]) -> list[str]:
    """The peers named, separated by commas; nothing stands for all of them, which `none` excludes.

    When every benchmark is run (`BENCH_ALL`), each takes those it knows; otherwise an unknown one is an error.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if names == ["none"]:
        return names
    unknown = [name for name in names if name not in known]
    if unknown and not os.environ.get("BENCH_ALL"):
        raise ValueError(f"unknown peer {', '.join(unknown)}: choose from {', '.join(sorted(known))}")
    taken = [name for name in names if name in known]
    return ["none"] if names and not taken else taken
