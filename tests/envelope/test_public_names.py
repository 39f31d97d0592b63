"""The public names: sorted, there, and everything the documentation tells people to import."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

from holdfast import envelope

DOCS = Path(__file__).parents[2] / "docs"
MODULES = ["holdfast.envelope", *(each.name for each in pkgutil.walk_packages(envelope.__path__, "holdfast.envelope."))]


@pytest.mark.parametrize("name", MODULES)
def test_every_module_lists_its_names_in_order_and_has_them(name: str) -> None:
    module = importlib.import_module(name)
    listed = module.__all__
    assert listed == sorted(listed, key=lambda each: (not each.isupper(), not each[0].isupper(), each))
    assert all(hasattr(module, each) for each in listed)
    assert module.__doc__


def test_what_the_documentation_imports_is_public() -> None:
    found: set[tuple[str, str]] = set()
    for page in ("envelope", "expressions", "tokens", "templates"):
        text = (DOCS / f"{page}.md").read_text("utf-8")
        for module, names in re.findall(r"^from (holdfast[\w.]*) import \(?([\w\s,]+?)\)?$", text, re.MULTILINE):
            found |= {(module, each.strip()) for each in names.split(",") if each.strip()}
    assert len(found) > 15
    for module, name in found:
        assert name in importlib.import_module(module).__all__, f"{module}.{name}"
