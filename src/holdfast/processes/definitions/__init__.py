"""Definitions: what organisations add to the vendor's skeletons, compiled, published, verified."""

from __future__ import annotations

from holdfast.processes.definitions.api import Definitions
from holdfast.processes.definitions.library import Library, Loaded
from holdfast.processes.definitions.model import ContractInfo, Definition, Rebased, Review

__all__ = [
    "ContractInfo",
    "Definition",
    "Definitions",
    "Library",
    "Loaded",
    "Rebased",
    "Review",
]
