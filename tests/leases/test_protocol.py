"""The lease protocol holds in every interleaving that Spin can think of, and each way to build it wrong is found."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).with_name("protocol.pml")
BROKEN = ("NO_EPOCH", "LATE_EPOCH", "NO_FENCE", "REVIVE", "LATE_ATTEMPT")

pytestmark = pytest.mark.skipif(
    shutil.which("spin") is None or shutil.which("gcc") is None, reason="spin or gcc is not installed"
)


def check(where: Path, *defined: str) -> str:
    """What Spin says of the model with these definitions."""
    # Spin keeps its trace beside the model.
    shutil.copy(MODEL, where)
    subprocess.run(["spin", *(f"-D{name}" for name in defined), "-a", MODEL.name], cwd=where, check=True, timeout=60)
    subprocess.run(["gcc", "-O2", "-w", "-DSAFETY", "-o", "pan", "pan.c"], cwd=where, check=True, timeout=120)
    done = subprocess.run(["./pan", "-m10000"], cwd=where, capture_output=True, text=True, check=False, timeout=240)
    assert "max search depth too small" not in done.stdout
    return done.stdout


def test_three_workers_and_two_runs_keep_every_promise(tmp_path: Path) -> None:
    said = check(tmp_path, "WORKERS=3", "RUNS=2")
    assert "errors: 0" in said, said
    # It looked at all there is to look at, and not at an empty model.
    (states,) = re.findall(r"(\d+) states, stored", said)
    assert int(states) > 500_000, said


def test_four_workers_that_fight_for_one_run_keep_every_promise(tmp_path: Path) -> None:
    said = check(tmp_path, "WORKERS=4", "RUNS=1")
    assert "errors: 0" in said, said


@pytest.mark.parametrize("variant", BROKEN)
def test_what_is_built_wrong_leaves_a_trace(tmp_path: Path, variant: str) -> None:
    said = check(tmp_path, variant)
    assert "assertion violated" in said, said
    trace = subprocess.run(
        ["spin", f"-D{variant}", "-t", "-p", MODEL.name],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    assert "status = leased" in trace.stdout, trace.stdout[-2000:]


def test_every_broken_variant_of_the_model_is_checked() -> None:
    """A variant that the model can be given, and nobody asks for, proves nothing."""
    variants = set(re.findall(r"#(?:el)?if(?:n?def)? *(?:defined\()?([A-Z_]+)", MODEL.read_text())) - {
        "WORKERS",
        "RUNS",
    }
    assert variants == set(BROKEN)
