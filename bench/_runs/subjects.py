"""Who takes part in the run-queue benchmark, and how each one's adapter is started."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from bench._harness.peers import PEERS, installed
from bench._harness.process import Command

__all__ = ["KNOWN", "SUBJECTS", "Subject", "chosen"]

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@dataclass(frozen=True, slots=True)
class Subject:
    """One row of the table: a product in one configuration."""

    name: str
    product: str
    fast: bool = False
    paced: bool = True
    """Whether it has a worker that waits for runs; the bare pgbench has none."""

    def command(self) -> Command:
        """How to start its adapter, installing the product first when needed."""
        if self.product not in PEERS:
            return Command([sys.executable, "-m", f"bench._runs.{self.product}"], ROOT)
        peer = PEERS[self.product]
        interpreter = installed(peer)
        if peer.runtime == "python":
            # -m from the repository: the module is found there and may carry the name of the package it adapts.
            return Command([*interpreter, "-m", f"bench._runs.{self.product}"], ROOT)
        adapter = HERE / f"{self.product}.mjs"
        return Command([*interpreter, str(adapter)], ROOT / "bench" / ".peers" / self.product)


SUBJECTS = (
    Subject("holdfast", "holdfast"),
    Subject("holdfast-fast", "holdfast", fast=True),
    Subject("pgbench", "pgbench", paced=False),
    Subject("pgbench-fast", "pgbench", fast=True, paced=False),
    Subject("procrastinate", "procrastinate"),
    Subject("procrastinate-fast", "procrastinate", fast=True),
    Subject("pgqueuer", "pgqueuer"),
    Subject("pgqueuer-fast", "pgqueuer", fast=True),
    Subject("chancy", "chancy"),
    Subject("chancy-fast", "chancy", fast=True),
    Subject("dbos", "dbos"),
    Subject("dbos-fast", "dbos", fast=True),
    Subject("absurd", "absurd"),
    Subject("absurd-fast", "absurd", fast=True),
    Subject("awa", "awa"),
    Subject("awa-fast", "awa", fast=True),
    Subject("graphile-worker", "graphile-worker"),
    Subject("graphile-worker-fast", "graphile-worker", fast=True),
    Subject("pg-boss", "pg-boss"),
    Subject("pg-boss-fast", "pg-boss", fast=True),
)

KNOWN = {subject.name for subject in SUBJECTS} | {subject.product for subject in SUBJECTS}
ALWAYS = ("holdfast", "pgbench")
"""Products that take part whatever peers are chosen: ourselves and the limit."""


def chosen(names: list[str], alone: bool) -> list[Subject]:
    """The subjects for these names: a product's name stands for all its configurations, no name for everybody."""
    return [
        subject
        for subject in SUBJECTS
        if not names or subject.name in names or subject.product in names or (subject.product in ALWAYS and not alone)
    ]
