"""What `make bench` says of numbers, names and peers that are none: one line with what is allowed, at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--name", "nothing"), "unknown benchmark nothing: choose from data, expressions, growth, "),
        (("--peers", "nonsense"), "unknown peer nonsense: choose from "),
        (("--n", "abc"), "N is 'abc': give a whole number of at least 1"),
        (("--name", "runs", "--rounds", "0"), "ROUNDS is '0': give a whole number of at least 1"),
        (("--name", "data", "--n", "10000,12"), "give whole numbers, separated by commas, of at least 1000"),
        (("--name", "growth", "--peers", "dbos"), "unknown peer dbos: choose from none"),
        *(
            (("--name", name, "--n", "1e4"), "N is '1e4': give ")
            for name in ("data", "expressions", "growth", "process_growth", "processes", "runs", "sessions")
        ),
        *(
            (("--name", name, "--rounds", "x"), "ROUNDS is 'x': give a whole number of at least 1")
            for name in ("data", "expressions", "process_growth", "processes", "sessions")
        ),
        *(
            (("--name", name, "--peers", "nonsense"), "unknown peer nonsense: choose from ")
            for name in ("data", "expressions", "processes", "runs", "sessions")
        ),
    ],
)
def test_what_cannot_be_measured_is_one_line(arguments: tuple[str, ...], said: str) -> None:
    done = bench(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    (line,) = done.stderr.splitlines()
    assert said in line


def test_make_passes_everything_on() -> None:
    done = subprocess.run(
        # Within another `make` it would add which directory it enters and leaves.
        ["make", "--no-print-directory", "-n", "bench", "NAME=runs", "PEERS=dbos", "N=7", "ROUNDS=2"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1].endswith('-m bench --name "runs" --peers "dbos" --n "7" --rounds "2"')
