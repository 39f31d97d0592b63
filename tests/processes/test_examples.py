"""The examples of processes run, and what they assert holds."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from holdfast import Holdfast

EXAMPLES = sorted((Path(__file__).parents[2] / "examples" / "processes").glob("*.py"))


def load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_use_case_has_an_example() -> None:
    assert {path.stem[:2] for path in EXAMPLES} >= {"a_", "b_", "c_", "d_", "e_"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
async def test_an_example_runs(path: Path, holdfast_app: Holdfast) -> None:
    await load(path).play(holdfast_app)
