"""The same benchmark in two checkouts, turn about: what a change cost or brought, told from what the machine did.

Each round runs a benchmark once in the checkout before and once in this one, in alternating order, each with its own
environment and its own code. A metric's figure is the median of the ratios of the pairs: a slow minute hits both sides
of a pair. pgbench, where a benchmark has it, is the same on both sides, so its ratio shows how far to trust the others.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

__all__ = ["Pairs", "compare"]

HERE = Path(__file__).parents[2]


class Pairs:
    """Figures of both checkouts: (subject, metric) to one (before, after) a round."""

    def __init__(self) -> None:
        self.rounds: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)

    def add(self, before: dict[tuple[str, str], float], after: dict[tuple[str, str], float]) -> None:
        for figure in before.keys() & after.keys():
            self.rounds[figure].append((before[figure], after[figure]))

    def table(self) -> str:
        """A Markdown table: both medians, the median of the ratios, and the lowest and highest of them."""
        lines = [
            "| subject | metric | before | after | after / before | lowest – highest |",
            "|---|---|---:|---:|---:|---|",
        ]
        for (subject, metric), pairs in sorted(self.rounds.items()):
            before, after = (statistics.median(side) for side in zip(*pairs, strict=True))
            ratios = [now / then for then, now in pairs if then]
            if not ratios:
                continue
            lines.append(
                f"| {subject} | {metric} | {before:,.2f} | {after:,.2f} | {statistics.median(ratios):.2f} "
                f"| {min(ratios):.2f} – {max(ratios):.2f} |"
            )
        return "\n".join(lines)


def compare(names: list[str], before: Path, rounds: int, given: list[str]) -> None:
    """Run each benchmark in both checkouts and print one table for each."""
    for name in names:
        pairs = Pairs()
        for turn in range(rounds):
            sides = [before, HERE] if turn % 2 == 0 else [HERE, before]
            found = {side: _measure(side, name, given) for side in sides}
            pairs.add(found[before], found[HERE])
            print(f"\n{name}, {turn + 1} of {rounds} pairs:\n{pairs.table()}", flush=True)


def _measure(checkout: Path, name: str, given: list[str]) -> dict[tuple[str, str], float]:
    """One round in one checkout: its median figures."""
    python = checkout / ".venv" / "bin" / "python"
    if not python.exists():
        sys.exit(f"{checkout} has no environment: run `make install` there")
    command = [str(python), "-m", f"bench.{name}", "--peers", "none", "--rounds", "1", *given]
    done = subprocess.run(command, cwd=checkout, stdout=subprocess.DEVNULL, check=False)
    if done.returncode != 0:
        sys.exit(f"bench.{name} failed in {checkout}")
    figures = defaultdict(list)
    for line in (checkout / "bench" / "results" / f"{name}.jsonl").read_text().splitlines():
        figure = json.loads(line)
        figures[figure["subject"], figure["metric"]].append(figure["value"])
    return {key: statistics.median(values) for key, values in figures.items()}
