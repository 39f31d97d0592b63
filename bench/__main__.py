"""`make bench`: one benchmark by its name, or every one of them; each in a process of its own."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

from bench._harness.before import compare
from bench._harness.options import Parser, listed

HERE = Path(__file__).parent
BENCHMARKS = sorted(path.stem for path in HERE.glob("*.py") if not path.stem.startswith("_"))


def main() -> None:
    """Check what can be checked before anything is measured, then run them, up to the first that fails."""
    parser = Parser("bench", "Benchmarks beside peers.", peers="comma-separated", n="how many", rounds="rounds")
    parser.add_argument("--name", default="", help=f"one of {', '.join(BENCHMARKS)}; default all")
    parser.add_argument("--before", default="", help="another checkout to compare this one with, turn about")
    found = parser.parse_args()
    names = found.name.split()
    if unknown := [name for name in names if name not in BENCHMARKS]:
        parser.error(f"unknown benchmark {', '.join(unknown)}: choose from {', '.join(BENCHMARKS)}")
    if found.before:
        given = ["--n", found.n] if found.n else []
        compare(names or BENCHMARKS, Path(found.before).resolve(), parser.number("ROUNDS", found.rounds, 5), given)
        return
    environment = dict(os.environ)
    if not names:
        known = {peer for name in BENCHMARKS for peer in importlib.import_module(f"bench.{name}").KNOWN_PEERS}
        parser.peers(found.peers, known)
        environment["BENCH_ALL"] = "1"
    if listed(found.n) and not names:
        parser.number("N", found.n, 1)
    given = ["--peers", found.peers, "--n", found.n, "--rounds", found.rounds]
    for name in names or BENCHMARKS:
        done = subprocess.run([sys.executable, "-m", f"bench.{name}", *given], env=environment, check=False)
        if done.returncode != 0:
            sys.exit(done.returncode)


if __name__ == "__main__":
    main()
