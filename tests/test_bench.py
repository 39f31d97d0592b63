"""What `make bench` says of numbers, names and peers that are none: one line with what is allowed, at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bench._harness.before import Pairs, compare

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
        ["make", "--no-print-directory", "-n", "bench", "NAME=runs", "PEERS=dbos", "N=7", "ROUNDS=2", "BEFORE=../it"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    asked = '-m bench --name "runs" --peers "dbos" --n "7" --rounds "2" --before "../it"'
    assert done.stdout.splitlines()[-1].endswith(asked)


def test_before_and_after_is_the_median_of_the_pairs_ratios() -> None:
    pairs = Pairs()
    # The machine was slow in the third round, for both.
    for before, after in ((100.0, 110.0), (100.0, 120.0), (10.0, 13.0)):
        pairs.add({("holdfast", "drain"): before, ("gone", "drain"): 1.0}, {("holdfast", "drain"): after})
    *_, row = pairs.table().splitlines()
    assert row == "| holdfast | drain | 100.00 | 110.00 | 1.20 | 1.10 – 1.30 |"


def test_comparing_with_a_checkout_that_has_no_environment_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="run `make install` there"):
        compare(["runs"], tmp_path, 1, [])
